// Steady load: on each shard a transaction begins every few milliseconds, however many have no answer yet, as visitors come to an
// application. Each is retried by the client until it has committed.

import type { Claret } from '@claret/client';
import { keyOn } from '../../../client/src/testing/keys.ts';

/** Longer than any time without an answer. */
const TIMEOUT_MS = 60_000;
const RECORDS = 8;

interface Waiter {
  sinceMs: number;
  resolve: (committedMs: number) => void;
}

class ShardLoad {
  readonly keys: readonly string[];
  readonly failures: unknown[] = [];
  begun = 0;
  committed = 0;
  waiters: Waiter[] = [];
  readonly #open = new Set<Promise<void>>();
  readonly #claret: Claret;

  constructor(claret: Claret, shard: number) {
    this.#claret = claret;
    this.keys = Array.from({ length: RECORDS }, (_, record) => keyOn(shard, `steady:${record}`));
  }

  begin(): void {
    const beganMs = Date.now();
    const key = this.keys[this.begun++ % RECORDS]!;
    const one = this.#claret.transact('Steady', [this.#claret.on.counter(key).add(1)], { timeoutMs: TIMEOUT_MS }).then(
      () => this.#commit(beganMs),
      (error: unknown) => void this.failures.push(error),
    );
    this.#open.add(one);
    void one.then(() => this.#open.delete(one));
  }

  #commit(beganMs: number): void {
    this.committed++;
    const ready = this.waiters.filter(({ sinceMs }) => beganMs >= sinceMs);
    this.waiters = this.waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve(Date.now());
  }

  async rest(): Promise<void> {
    await Promise.all(this.#open);
  }
}

export class SteadyLoad {
  readonly #claret: Claret;
  readonly #shards: readonly ShardLoad[];
  readonly #timer: NodeJS.Timeout;

  /** @param perSecond transactions that begin on each shard */
  constructor(claret: Claret, shards: number, perSecond: number) {
    this.#claret = claret;
    this.#shards = Array.from({ length: shards }, (_, shard) => new ShardLoad(claret, shard));
    this.#timer = setInterval(() => {
      for (const shard of this.#shards) shard.begin();
    }, 1_000 / perSecond);
  }

  /** The moment at which the first transaction on that shard commits, of those that begin from now on; in ms since the Unix epoch. */
  nextCommit(shard: number): Promise<number> {
    return new Promise((resolve) => this.#shards[shard]!.waiters.push({ sinceMs: Date.now(), resolve }));
  }

  /** Ends the load. Returns what is wrong: transactions that failed, and counts that differ from what was acknowledged. */
  async end(): Promise<string[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#shards.map((shard) => shard.rest()));
    const wrong = await Promise.all(this.#shards.map((shard) => this.#mismatches(shard)));
    return wrong.flat();
  }

  async #mismatches({ keys, committed, failures }: ShardLoad): Promise<string[]> {
    const counts = await this.#claret.transact(
      'Count',
      keys.map((key) => this.#claret.on.counter(key).value()),
    );
    const stored = counts.reduce<number>((sum, count) => sum + Number(count), 0);
    return [
      ...(failures.length === 0 ? [] : [`${failures.length} transactions failed, the first with: ${String(failures[0])}`]),
      ...(stored === committed ? [] : [`${committed} transactions were acknowledged, and the counters hold ${stored}`]),
    ];
  }
}
