// rawmix (the paper, section 6.1): transactions of four operations, each `size` or `add` on one of 10,000 sets, the set
// drawn from a zipfian distribution with replacement. Every `add` brings a member that was never there, so that it
// changes the size and conflicts with `size`.
//
// What a transaction does is drawn before it runs: a retry repeats the same operations.

import type { Claret, Description } from '@claret/client';
import { Zipf } from './zipf.ts';

export const OPERATIONS = 4;
export const SETS = 10_000;

export interface RawmixOptions {
  /** of the zipfian distribution */
  alpha: number;
  /** share of `add` among the operations */
  update: number;
  /** names the sets: a repetition under another name starts with empty ones */
  name: string;
  sets?: number;
}

export type Sending = 'interactive' | 'one-shot';

export class Rawmix {
  readonly #options: RawmixOptions;
  readonly #random: () => number;
  readonly #zipf: Zipf;
  /** adds of transactions that have committed, by set */
  readonly added = new Map<string, number>();

  constructor(options: RawmixOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
    this.#zipf = new Zipf(options.sets ?? SETS, options.alpha);
  }

  draw(claret: Claret): Description<unknown>[] {
    return Array.from({ length: OPERATIONS }, () => {
      const set = claret.on.set(`${this.#options.name}:${this.#zipf.draw(this.#random())}`);
      return this.#random() < this.#options.update ? set.add(this.#member()) : set.size();
    });
  }

  #member(): string {
    const half = () => Math.floor(this.#random() * 2 ** 32).toString(36);
    return `${half()}.${half()}`;
  }

  /** Interactive: each operation is awaited before the next, the end rides on the last. Rejects with `ClaretError`. */
  async run(claret: Claret, operations: readonly Description<unknown>[], sending: Sending): Promise<void> {
    if (sending === 'one-shot') await claret.transact('Rawmix', operations);
    else {
      await claret.transaction('Rawmix', async (tx) => {
        for (const operation of operations.slice(0, -1)) await tx.perform(operation);
        return tx.finish(tx.perform(operations.at(-1)!));
      });
    }
    for (const { spec, key } of operations) {
      if (spec.operationClass !== 'observe') this.added.set(key, (this.added.get(key) ?? 0) + 1);
    }
  }

  /** Every set holds what was added to it by transactions that committed, and nothing else. Throws otherwise. */
  async check(claret: Claret): Promise<void> {
    for (const [key, count] of this.added) {
      const [size] = await claret.transact('Check', [claret.on.set(key).size()]);
      if (size !== count) throw new Error(`${key} holds ${size} members, but ${count} adds were committed`);
    }
  }
}
