// What follows from an auction as it was read: its price, what pages show of its bids, how a person stands in it. Pure functions.
import { createHash } from 'node:crypto';

import type { BidView, InboxKind, ItemCard, StandingName, UserRef } from './api.ts';
import { LIMITS } from './api.ts';
import type { ItemInfo } from './actions/item-info.ts';
import { minNextBid } from './model.ts';
import { isBuyNowOpen, priceOf, reserveOf, shownAmount, type Bid } from './price.ts';

// `bids`: the highest first, as many as tell the price (price.ts).
export type AuctionState = { info: ItemInfo; bids: readonly Bid[] };

// Once closed, what the winner pays; where no bid won, what the last bids came to.
export function currentPrice({ info, bids }: AuctionState): number {
  return info.final_price_cents ?? priceOf(info, bids);
}

export function buyNowOpen(auction: AuctionState): boolean {
  return auction.info.status === 'open' && isBuyNowOpen(auction.info.buy_now_price_cents, priceOf(auction.info, auction.bids));
}

export function minNextBidOf(auction: AuctionState): number {
  const { info, bids } = auction;
  return minNextBid(info.start_price_cents, bids.length === 0 ? null : currentPrice(auction));
}

// As everybody may see them: maxima that were not needed stay secret.
export function publicBids(auction: AuctionState, count_max: number): BidView[] {
  const price_cents = currentPrice(auction);
  return auction.bids.slice(0, count_max).map((bid) => ({
    id: bid.id,
    amount_cents: shownAmount(bid, price_cents),
    bidder: bid.bidder,
    placed_at_ms: bid.placed_at_ms,
  }));
}

export function cardOf(auction: AuctionState & { item_id: string; bid_count: number }): ItemCard {
  const { info } = auction;
  return {
    id: auction.item_id,
    title: info.title,
    category_id: info.category_id,
    region_id: info.region_id,
    seller: info.seller,
    status: info.status,
    start_price_cents: info.start_price_cents,
    price_cents: currentPrice(auction),
    bid_count: auction.bid_count,
    opened_at_ms: info.opened_at_ms,
    closes_at_ms: info.closes_at_ms,
    reserve: reserveOf(info, auction.bids),
    buy_now_price_cents: buyNowOpen(auction) ? info.buy_now_price_cents : null,
  };
}

// What a person's own records say of them and one auction.
export type Ties = {
  // Their own list says that they bid here. It counts only where bids low enough are no longer among the auction's `bids`; else a bid
  // that is not there has not been seen yet (the list stands on another shard), and their standing is not known: null, as for a
  // stranger.
  bidder: boolean;
  // pieces that they bought at once
  bought_quantity: number;
};

export function standingOf(auction: AuctionState, user_id: string, { bidder, bought_quantity }: Ties): StandingName | null {
  const { info, bids } = auction;
  const { status, winner } = info;
  if (info.seller.id === user_id) {
    if (status === 'open') return 'selling';
    return info.left === info.quantity ? 'unsold' : 'sold';
  }
  if (status === 'closed' && winner?.id !== user_id && bought_quantity > 0) return 'bought';
  if (myBid(bids, user_id) === null && !(bidder && bids.length >= LIMITS.bid_history_max)) return null;
  if (status === 'closed') return winner?.id === user_id ? 'won' : 'lost';
  return bids[0]?.bidder.id === user_id ? 'leading' : 'outbid';
}

// The highest of their bids; null when it is not among `bids`.
export function myBid(bids: readonly Bid[], user_id: string): Bid | null {
  return bids.find((bid) => bid.bidder.id === user_id) ?? null;
}

// What a person is told of their own highest bid, and nobody else: the maximum is in it. `best_cents`: the maximum that their own
// record keeps, where it was read: it also knows bids that the auction has forgotten.
export function ownBid(
  auction: AuctionState,
  user_id: string,
  best_cents: number | null = null,
): { my_bid_cents: number | null; my_max_cents: number | null } {
  const max_cents = myBid(auction.bids, user_id)?.max_cents ?? best_cents;
  if (max_cents === null) return { my_bid_cents: null, my_max_cents: null };
  return { my_bid_cents: shownAmount({ max_cents }, currentPrice(auction)), my_max_cents: max_cents };
}

// Whether they do not lead though nobody bids more: somebody bid the same before them.
export function isTied({ bids }: AuctionState, user_id: string): boolean {
  const [leader] = bids;
  return leader !== undefined && leader.bidder.id !== user_id && leader.max_cents === myBid(bids, user_id)?.max_cents;
}

// Since when the person is behind, going by the bids known: since the first bid that ranks above theirs, or since their own
// where that came later. Null: they lead, or nobody bids.
export function outbidAt(bids: readonly Bid[], user_id: string): number | null {
  const own = bids.findIndex((bid) => bid.bidder.id === user_id);
  const above = own < 0 ? bids : bids.slice(0, own);
  if (above.length === 0) return null;
  const first_ms = Math.min(...above.map((bid) => bid.placed_at_ms));
  return Math.max(first_ms, bids[own]?.placed_at_ms ?? first_ms);
}

// Each bid of one's own is outbid once, and each auction ends once.
export function noticeId({ item_id, bids }: AuctionState & { item_id: string }, user_id: string, kind: InboxKind): string {
  return `${kind}.${item_id}.${kind === 'outbid' ? (myBid(bids, user_id)?.id ?? '') : user_id}`;
}

// To the seller: a purchase. Its id is the buyer's, by which the purchase can be asked for again: others get a digest of it.
export function saleNoticeId(item_id: string, purchase_id: string): string {
  return `sold.${item_id}.${createHash('sha256').update(purchase_id).digest('base64url').slice(0, 22)}`;
}

// Who led at a time, going by the bids still known; null: nobody had bid.
export function leaderAt(bids: readonly Bid[], time_ms: number): UserRef | null {
  return bids.find((bid) => bid.placed_at_ms <= time_ms)?.bidder ?? null;
}
