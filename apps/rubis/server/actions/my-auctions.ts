// The auctions that a person takes part in, as far back as their lists go: the data of their own page and the inbox.
//
// First the lists, in one message to the person's shard; then each auction in a message of its own, since they are on other shards and need
// no common snapshot.
import type { Claret } from '@claret/client';

import { LIMITS } from '../api.ts';
import { BIDS_KEPT_MAX, key } from '../model.ts';
import { determinesPrice } from '../price.ts';
import { SCORE_MAX } from './open-lists.ts';
import { parsePurchase, PURCHASE_FIELDS, type PurchaseFacts } from './buy-now.ts';
import type { Scored } from './highest-bids.ts';
import { saleOf, saleReads, type SaleRecords } from './sale.ts';
import { auctionOf, auctionReads, type Auction } from './view-auction.ts';

export type MyAuction = { auction: Auction; sale: SaleRecords };
export type MyAuctions = ReadonlyMap<string, MyAuction>;
export type MyPurchase = PurchaseFacts & { purchase_id: string };

// items by closing time: open ones, soonest first, and ended ones, newest first
export type ByEnd = { coming: string[]; ended: Scored[] };

export type MyLists = {
  bidding: ByEnd;
  selling: ByEnd;
  // newest first
  won: string[];
  // purchases with their times, newest first
  bought: Scored[];
  watching: string[];
  seen_until_ms: number;
};

export type ListsWanted = {
  user_id: string;
  now_ms: number;
  label: string;
  // the limit on each part of each list
  most: number;
};

// with this many open auctions, ended ones are not looked for
const LOOKED_THROUGH_MAX = 2 * LIMITS.my_items_max;

export async function readLists(claret: Claret, { user_id, now_ms, label, most }: ListsWanted): Promise<MyLists> {
  const list = (name: string) => claret.on.scoredSet(name);
  const coming = (name: string) => list(name).rangeByScore(now_ms, SCORE_MAX, most, null);
  const last = (name: string, count: number) => list(name).range(-count, -1);
  const [biddingComing, bidding, sellingComing, selling, won, bought, watching, seen] = await claret.transact(label, [
    coming(key.bidding(user_id)),
    last(key.bidding(user_id), LOOKED_THROUGH_MAX),
    coming(key.selling(user_id)),
    last(key.selling(user_id), LOOKED_THROUGH_MAX),
    last(key.won(user_id), most),
    last(key.bought(user_id), most),
    last(key.watching(user_id), LIMITS.watching_max),
    claret.on.topK(key.inbox_seen(user_id)).max(),
  ]);
  const byEnd = (ahead: readonly Entry[], all: readonly Entry[]): ByEnd => ({
    coming: ahead.map(([item_id]) => item_id),
    ended: newestFirst(all)
      .filter(([, closes_at_ms]) => closes_at_ms < now_ms)
      .slice(0, most),
  });
  return {
    bidding: byEnd(biddingComing, bidding),
    selling: byEnd(sellingComing, selling),
    won: newestFirst(won).map(([item_id]) => item_id),
    bought: newestFirst(bought),
    watching: watching.map(([item_id]) => item_id),
    seen_until_ms: seen?.[1] ?? 0,
  };
}

type Entry = readonly [item: string, score: number | bigint];
const newestFirst = (entries: readonly Entry[]): Scored[] => entries.map(([item, score]): Scored => [item, Number(score)]).toReversed();

// Auctions that do not exist are left out.
export async function readAuctions(claret: Claret, label: string, item_ids: Iterable<string>): Promise<MyAuctions> {
  const read = await Promise.all([...new Set(item_ids)].map((item_id) => readAuction(claret, label, item_id)));
  return new Map(read.filter((one) => one !== null).map((one) => [one.auction.item_id, one]));
}

// Reads more bids if the first do not determine the price, which happens if all are from one person.
async function readAuction(claret: Claret, label: string, item_id: string): Promise<MyAuction | null> {
  let found: MyAuction | null = null;
  for (const asked of [LIMITS.bid_history_max, BIDS_KEPT_MAX]) {
    const [fields, top, bid_count, bought, commented] = await claret.transact(label, [
      ...auctionReads(claret, item_id, asked),
      ...saleReads(claret, item_id),
    ]);
    const auction = auctionOf(item_id, fields, top, bid_count);
    found = auction && { auction, sale: saleOf(bought, commented) };
    if (auction === null || determinesPrice(auction.bids, asked)) break;
  }
  return found;
}

// In the given order.
export async function readPurchases(claret: Claret, label: string, user_id: string, ids: readonly string[]): Promise<MyPurchase[]> {
  if (ids.length === 0) return [];
  const reads = ids.map((id) => claret.on.dict(key.purchase(user_id, id)).get(...PURCHASE_FIELDS));
  const values = await claret.transact(label, reads);
  return ids.flatMap((purchase_id, i) => {
    const purchase = parsePurchase(values[i] ?? []);
    return purchase === null ? [] : [{ purchase_id, ...purchase }];
  });
}
