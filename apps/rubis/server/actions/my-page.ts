// The auctions on a person's own page: bidding, won, bought, lost, selling, sold, watching.
import type { Claret } from '@claret/client';

import { LIMITS, type MyEntry, type MyPage, type Purchase, type StandingName } from '../api.ts';
import { key } from '../model.ts';
import { cardOf, minNextBidOf, myBid, ownBid, standingOf } from '../standing.ts';
import { readAuctions, readLists, readPurchases, type MyAuction, type MyAuctions, type MyPurchase } from './my-auctions.ts';
import { boughtQuantity, mayCommentOn, salesOf } from './sale.ts';

export type MyItems = Omit<MyPage, 'user' | 'rating' | 'comments' | 'server_time_ms'>;

const DAY_MS = 24 * 60 * 60 * 1_000;

const soonestFirst = (a: MyEntry, b: MyEntry): number => a.item.closes_at_ms - b.item.closes_at_ms;
const newestFirst = (a: MyEntry, b: MyEntry): number => b.item.closes_at_ms - a.item.closes_at_ms;

export async function myItems(claret: Claret, input: { user_id: string; now_ms: number }): Promise<MyItems> {
  const { user_id, now_ms } = input;
  const mine = await readMine(claret, input);
  const since_ms = now_ms - LIMITS.my_items_days * DAY_MS;
  const entries = [...mine.auctions.values()].map((one) => entryOf(one, user_id, mine.best_bids.get(one.auction.item_id) ?? null));
  const standing = (...names: StandingName[]): MyEntry[] =>
    entries.filter((entry) => entry.standing !== null && names.includes(entry.standing));
  const recent = (...names: StandingName[]): MyEntry[] =>
    standing(...names).filter(({ item }) => (mine.auctions.get(item.id)?.auction.info.closed_at_ms ?? 0) >= since_ms);
  const most = LIMITS.my_items_max;
  return {
    bidding: standing('leading', 'outbid').sort(soonestFirst).slice(0, most),
    won: recent('won').sort(newestFirst).slice(0, most),
    bought: purchasesOf(mine, user_id).filter((one) => one.bought_at_ms >= since_ms),
    lost: standing('lost').sort(newestFirst).slice(0, most),
    selling: standing('selling').sort(soonestFirst).slice(0, most),
    sold: recent('sold', 'unsold').sort(newestFirst).slice(0, most),
    watching: watchingOf(entries.filter(({ item }) => mine.watching.has(item.id))),
  };
}

type Mine = {
  auctions: MyAuctions;
  purchases: MyPurchase[];
  watching: ReadonlySet<string>;
  // their maxima by item, for auctions that no longer keep their bids
  best_bids: ReadonlyMap<string, number>;
};

async function readMine(claret: Claret, input: { user_id: string; now_ms: number }): Promise<Mine> {
  const label = 'MyPage';
  const { bidding, selling, won, bought, watching } = await readLists(claret, { ...input, label, most: LIMITS.my_items_max });
  const purchases = await readPurchases(
    claret,
    label,
    input.user_id,
    bought.map(([id]) => id),
  );
  const auctions = await readAuctions(claret, label, [
    ...[bidding, selling].flatMap(({ coming, ended }) => [...coming, ...ended.map(([item_id]) => item_id)]),
    ...won,
    ...purchases.map(({ item_id }) => item_id),
    ...watching,
  ]);
  const bid_on = [...bidding.coming, ...bidding.ended.map(([item_id]) => item_id), ...won];
  const forgotten = bid_on.filter((item_id) => {
    const one = auctions.get(item_id);
    return one !== undefined && myBid(one.auction.bids, input.user_id) === null;
  });
  const best_bids = await readBestBids(claret, label, input.user_id, forgotten);
  return { auctions, purchases, watching: new Set(watching), best_bids };
}

async function readBestBids(claret: Claret, label: string, user_id: string, item_ids: readonly string[]): Promise<Map<string, number>> {
  if (item_ids.length === 0) return new Map();
  const found = await claret.transact(
    label,
    item_ids.map((item_id) => claret.on.topK(key.best_bid(user_id, item_id)).max()),
  );
  return new Map(
    item_ids.flatMap((item_id, i) => {
      const best = found[i];
      return best === null || best === undefined ? [] : [[item_id, best[1]] as const];
    }),
  );
}

function entryOf({ auction, sale }: MyAuction, user_id: string, best_cents: number | null): MyEntry {
  const { info } = auction;
  return {
    item: cardOf(auction),
    standing: standingOf(auction, user_id, { bidder: true, bought_quantity: boughtQuantity(sale, user_id) }),
    ...ownBid(auction, user_id, best_cents),
    min_next_bid_cents: minNextBidOf(auction),
    winner: info.winner,
    sales: info.seller.id === user_id ? salesOf(info, sale) : [],
    may_comment_on: mayCommentOn(info, sale, user_id),
  };
}

function purchasesOf({ auctions, purchases }: Mine, user_id: string): Purchase[] {
  return purchases.flatMap(({ purchase_id, item_id, quantity, price_cents, bought_at_ms }) => {
    const bought = auctions.get(item_id);
    if (bought === undefined) return [];
    const { auction, sale } = bought;
    const may_comment_on = mayCommentOn(auction.info, sale, user_id);
    const total_cents = quantity * price_cents;
    return [{ purchase_id, item: cardOf(auction), quantity, price_cents, total_cents, bought_at_ms, may_comment_on }];
  });
}

function watchingOf(entries: readonly MyEntry[]): MyEntry[] {
  const open = entries.filter(({ item }) => item.status === 'open').sort(soonestFirst);
  return [...open, ...entries.filter(({ item }) => item.status === 'closed').sort(newestFirst)];
}

// A person's own records about one auction: whether they have ever bid there, their highest maximum, and whether they watch it.
export type OwnTies = { bidder: boolean; best_cents: number | null; watching: boolean };

export async function ties(claret: Claret, input: { item_id: string; user_id: string }): Promise<OwnTies> {
  const { item_id, user_id } = input;
  const [bidding, best, watching] = await claret.transact('Ties', [
    claret.on.scoredSet(key.bidding(user_id)).score(item_id),
    claret.on.topK(key.best_bid(user_id, item_id)).max(),
    claret.on.scoredSet(key.watching(user_id)).score(item_id),
  ]);
  return { bidder: bidding !== null, best_cents: best?.[1] ?? null, watching: watching !== null };
}
