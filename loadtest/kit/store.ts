// Bounded reads from the store: no transaction reads more than about ten thousand entries, whatever the length of a list. Each part
// is a separate transaction; `atOnce` reads groups that must be seen atomically.

import type { Claret, Description } from '@claret/client';
import { readAll } from './checking.ts';

/** An entry of a ScoredSet: item and score. */
export type Entry = [item: string, score: number];

/** Limit of one read of a list. */
const PAGE = 1_000;
const LISTS_AT_ONCE = 16;
/** Approximate number of operations in an attempt: small enough that the shards release its locks soon. */
const OPERATIONS_AT_ONCE = 200;

export class Store {
  readonly #claret: Claret;

  constructor(claret: Claret) {
    this.#claret = claret;
  }

  get on(): Claret['on'] {
    return this.#claret.on;
  }

  /** Results in order; from many transactions. */
  all<Result>(reads: readonly Description<Result>[]): Promise<Result[]> {
    return readAll(this.#claret, reads);
  }

  /** Results in order; each group is read in one transaction, possibly together with its neighbours. */
  async atOnce(groups: readonly (readonly Description<unknown>[])[]): Promise<unknown[][]> {
    const found: unknown[][] = [];
    for (let first = 0; first < groups.length;) {
      let end = first;
      let operations = 0;
      while (end < groups.length && (end === first || operations + groups[end]!.length <= OPERATIONS_AT_ONCE))
        operations += groups[end++]!.length;
      const piece = groups.slice(first, end);
      const results: unknown[] = operations === 0 ? [] : await this.#claret.transact('Check', piece.flat());
      for (const group of piece) found.push(results.splice(0, group.length));
      first = end;
    }
    return found;
  }

  /** All members of a Set. */
  async members(key: string): Promise<string[]> {
    const members: string[] = [];
    for (;;) {
      const [page] = await this.#claret.transact('Check', [this.on.set(key).members(PAGE, members.at(-1) ?? null)]);
      for (const member of page) members.push(member);
      if (page.length < PAGE) return members;
    }
  }

  /** The members of the Sets, set by set. */
  async *sets(keys: readonly string[]): AsyncGenerator<[key: string, members: string[]]> {
    for (let first = 0; first < keys.length; first += LISTS_AT_ONCE) {
      const piece = keys.slice(first, first + LISTS_AT_ONCE);
      const pages = await this.#claret.transact(
        'Check',
        piece.map((key) => this.on.set(key).members(PAGE)),
      );
      for (const [i, key] of piece.entries()) yield [key, pages[i]!.length < PAGE ? pages[i]! : await this.members(key)];
    }
  }

  /** The entries of the ScoredSets with scores from `min` to `max`, ascending, list by list. */
  async *lists(
    keys: readonly string[],
    { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
  ): AsyncGenerator<[key: string, entries: Entry[]]> {
    const page = (key: string, after: Entry | undefined) =>
      this.on.scoredSet(key).rangeByScore(after?.[1] ?? min, max, PAGE, after?.[0] ?? null);
    for (let first = 0; first < keys.length; first += LISTS_AT_ONCE) {
      const piece = keys.slice(first, first + LISTS_AT_ONCE);
      const pages = (await this.#claret.transact(
        'Check',
        piece.map((key) => page(key, undefined)),
      )) as Entry[][];
      for (const [i, key] of piece.entries()) {
        const entries = pages[i]!;
        while (entries.length > 0 && entries.length % PAGE === 0) {
          const [next] = (await this.#claret.transact('Check', [page(key, entries.at(-1))])) as [Entry[]];
          if (next.length === 0) break;
          entries.push(...next);
        }
        yield [key, entries];
      }
    }
  }

  async list(key: string, range: { min?: number; max?: number } = {}): Promise<Entry[]> {
    for await (const [, entries] of this.lists([key], range)) return entries;
    return [];
  }
}
