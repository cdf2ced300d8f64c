// The auctions that a person takes part in, as far as their lists go back: what one's own page and the inbox are made of.
//
// First the lists, one message to the person's shard; then each auction on its own, since they stand on other shards and need
// no common moment.
import type { Claret } from '@claret/client';

import { LIMITS } from '../api.ts';
import { key } from '../model.ts';
import { SCORE_MAX } from './browse.ts';
import { parsePurchase, PURCHASE_FIELDS, type PurchaseFacts } from './buy-now.ts';
import { viewSale, type SaleRecords } from './sale.ts';
import { viewAuction, type Auction } from './view-auction.ts';

export type MyAuction = { auction: Auction; sale: SaleRecords };
export type MyPurchase = PurchaseFacts & { purchase_id: string };

export type Mine = {
  auctions: ReadonlyMap<string, MyAuction>;
  // newest first
  purchases: MyPurchase[];
  watching: ReadonlySet<string>;
  seen_until_ms: number;
};

// Of each list the LIMITS.my_items_max that end soonest, and those that ended or end last.
export async function myAuctions(
  claret: Claret,
  input: { user_id: string; now_ms: number; label: string; watching: boolean },
): Promise<Mine> {
  const { user_id, now_ms, label } = input;
  const list = (name: string) => claret.on.scoredSet(name);
  const most = LIMITS.my_items_max;
  const [biddingOpen, bidding, sellingOpen, selling, won, bought, watched, seen] = await claret.transact(label, [
    list(key.bidding(user_id)).rangeByScore(now_ms, SCORE_MAX, most, null),
    list(key.bidding(user_id)).range(-most, -1),
    list(key.selling(user_id)).rangeByScore(now_ms, SCORE_MAX, most, null),
    list(key.selling(user_id)).range(-most, -1),
    list(key.won(user_id)).range(-most, -1),
    list(key.bought(user_id)).range(-most, -1),
    list(key.watching(user_id)).range(-LIMITS.watching_max, -1),
    claret.on.topK(key.inbox_seen(user_id)).max(),
  ]);
  const purchases = await readPurchases(claret, label, bought.map(([id]) => id).toReversed());
  const watching = new Set(input.watching ? watched.map(([item_id]) => item_id) : []);
  const taking_part = [...biddingOpen, ...bidding, ...sellingOpen, ...selling, ...won].map(([item_id]) => item_id);
  const item_ids = new Set([...taking_part, ...purchases.map((one) => one.item_id), ...watching]);
  const read = await Promise.all([...item_ids].map((item_id) => readAuction(claret, item_id)));
  const auctions = new Map(read.filter((one) => one !== null).map((one) => [one.auction.item_id, one]));
  return { auctions, purchases, watching, seen_until_ms: seen?.[1] ?? 0 };
}

async function readAuction(claret: Claret, item_id: string): Promise<MyAuction | null> {
  const viewed = await viewAuction(claret, { item_id });
  if (viewed.refused !== null) return null;
  const { auction } = viewed;
  return { auction, sale: await viewSale(claret, { item_id, info: auction.info }) };
}

async function readPurchases(claret: Claret, label: string, ids: readonly string[]): Promise<MyPurchase[]> {
  if (ids.length === 0) return [];
  const reads = ids.map((id) => claret.on.dict(key.purchase(id)).get(...PURCHASE_FIELDS));
  const values = await claret.transact(label, reads);
  return ids.flatMap((purchase_id, i) => {
    const purchase = parsePurchase(values[i] ?? []);
    return purchase === null ? [] : [{ purchase_id, ...purchase }];
  });
}
