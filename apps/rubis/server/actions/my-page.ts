// What a person takes part in: bidding, won, lost, selling, sold.
import type { Claret } from '@claret/client';

import { LIMITS, type ItemCard, type MyEntry, type MyPage, type Sale, type StandingName, type UserRef } from '../api.ts';
import { key } from '../model.ts';
import { minNextBidOf, myBid, priceOf, standingOf, type AuctionState } from '../standing.ts';
import { SCORE_MAX } from './browse.ts';
import { auctionState, type ItemInfo } from './item-info.ts';
import { otherParty } from './new-comment.ts';
import { viewAuction, type Auction } from './view-auction.ts';

export type MyItems = Omit<MyPage, 'user' | 'rating' | 'comments' | 'server_time_ms'>;

const soonestFirst = (a: MyEntry, b: MyEntry): number => a.item.closes_at_ms - b.item.closes_at_ms;
const newestFirst = (a: MyEntry, b: MyEntry): number => b.item.closes_at_ms - a.item.closes_at_ms;

export async function myItems(claret: Claret, input: { user_id: string; now_ms: number }): Promise<MyItems> {
  const { user_id, now_ms } = input;
  const bidding = claret.on.scoredSet(key.bidding(user_id));
  const selling = claret.on.scoredSet(key.selling(user_id));
  const newest = LIMITS.my_items_max;
  const lists = await claret.transact('MyPage', [
    bidding.rangeByScore(now_ms, SCORE_MAX, newest, null),
    bidding.range(-newest, -1),
    selling.rangeByScore(now_ms, SCORE_MAX, newest, null),
    selling.range(-newest, -1),
    claret.on.scoredSet(key.won(user_id)).range(-newest, -1),
  ]);
  const item_ids = [...new Set(lists.flat().map(([item_id]) => item_id))];
  const entries = (await Promise.all(item_ids.map((item_id) => readEntry(claret, item_id, user_id)))).filter((one) => one !== null);
  const standing = (...names: StandingName[]): MyEntry[] =>
    entries.filter((entry) => entry.standing !== null && names.includes(entry.standing));
  return {
    bidding: standing('leading', 'outbid').sort(soonestFirst).slice(0, newest),
    bought: [],
    watching: [],
    won: standing('won').sort(newestFirst).slice(0, newest),
    lost: standing('lost').sort(newestFirst).slice(0, newest),
    selling: standing('selling').sort(soonestFirst).slice(0, newest),
    sold: standing('sold', 'unsold').sort(newestFirst).slice(0, newest),
  };
}

async function readEntry(claret: Claret, item_id: string, user_id: string): Promise<MyEntry | null> {
  const [viewed, commentable] = await Promise.all([
    viewAuction(claret, { item_id }),
    mayCommentOn(claret, { item_id, user_id }),
  ]);
  if (viewed.refused !== null) return null;
  const { auction } = viewed;
  const state = stateOf(auction);
  const standing = standingOf(state, user_id, true);
  if (standing === null) return null;
  return {
    item: cardOf(auction),
    standing,
    my_bid_cents: myBid(auction.bids, user_id),
    my_max_cents: myBid(auction.bids, user_id),
    min_next_bid_cents: minNextBidOf(state),
    winner: auction.info.winner,
    sales: auction.info.seller.id === user_id ? salesOf(auction.info) : [],
    may_comment_on: commentable === null ? [] : [commentable],
  };
}

function salesOf({ winner, final_price_cents, closed_at_ms }: ItemInfo): Sale[] {
  if (winner === null || final_price_cents === null || closed_at_ms === null) return [];
  return [{ buyer: winner, quantity: 1, total_cents: final_price_cents, at_ms: closed_at_ms }];
}

// Whom the person may still comment on, about this sale.
export async function mayCommentOn(claret: Claret, input: { item_id: string; user_id: string }): Promise<UserRef | null> {
  const { item_id, user_id } = input;
  const [[seller, sellerNickname, winner, winnerNickname], commented] = await claret.transact('MayComment', [
    claret.on.dict(key.item_info(item_id)).get('seller', 'seller_nickname', 'winner', 'winner_nickname'),
    claret.on.set(key.item_commented(item_id)).contains(user_id),
  ]);
  if (commented || typeof winner !== 'string') return null;
  return otherParty(
    {
      seller: { id: String(seller), nickname: String(sellerNickname) },
      winner: { id: winner, nickname: String(winnerNickname) },
    },
    user_id,
  );
}

export const stateOf = (auction: Auction): AuctionState => auctionState(auction.info, auction.bids);

export function cardOf(auction: Auction): ItemCard {
  const { info } = auction;
  return {
    id: auction.item_id,
    title: info.title,
    category_id: info.category_id,
    region_id: info.region_id,
    seller: info.seller,
    status: info.status,
    start_price_cents: info.start_price_cents,
    price_cents: priceOf(stateOf(auction)),
    bid_count: auction.bid_count,
    opened_at_ms: info.opened_at_ms,
    closes_at_ms: info.closes_at_ms,
    reserve: 'none',
    buy_now_price_cents: null,
  };
}

// Whether the person has ever bid there.
export async function hasBid(claret: Claret, input: { item_id: string; user_id: string }): Promise<boolean> {
  const [score] = await claret.transact('HasBid', [claret.on.scoredSet(key.bidding(input.user_id)).score(input.item_id)]);
  return score !== null;
}
