// Natives: single operations outside any transaction (docs/decisions/0023-natives.md). Each is executed by itself, in one round trip, in
// strictly serializable order with all transactions.

import type { Cluster } from '../cluster/cluster.ts';
import type { Environment, Timer } from '../environment/environment.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { NativeReceivers } from '../session/incoming.ts';
import type { Call } from '../values/call.ts';
import { NativeQueue } from './native-queue.ts';
import { NativeRecord, type NativeHistory } from './native-record.ts';

const EXPIRE_EVERY_MS = 100;

export interface NativeCounters {
  natives: number;
  nativesFailed: number;
}

export class Natives implements NativeReceivers {
  readonly #environment: Environment;
  readonly #cluster: Pick<Cluster, 'sessionOf'>;
  readonly #counters: NativeCounters;
  readonly #timeoutMs: number;
  readonly #history: NativeHistory | null;
  /** by shard */
  readonly #queues: NativeQueue[] = [];
  #timer: Timer | null = null;
  #closed = false;

  /** @param timeoutMs the time that a native has to be sent; a shard answers or withdraws it within a second after that */
  constructor(
    environment: Environment,
    cluster: Pick<Cluster, 'sessionOf'>,
    counters: NativeCounters,
    timeoutMs: number,
    history: NativeHistory | null,
  ) {
    this.#environment = environment;
    this.#cluster = cluster;
    this.#counters = counters;
    this.#timeoutMs = timeoutMs;
    this.#history = history;
  }

  perform(call: Call): Promise<unknown> {
    if (this.#closed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      const session = this.#cluster.sessionOf(call.key);
      this.#counters.natives++;
      const queue = (this.#queues[session.shard] ??= new NativeQueue(session));
      const record = this.#history === null ? null : new NativeRecord(this.#history, this.#counters.natives, call);
      const failed = (error: ClaretError) => {
        this.#counters.nativesFailed++;
        record?.failed(error);
        reject(error);
      };
      const issuedMs = this.#environment.monotonicMs();
      queue.add({ call, issuedMs, dueMs: issuedMs + this.#timeoutMs, resolve, reject: failed, record });
      if (!session.live) this.#watchTime();
    });
  }

  at(shard: number): NativeQueue | null {
    return this.#queues[shard] ?? null;
  }

  onSessionLost(shard: number): void {
    this.at(shard)?.onSessionLost();
    this.#watchTime();
  }

  /** Rejects everything that is not answered; natives issued later are rejected too. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) this.#environment.clearTimeout(this.#timer);
    this.#timer = null;
    for (const queue of this.#queues) queue?.close(closedError());
  }

  /** While a shard is away, natives that wait for it may run out of time. */
  #watchTime(): void {
    if (this.#timer !== null || this.#closed) return;
    this.#timer = this.#environment.setTimeout(() => {
      this.#timer = null;
      for (const queue of this.#queues) queue?.expire(this.#environment.monotonicMs());
      if (this.#queues.some((queue) => queue !== undefined && !queue.ended)) this.#watchTime();
    }, EXPIRE_EVERY_MS);
  }
}

const closedError = (): ClaretError => new ClaretError({ code: codes.clientClosed, message: 'The client was closed' });
