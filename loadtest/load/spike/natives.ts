// The spike of natives (Mediator, section 5): natives and transactions on the same counters, its own, of which some are far more popular
// than others. Beside each transaction of a client, a visitor of the same client sends natives, one after the other: mostly reads, some
// of which add. A transfer moves an amount from one counter to another after it has read the first; an audit reads a few. So natives that
// add meet transactions that have read, and the sum of all counters is known: the adds that were acknowledged. The counters belong to no
// site and are zeroed at the end.

import { ClaretError, type Claret } from '@claret/client';
import { readAll } from '../../kit/checking.ts';
import { writeAll } from '../../workloads/writing.ts';
import { Zipf } from '../../workloads/zipf.ts';
import { commitStateOf } from './commit-state.ts';
import type { Checked, Spike, SpikeOptions } from './spike.ts';

const COUNTERS = 1_024;
const SKEW = 0.9;
/** the share of natives that add; the others read */
const ADDING = 0.1;
/** the share of transactions that only read */
const AUDITS = 0.25;
const AUDITED = 3;
/** A visitor waits this long after an operation that failed, so that an unavailable store is not flooded. */
const AFTER_FAILURE_MS = 50;

const keyOf = (rank: number) => `spike:natives:${rank}`;

export async function nativesSpike(claret: Claret, { random }: SpikeOptions): Promise<Spike> {
  const keys = Array.from({ length: COUNTERS }, (_, rank) => keyOf(rank));
  // Removes the data of an earlier spike that was killed.
  await zero(claret, keys);
  return new NativesSpike(keys, random);
}

class NativesSpike implements Spike {
  readonly page = null;
  readonly #keys: readonly string[];
  readonly #random: () => number;
  readonly #popular = new Zipf(COUNTERS, SKEW);
  /** acknowledged native adds, and those of which it is unknown whether they were executed */
  #added = 0;
  #doubted = 0;

  constructor(keys: readonly string[], random: () => number) {
    this.#keys = keys;
    this.#random = random;
  }

  async run(claret: Claret): Promise<void> {
    const transaction = this.#random() < AUDITS ? this.#audit(claret) : this.#transfer(claret);
    let isOver = false;
    const over = () => void (isOver = true);
    const visit = async () => {
      while (!isOver) await this.#native(claret);
    };
    for (const ended of await Promise.allSettled([transaction.finally(over), visit()])) if (ended.status === 'rejected') throw ended.reason;
  }

  async #native(claret: Claret): Promise<void> {
    const counter = claret.native.counter(this.#draw());
    if (this.#random() >= ADDING) {
      await counter.value().catch(unanswered);
      return;
    }
    try {
      await counter.add(1);
      this.#added++;
    } catch (error) {
      const state = commitStateOf(error);
      if (state === 'applied') this.#added++;
      if (state === 'unknown') this.#doubted++;
      await unanswered(error);
    }
  }

  async #transfer(claret: Claret): Promise<void> {
    const [from, to] = [this.#draw(), this.#draw()];
    await claret.transaction('Transfer', async (tx) => {
      const there = Number(await tx.counter(from).value());
      const amount = there > 0 ? 1 : -1;
      await tx.counter(from).add(-amount);
      await tx.counter(to).add(amount);
    });
  }

  async #audit(claret: Claret): Promise<void> {
    const keys = Array.from({ length: AUDITED }, () => this.#draw());
    await claret.transaction('Audit', async (tx) => {
      for (const key of keys) await tx.counter(key).value();
    });
  }

  #draw(): string {
    return this.#keys[this.#popular.draw(this.#random())]!;
  }

  async check(claret: Claret): Promise<Checked> {
    const values = await readAll(
      claret,
      this.#keys.map((key) => claret.on.counter(key).value()),
    );
    const stored = values.map(Number).reduce((sum, value) => sum + value, 0);
    const most = this.#added + this.#doubted;
    const told = { what: 'single adds', acknowledged: this.#added, stored };
    if (stored >= this.#added && stored <= most) return { ...told, mismatches: [] };
    const words = `the counters add up to ${stored}, but ${this.#added}${this.#doubted > 0 ? ` to ${most}` : ''} native adds were acknowledged`;
    return { ...told, mismatches: [words] };
  }

  clearUp(claret: Claret): Promise<void> {
    return zero(claret, this.#keys);
  }
}

/** Errors that are no failures of the store are passed on. */
async function unanswered(error: unknown): Promise<void> {
  if (!(error instanceof ClaretError)) throw error;
  await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE_MS));
}

async function zero(claret: Claret, keys: readonly string[]): Promise<void> {
  const values = await readAll(
    claret,
    keys.map((key) => claret.on.counter(key).value()),
  );
  await writeAll(
    claret,
    keys.flatMap((key, rank) => (Number(values[rank]) === 0 ? [] : [claret.on.counter(key).add(-Number(values[rank]))])),
  );
}
