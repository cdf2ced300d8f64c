// Browse: a page of open auctions, ending soonest first; all of them, of a category, of a region, or of both.
//
// First one page of the index, then each card separately (cards.ts). The page is read by score, so it commutes with auctions opened or
// closed elsewhere in the same index.
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

export function browseIndex(input: { category_id: string | null; region_id: string | null }): string {
  const { category_id, region_id } = input;
  if (category_id !== null) {
    return region_id === null ? key.open_category(category_id) : key.open_category_region(category_id, region_id);
  }
  return region_id === null ? key.open_all : key.open_region(region_id);
}

export async function browse(claret: Claret, input: BrowseInput): Promise<Page> {
  const { after, now_ms } = input;
  const index = claret.on.scoredSet(browseIndex(input));
  const from = after === null ? now_ms : after.closes_at_ms;
  const [found] = await claret.transact('Browse', [
    index.rangeByScore(from, SCORE_MAX, LIMITS.page_size + 1, after === null ? null : after.item_id),
  ]);
  const shown = found.slice(0, LIMITS.page_size);
  const items = await readListed(
    claret,
    'Browse',
    shown.map(([item_id]) => item_id),
  );
  return { items, next: found.length > shown.length ? positionOf(shown.at(-1)) : null };
}

export function positionOf(entry: readonly [string, number | bigint] | undefined): ListPosition | null {
  return entry === undefined ? null : { item_id: entry[0], closes_at_ms: Number(entry[1]) };
}

// The number of auctions in an index. A transaction of its own, since an exact count waits for every opening and closing.
export async function openCount(claret: Claret, index: string): Promise<number> {
  const [size] = await claret.transact('OpenCount', [claret.on.scoredSet(index).size()]);
  return Number(size);
}
