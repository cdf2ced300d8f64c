// The reads that the pages of many visitors have in common: from the store each time, or from memory where that is promised
// (../kept-reads.ts).
//
// Each is of one moment between call and return. Results are shared, and must not be changed.
import type { Claret, Integer } from '@claret/client';

import type { ItemCard } from '../api.ts';
import { readCard } from './cards.ts';
import { openCount, readEntries, type Entry, type ListStart } from './open-lists.ts';
import { readReputation, readUser, type Reputation, type UserRecords } from './user-records.ts';
import { readAuction, type Auction } from './view-auction.ts';
import { readStock } from './view-stock.ts';

export type Reads = {
  // null: there is no such item
  auction: (item_id: string) => Promise<Auction | null>;
  stock: (item_id: string, counts: boolean) => Promise<readonly Integer[]>;
  card: (label: string, item_id: string) => Promise<ItemCard | null>;
  entries: (label: string, list: string, start: ListStart) => Promise<readonly Entry[]>;
  openCount: (list: string) => Promise<number>;
  // null: there is no such person
  user: (user_id: string, start: ListStart) => Promise<UserRecords | null>;
  // with the comments made since then; null: without comments
  reputation: (user_id: string, since_ms: number | null) => Promise<Reputation>;
};

export const storeReads = (claret: Claret): Reads => ({
  auction: (item_id) => readAuction(claret, item_id),
  stock: (item_id, counts) => readStock(claret, item_id, counts),
  card: (label, item_id) => readCard(claret, label, item_id),
  entries: (label, list, start) => readEntries(claret, label, list, start),
  openCount: (list) => openCount(claret, list),
  user: (user_id, start) => readUser(claret, user_id, start),
  reputation: (user_id, since_ms) => readReputation(claret, user_id, since_ms),
});

// In the given order, without items that do not exist.
export async function readListed({ card }: Reads, label: string, item_ids: readonly string[]): Promise<ItemCard[]> {
  const cards = await Promise.all(item_ids.map((item_id) => card(label, item_id)));
  return cards.filter((one) => one !== null);
}
