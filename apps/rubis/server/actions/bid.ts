// Bid: the transaction that a crowd runs concurrently on one auction.
//
// It reads only fields that Bids never write (whether the auction is open, its end, start price and seller) and then adds: to the TopK, to
// the count, to the bidder's list and their own best bid. So Bids commute with each other and wait only for a transaction that reads the
// bids or closes the auction. Hence the answer is "accepted", not "you lead", which would require reading the highest bid. The caller first
// compares the amount with the price it saw last; a bid that is overtaken in the meantime is accepted and does not lead. A bid may have a
// secret maximum; whether it leads follows from all bids (price.ts), without an agent that bids on a person's behalf.
import type { Claret } from '@claret/client';

import type { UserRef } from '../api.ts';
import { BEST_BID, bidItem, key } from '../model.ts';
import { refuse, type Outcome } from './outcome.ts';

export type BidInput = {
  item_id: string;
  bidder: UserRef;
  amount_cents: number;
  // secret: the highest price the bidder would pay; at least the amount, which is the default
  max_cents?: number;
  placed_at_ms: number;
  // unique among the auction's bids: newBidId()
  bid_id: string;
  // what tells the request from all others, and no other bidder can make; sent again, it is the same bid
  request?: string | null;
};

export type BidRefusal = 'unknown_item' | 'auction_closed' | 'own_item' | 'amount_below_minimum';

export function newBidId(): string {
  return crypto.randomUUID().slice(0, 18).replaceAll('-', '');
}

export function bid(claret: Claret, input: BidInput): Promise<Outcome<{ bid_id: string }, BidRefusal>> {
  const { item_id, bidder, amount_cents, max_cents = amount_cents, placed_at_ms, bid_id, request = null } = input;
  const item = bidItem({
    id: bid_id,
    bidder_id: bidder.id,
    bidder_nickname: bidder.nickname,
    placed_at_ms,
    amount_cents: max_cents === amount_cents ? null : amount_cents,
  });
  return claret.transaction('Bid', async (tx) => {
    const requests = tx.dict(key.item_bid_requests(item_id));
    const [[status, seller, closesAt, startPrice], [before]] = await Promise.all([
      tx.dict(key.item_info(item_id)).get('status', 'seller', 'closes_at_ms', 'start_price_cents'),
      request === null ? [] : requests.get(request),
    ]);
    if (typeof before === 'string') return { refused: null, bid_id: before };
    if (status === null || status === undefined) return refuse('unknown_item');
    const closes_at_ms = Number(closesAt);
    if (status !== 'open' || placed_at_ms >= closes_at_ms) return refuse('auction_closed');
    if (seller === bidder.id) return refuse('own_item');
    if (amount_cents < Number(startPrice)) return refuse('amount_below_minimum');
    if (request !== null) requests.set({ [request]: bid_id });
    tx.topK(key.item_bids(item_id)).add(item, max_cents);
    tx.counter(key.item_bid_count(item_id)).add(1);
    tx.scoredSet(key.bidding(bidder.id)).add(item_id, closes_at_ms);
    tx.topK(key.best_bid(bidder.id, item_id)).add(BEST_BID, max_cents);
    return { refused: null, bid_id };
  });
}

// The bid that an earlier call with this request has placed; null: none has.
export async function bidOfRequest(claret: Claret, { item_id, request }: { item_id: string; request: string }): Promise<string | null> {
  const [[bid_id]] = await claret.transact('BidOfRequest', [claret.on.dict(key.item_bid_requests(item_id)).get(request)]);
  return typeof bid_id === 'string' ? bid_id : null;
}
