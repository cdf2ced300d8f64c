// How a person stands in an auction: a pure function of the auction and of who they are.
import { LIMITS, type BidView, type StandingName, type UserRef } from './api.ts';
import { minNextBid } from './model.ts';

// What a standing follows from. `bids`: the highest first.
export type AuctionState = {
  seller: UserRef;
  status: 'open' | 'closed';
  start_price_cents: number;
  winner: UserRef | null;
  final_price_cents: number | null;
  bids: readonly BidView[];
};

// `bidder`: whether their own list says that they bid here. It counts only where bids low enough are no longer among
// `bids`; else a bid that is not there has not been seen yet (the list stands on another shard), and their standing is
// not known: null, as for a stranger.
export function standingOf(auction: AuctionState, user_id: string, bidder: boolean): StandingName | null {
  const { status, winner, bids } = auction;
  if (auction.seller.id === user_id) {
    if (status === 'open') return 'selling';
    return winner === null ? 'unsold' : 'sold';
  }
  if (myBid(bids, user_id) === null && !(bidder && bids.length >= LIMITS.bid_history_max)) return null;
  if (status === 'closed') return winner?.id === user_id ? 'won' : 'lost';
  return bids[0]?.bidder.id === user_id ? 'leading' : 'outbid';
}

// The highest of their bids; null when it is not among `bids`.
export function myBid(bids: readonly BidView[], user_id: string): number | null {
  return bids.find((bid) => bid.bidder.id === user_id)?.amount_cents ?? null;
}

export function priceOf(auction: AuctionState): number {
  if (auction.status === 'closed') return auction.final_price_cents ?? auction.start_price_cents;
  return auction.bids[0]?.amount_cents ?? auction.start_price_cents;
}

export function minNextBidOf(auction: AuctionState): number {
  return minNextBid(auction.start_price_cents, auction.bids[0]?.amount_cents ?? null);
}

// Who led at a time, going by the bids still known; null: nobody had bid.
export function leaderAt(bids: readonly BidView[], time_ms: number): UserRef | null {
  return bids.find((bid) => bid.placed_at_ms <= time_ms)?.bidder ?? null;
}
