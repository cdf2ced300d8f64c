// rawmix (the paper, section 6.1): transactions of four operations, each `size` or `add` on one of 10,000 sets, the set drawn
// from a zipfian distribution with replacement. Every `add` brings a member that was never there, so that it changes the size and
// conflicts with `size`.
//
// The operations of a transaction are drawn before it runs: a retry repeats them.

import type { Claret, Description } from '@claret/client';
import { readAll, throwFirst, type Records } from '../kit/checking.ts';
import { Zipf } from './zipf.ts';

export const OPERATIONS = 4;
export const SETS = 10_000;
const LETTERS = Uint8Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', (letter) => letter.charCodeAt(0));

export interface RawmixOptions {
  /** of the zipfian distribution */
  alpha: number;
  /** share of `add` among the operations */
  update: number;
  /** names the sets: a repetition under another name starts with empty ones */
  name: string;
  sets?: number;
}

/** What one transaction will do. */
export interface Drawn {
  readonly operations: readonly Description<unknown>[];
  /** ranks of the sets that it adds to */
  readonly addsTo: readonly number[];
}

export type Sending = 'interactive' | 'one-shot';

export class Rawmix {
  readonly #options: RawmixOptions;
  readonly #random: () => number;
  readonly #zipf: Zipf;
  /** of the sets, by rank: a key that is made anew is hashed anew, at more than the draw's own cost */
  readonly #keys: readonly string[];
  /** adds of transactions that have committed, by the set's rank */
  readonly added: Uint32Array;
  /** ranks of sets to which it is not known what was added */
  readonly #doubtful = new Set<number>();

  constructor(options: RawmixOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
    const sets = options.sets ?? SETS;
    this.added = new Uint32Array(sets);
    this.#zipf = new Zipf(sets, options.alpha);
    this.#keys = Array.from({ length: sets }, (_, rank) => `${options.name}:${rank}`);
  }

  draw(claret: Records): Drawn {
    const operations: Description<unknown>[] = [];
    const addsTo: number[] = [];
    for (let i = 0; i < OPERATIONS; i++) {
      const rank = this.#zipf.draw(this.#random());
      const set = claret.on.set(this.#keys[rank]!);
      if (this.#random() < this.#options.update) {
        operations.push(set.add(this.#member()));
        addsTo.push(rank);
      } else operations.push(set.size());
    }
    return { operations, addsTo };
  }

  /** 64 random bits, in eleven letters. */
  #member(): string {
    const high = this.#random32();
    const low = this.#random32();
    // Letter by letter in one call: a tenth of what writing two numbers in a base of 36 takes.
    return String.fromCharCode(
      LETTERS[high & 63]!,
      LETTERS[(high >>> 6) & 63]!,
      LETTERS[(high >>> 12) & 63]!,
      LETTERS[(high >>> 18) & 63]!,
      LETTERS[(high >>> 24) & 63]!,
      LETTERS[low & 63]!,
      LETTERS[(low >>> 6) & 63]!,
      LETTERS[(low >>> 12) & 63]!,
      LETTERS[(low >>> 18) & 63]!,
      LETTERS[(low >>> 24) & 63]!,
      LETTERS[(high >>> 30) | ((low >>> 30) << 2)]!,
    );
  }

  #random32(): number {
    return Math.floor(this.#random() * 2 ** 32) | 0;
  }

  /** Interactive: each operation is awaited before the next, the end rides on the last. Rejects with `ClaretError`. */
  async run(claret: Claret, drawn: Drawn, sending: Sending): Promise<void> {
    const { operations } = drawn;
    if (sending === 'one-shot') await claret.transact('Rawmix', operations);
    else {
      await claret.transaction('Rawmix', async (tx) => {
        const last = operations.length - 1;
        for (let i = 0; i < last; i++) await tx.perform(operations[i]!);
        return tx.finish(tx.perform(operations[last]!));
      });
    }
    this.committed(drawn);
  }

  /** To be told of what was run elsewhere than in `run`. */
  committed({ addsTo }: Drawn): void {
    for (const rank of addsTo) this.added[rank]!++;
  }

  /** To be told of a transaction whose outcome nobody knows: what it would have added to is not checked. */
  doubted({ addsTo }: Drawn): void {
    for (const rank of addsTo) this.#doubtful.add(rank);
  }

  /**
   * Where a set does not hold exactly what was added to it by transactions that have committed. Once all that was begun has
   * ended. Without locks (`none`) this holds as well: each add is atomic, and all of a transaction's are sent.
   */
  async mismatches(claret: Records): Promise<string[]> {
    const sizes = await readAll(
      claret,
      this.#keys.map((key) => claret.on.set(key).size()),
    );
    return this.#keys.flatMap((key, rank) => {
      const count = this.added[rank];
      return sizes[rank] === count || this.#doubtful.has(rank)
        ? []
        : [`${key} holds ${sizes[rank]} members, but ${count} adds were committed`];
    });
  }

  /** Throws where there are mismatches. */
  async check(claret: Records): Promise<void> {
    throwFirst(await this.mismatches(claret));
  }
}
