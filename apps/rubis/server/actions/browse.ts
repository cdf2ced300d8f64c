// Browse: a page of open auctions, ending soonest first; all of them, of a category, of a region, or of both.
//
// First one page of the list (open-lists.ts), then each card separately (cards.ts).
import type { Claret } from '@claret/client';

import { LIMITS, type ItemCard } from '../api.ts';
import { key } from '../model.ts';
import { openEntries, positionOf, type ListPosition } from './open-lists.ts';
import { readListed, storeReads, type Reads } from './reads.ts';

export { openCount, positionOf, SCORE_MAX, type ListPosition } from './open-lists.ts';

export type BrowseInput = {
  category_id: string | null;
  region_id: string | null;
  now_ms: number;
  // the last item of the page before
  after: ListPosition | null;
};
export type Page = { items: ItemCard[]; next: ListPosition | null };

export function browseIndex(input: { category_id: string | null; region_id: string | null }): string {
  const { category_id, region_id } = input;
  if (category_id !== null) {
    return region_id === null ? key.open_category(category_id) : key.open_category_region(category_id, region_id);
  }
  return region_id === null ? key.open_all : key.open_region(region_id);
}

export async function browse(claret: Claret, input: BrowseInput, reads: Reads = storeReads(claret)): Promise<Page> {
  const found = await openEntries((start) => reads.entries('Browse', browseIndex(input), start), input);
  const shown = found.slice(0, LIMITS.page_size);
  const items = await readListed(
    reads,
    'Browse',
    shown.map(([item_id]) => item_id),
  );
  return { items, next: found.length > shown.length ? positionOf(shown.at(-1)) : null };
}
