// Browse: a page of open auctions, ending soonest first; all of them, of a category, of a region, or of both.
//
// First one page of the index, then each card separately (cards.ts). The page is read by score, so it commutes with auctions opened or
// closed elsewhere in the same index. First pages are read from a time that is the same for a while, so that one answer, or a warranty, serves
// many visitors; what has ended meanwhile is dropped here.
import type { Claret } from '@claret/client';

import { LIMITS, type ItemCard } from '../api.ts';
import { key } from '../model.ts';
import { readListed } from './cards.ts';

export type ListPosition = { closes_at_ms: number; item_id: string };
export type BrowseInput = {
  category_id: string | null;
  region_id: string | null;
  now_ms: number;
  // the last item of the page before
  after: ListPosition | null;
};
export type Page = { items: ItemCard[]; next: ListPosition | null };

export const SCORE_MAX = Number.MAX_SAFE_INTEGER;
const SAME_TIME_MS = 10_000;
// A few more than are shown, since some may have ended.
const ASKED = LIMITS.page_size + 10;

export function browseIndex(input: { category_id: string | null; region_id: string | null }): string {
  const { category_id, region_id } = input;
  if (category_id !== null) {
    return region_id === null ? key.open_category(category_id) : key.open_category_region(category_id, region_id);
  }
  return region_id === null ? key.open_all : key.open_region(region_id);
}

export async function browse(claret: Claret, input: BrowseInput): Promise<Page> {
  const found = await readIndex(claret, browseIndex(input), input);
  const shown = found.slice(0, LIMITS.page_size);
  const items = await readListed(
    claret,
    'Browse',
    shown.map(([item_id]) => item_id),
  );
  return { items, next: found.length > shown.length ? positionOf(shown.at(-1)) : null };
}

// The next auctions of the index; if there are more than a page has, at least one more.
async function readIndex(claret: Claret, record: string, { after, now_ms }: BrowseInput): Promise<[string, number | bigint][]> {
  const index = claret.on.scoredSet(record);
  const least_ms = after === null ? now_ms : after.closes_at_ms;
  const open: [string, number | bigint][] = [];
  let from = after ?? { closes_at_ms: now_ms - (now_ms % SAME_TIME_MS), item_id: null };
  for (;;) {
    const [found] = await claret.transact('Browse', [index.rangeByScore(from.closes_at_ms, SCORE_MAX, ASKED, from.item_id)]);
    open.push(...found.filter(([, closes_at_ms]) => closes_at_ms >= least_ms));
    const last = positionOf(found.at(-1));
    if (open.length > LIMITS.page_size || found.length < ASKED || last === null) return open;
    from = last;
  }
}

export function positionOf(entry: readonly [string, number | bigint] | undefined): ListPosition | null {
  return entry === undefined ? null : { item_id: entry[0], closes_at_ms: Number(entry[1]) };
}

// The number of auctions in an index. A transaction of its own, since an exact count waits for every opening and closing.
export async function openCount(claret: Claret, index: string): Promise<number> {
  const [size] = await claret.transact('OpenCount', [claret.on.scoredSet(index).size()]);
  return Number(size);
}
