// rawmix (the paper, section 6.1): transactions of four operations, each `size` or `add` on one of 10,000 sets, drawn from a Zipf
// distribution with replacement. Every `add` adds a new member, so that it changes the size and conflicts with `size`.
//
// The operations of a transaction are drawn before it runs: a retry repeats them.

import type { Claret, Description } from '@claret/client';
import { readAll, type Records } from '../kit/checking.ts';
import { Zipf } from './zipf.ts';

export const OPERATIONS = 4;
export const SETS = 10_000;
const LETTERS = Uint8Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', (letter) => letter.charCodeAt(0));

export interface RawmixOptions {
  /** skew of the Zipf distribution */
  alpha: number;
  /** share of `add` among the operations */
  update: number;
  /** names the sets: another name starts with empty sets */
  name: string;
  sets?: number;
}

/** A drawn transaction. */
export interface Drawn {
  readonly operations: readonly Description<unknown>[];
  /** ranks of the sets to which it adds */
  readonly addsTo: readonly number[];
}

export type Sending = 'interactive' | 'one-shot';

export class Rawmix {
  readonly #options: RawmixOptions;
  readonly #random: () => number;
  readonly #zipf: Zipf;
  /** keys of the sets, by rank: building and hashing a new string would cost more than the draw */
  readonly #keys: readonly string[];
  /** adds of committed transactions, by the set's rank */
  readonly added: Uint32Array;
  /** ranks of sets with adds of unknown outcome */
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

  /** 64 random bits as eleven letters. */
  #member(): string {
    const high = this.#random32();
    const low = this.#random32();
    // All characters in one call: ten times faster than writing two numbers in base 36.
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

  /** Interactive: each operation is awaited before the next, and the commit is sent with the last. Rejects with `ClaretError`. */
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

  /** Reports a transaction that was committed outside of `run`. */
  committed({ addsTo }: Drawn): void {
    for (const rank of addsTo) this.added[rank]!++;
  }

  /** Reports a transaction of unknown outcome: the sets to which it would add are not checked. */
  doubted({ addsTo }: Drawn): void {
    for (const rank of addsTo) this.#doubtful.add(rank);
  }

  /**
   * Sets that do not hold exactly the adds of committed transactions. Call after all begun transactions have ended. Also holds
   * without transactions (`none`): each add is atomic, and all adds of a transaction are sent.
   */
  async mismatches(claret: Records): Promise<string[]> {
    return (await this.compared(claret)).mismatches;
  }

  /** Likewise; beside them how many adds were committed, and how many members there are. Sets with an add in doubt are left out. */
  async compared(claret: Records): Promise<{ acknowledged: number; stored: number; mismatches: string[] }> {
    const sizes = await readAll(
      claret,
      this.#keys.map((key) => claret.on.set(key).size()),
    );
    const [mismatches, counted] = [[] as string[], { acknowledged: 0, stored: 0 }];
    for (const [rank, key] of this.#keys.entries()) {
      if (this.#doubtful.has(rank)) continue;
      const [size, count] = [Number(sizes[rank]), this.added[rank]!];
      counted.acknowledged += count;
      counted.stored += size;
      if (size !== count) mismatches.push(`${key} holds ${size} members, but ${count} adds were committed`);
    }
    return { ...counted, mismatches };
  }
}
