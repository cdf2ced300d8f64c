// Derived facts of an auction: its price, the public form of its bids, a person's standing in it. Pure functions.
import type { BidView, InboxKind, ItemCard, StandingName, UserRef } from './api.ts';
import { LIMITS } from './api.ts';
import type { ItemInfo } from './actions/item-info.ts';
import { minNextBid } from './model.ts';
import { isBuyNowOpen, priceOf, reserveOf, shownAmount, type Bid } from './price.ts';

// `bids`: ordered by rank, as many as determine the price (price.ts).
export type AuctionState = { info: ItemInfo; bids: readonly Bid[] };

// Once closed, what the winner pays; if no bid won, the price at the end.
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

// The public form of the bids: the parts of maxima that were not needed stay secret.
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

// The facts about one auction in a person's own records.
export type Ties = {
  // The auction is on their list of bids. This counts only if low bids have been dropped from the auction's `bids`; otherwise a missing bid
  // has not been seen yet (the list is on another shard), and their standing is unknown: null, as for a stranger.
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

// their highest bid; null if it is not among `bids`
export function myBid(bids: readonly Bid[], user_id: string): Bid | null {
  return bids.find((bid) => bid.bidder.id === user_id) ?? null;
}

// A person's view of their own highest bid, including its secret maximum. `best_cents`: the maximum in their own record, if it was read: it
// survives when the auction drops the bid.
export function ownBid(
  auction: AuctionState,
  user_id: string,
  best_cents: number | null = null,
): { my_bid_cents: number | null; my_max_cents: number | null } {
  const max_cents = myBid(auction.bids, user_id)?.max_cents ?? best_cents;
  if (max_cents === null) return { my_bid_cents: null, my_max_cents: null };
  return { my_bid_cents: shownAmount({ max_cents }, currentPrice(auction)), my_max_cents: max_cents };
}

// True if they do not lead though no other maximum is higher: an earlier bid has the same maximum.
export function isTied({ bids }: AuctionState, user_id: string): boolean {
  const [leader] = bids;
  return leader !== undefined && leader.bidder.id !== user_id && leader.max_cents === myBid(bids, user_id)?.max_cents;
}

// The time since which the person is behind, according to the known bids: the first bid that ranks above theirs, or their own bid if that
// came later. Null: they lead, or there are no bids.
export function outbidAt(bids: readonly Bid[], user_id: string): number | null {
  const own = bids.findIndex((bid) => bid.bidder.id === user_id);
  const above = own < 0 ? bids : bids.slice(0, own);
  if (above.length === 0) return null;
  const first_ms = Math.min(...above.map((bid) => bid.placed_at_ms));
  return Math.max(first_ms, bids[own]?.placed_at_ms ?? first_ms);
}

// Unique: each bid is outbid once, and each auction ends once.
export function noticeId({ item_id, bids }: AuctionState & { item_id: string }, user_id: string, kind: InboxKind): string {
  return `${kind}.${item_id}.${kind === 'outbid' ? (myBid(bids, user_id)?.id ?? '') : user_id}`;
}

// The seller's notice of a purchase.
export const saleNoticeId = (item_id: string, purchase_id: string): string => `sold.${item_id}.${purchase_id}`;

// The leader at a time, according to the known bids; null: there were no bids.
export function leaderAt(bids: readonly Bid[], time_ms: number): UserRef | null {
  return bids.find((bid) => bid.placed_at_ms <= time_ms)?.bidder ?? null;
}
