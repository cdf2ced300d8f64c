// Transactions of crowds, as the drivers report them: each before it begins, and when it has ended. Every one of them has a mark of its own,
// and leaves it on both shards: in a set and in a counter on each. So it is counted exactly once, on both shards or on neither, and a
// tally needs no history: what was acknowledged is stored, what has failed is not, and nothing is there twice or on one side only.

import type { Claret } from '@claret/client';
import { SLOT_COUNT, slotOf } from '@claret/client';
import { readAtRest } from './at-rest.ts';

const SHARDS = 2;

/** `none`: it has no effect. `unknown`: no shard could tell. */
export type CrowdEnd = 'done' | 'none' | 'unknown';

export type CrowdTold =
  /** absent: it is about to begin */
  | { mark: string; set: number; end?: CrowdEnd }
  /** a transaction that was acknowledged saw that the two sides differ */
  | { unequal: string }
  /** of a driver's client so far */
  | { process: number; batches: number; batchMembers: number };

/** The records of one side of a set of marks, which lie on that shard. */
export function sideOf(set: number, shard: number): { marks: string; count: string } {
  const tag = tagOn(`crowd:${set}`, shard);
  return { marks: `${tag}:marks`, count: `${tag}:count` };
}

/** A tag with that name in it, whose keys lie on that shard. */
export function tagOn(name: string, shard: number): string {
  for (let i = 0; ; i++) {
    const tag = `{${name}:${i}}`;
    if (Math.floor((slotOf(tag) * SHARDS) / SLOT_COUNT) === shard) return tag;
  }
}

export class CrowdLedger {
  /** transactions that were acknowledged; those of them that were compared with the store; those without an answer */
  acknowledged = 0;
  checked = 0;
  /** set → mark → how it ended; null: nobody has told */
  readonly #sets = new Map<number, Map<string, CrowdEnd | null>>();
  /** sets with transactions since they were compared last */
  readonly #touched = new Set<number>();
  readonly #batches = new Map<number, { batches: number; batchMembers: number }>();
  #wrong: string[] = [];

  take(told: CrowdTold): void {
    if ('unequal' in told) return void this.#wrong.push(`crowd: ${told.unequal}`);
    if ('process' in told) return void this.#batches.set(told.process, told);
    const { mark, set, end } = told;
    this.#set(set).set(mark, end ?? null);
    this.#touched.add(set);
    if (end === 'done') this.acknowledged++;
  }

  /** Transactions without an answer. */
  get unknown(): number {
    return [...this.#sets.values()].flatMap((marks) => [...marks.values()]).filter((end) => end === null || end === 'unknown').length;
  }

  /** What the drivers' clients have sent in batches. */
  get batches(): { batches: number; members: number } {
    const all = [...this.#batches.values()];
    return {
      batches: all.reduce((sum, { batches }) => sum + batches, 0),
      members: all.reduce((sum, { batchMembers }) => sum + batchMembers, 0),
    };
  }

  /** Compares the records of the last rounds, or all, with the reports. REQUIRES: nothing is in flight. Returns violations, one line each. */
  async mismatches(claret: Claret, which: 'touched' | 'all' = 'touched'): Promise<string[]> {
    const wrong = this.#wrong.splice(0);
    for (const set of which === 'all' ? this.#sets.keys() : this.#touched) wrong.push(...(await this.#inSet(claret, set, this.#set(set))));
    this.#touched.clear();
    this.checked = this.acknowledged;
    return wrong;
  }

  async #inSet(claret: Claret, set: number, marks: Map<string, CrowdEnd | null>): Promise<string[]> {
    const sides = await Promise.all([0, 1].map((shard) => readSide(claret, set, shard)));
    const wrong: string[] = [];
    for (const [shard, { found, count }] of sides.entries()) {
      const where = `set ${set} on shard ${shard}`;
      if (count !== found.size) wrong.push(`crowd: ${where} counts ${count} transactions, and has the marks of ${found.size}`);
      for (const [mark, end] of marks) {
        if (end === 'done' && !found.has(mark)) wrong.push(`crowd: lost: ${mark} was acknowledged, and is not in ${where}`);
        if (end === 'none' && found.has(mark)) wrong.push(`crowd: ${mark} has failed, and is in ${where}`);
      }
      for (const mark of found) {
        if (!marks.has(mark)) wrong.push(`crowd: ${mark} is in ${where}, and was never begun`);
        if (!sides[1 - shard]!.found.has(mark)) wrong.push(`crowd: half a transaction: ${mark} is in ${where} only`);
      }
    }
    // What is settled once must stay so.
    for (const [mark, end] of marks) if (end === null || end === 'unknown') marks.set(mark, sides[0]!.found.has(mark) ? 'done' : 'none');
    return wrong;
  }

  #set(set: number): Map<string, CrowdEnd | null> {
    let marks = this.#sets.get(set);
    if (marks === undefined) this.#sets.set(set, (marks = new Map()));
    return marks;
  }
}

const PAGE = 1_000;

async function readSide(claret: Claret, set: number, shard: number): Promise<{ found: Set<string>; count: number }> {
  const side = sideOf(set, shard);
  const found = new Set<string>();
  let count = 0n;
  for (let after: string | null = null; ;) {
    const [page, counted]: [string[], bigint | number] = await readAtRest(claret, 'Tally', [
      claret.on.set(side.marks).members(PAGE, after),
      claret.on.counter(side.count).value(),
    ]);
    count = BigInt(counted);
    for (const mark of page) found.add(mark);
    if (page.length < PAGE) return { found, count: Number(count) };
    after = page.at(-1)!;
  }
}
