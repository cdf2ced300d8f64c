// Lists of auctions by their end: pages of them, and their length.
//
// First pages are read from a time that is the same for a while, so that one answer, or a warranty, serves many visitors; what has ended
// meanwhile is dropped here. A list is read by score, so that commutes with auctions that are opened or closed elsewhere in the same list.
import type { Claret } from '@claret/client';

import { LIMITS } from '../api.ts';

export type ListPosition = { closes_at_ms: number; item_id: string };
export type Entry = readonly [item_id: string, closes_at_ms: number | bigint];
// `after`: the last item before it; null: none
export type ListStart = { closes_at_ms: number; after: string | null };

export const SCORE_MAX = Number.MAX_SAFE_INTEGER;
const SAME_TIME_MS = 10_000;
// A few more than are shown, since some may have ended.
export const ENTRIES_MAX = LIMITS.page_size + 10;

export const firstStart = (now_ms: number): ListStart => ({ closes_at_ms: now_ms - (now_ms % SAME_TIME_MS), after: null });

// At most ENTRIES_MAX. `label` names the transaction.
export async function readEntries(
  claret: Claret,
  label: string,
  list: string,
  { closes_at_ms, after }: ListStart,
): Promise<readonly Entry[]> {
  const [found] = await claret.transact(label, [claret.on.scoredSet(list).rangeByScore(closes_at_ms, SCORE_MAX, ENTRIES_MAX, after)]);
  return found;
}

// The next auctions of a list that have not ended; if there are more than a page has, at least one more. `read`: as readEntries.
export async function openEntries(
  read: (start: ListStart) => Promise<readonly Entry[]>,
  { after, now_ms }: { after: ListPosition | null; now_ms: number },
): Promise<Entry[]> {
  const least_ms = after === null ? now_ms : after.closes_at_ms;
  const open: Entry[] = [];
  let start = after === null ? firstStart(now_ms) : startAfter(after);
  for (;;) {
    const found = await read(start);
    open.push(...found.filter(([, closes_at_ms]) => closes_at_ms >= least_ms));
    const last = positionOf(found.at(-1));
    if (open.length > LIMITS.page_size || found.length < ENTRIES_MAX || last === null) return open;
    start = startAfter(last);
  }
}

const startAfter = ({ closes_at_ms, item_id }: ListPosition): ListStart => ({ closes_at_ms, after: item_id });

export function positionOf(entry: Entry | undefined): ListPosition | null {
  return entry === undefined ? null : { item_id: entry[0], closes_at_ms: Number(entry[1]) };
}

// The number of auctions in a list. A transaction of its own, since an exact count waits for every opening and closing.
export async function openCount(claret: Claret, list: string): Promise<number> {
  const [size] = await claret.transact('OpenCount', [claret.on.scoredSet(list).size()]);
  return Number(size);
}
