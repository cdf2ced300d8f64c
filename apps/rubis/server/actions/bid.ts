// Bid: the transaction that a crowd runs concurrently on one auction.
//
// It reads only fields that Bids never write (whether the auction is open, its end, start price and seller) and then adds: to the TopK, to
// the count, to the bidder's list and their own best bid. So Bids commute with each other and wait only for a transaction that reads the
// bids or closes the auction. Hence the answer is "accepted", not "you lead", which would require reading the highest bid. The caller first
// compares the amount with the price it saw last; a bid that is overtaken in the meantime is accepted and does not lead. A bid may have a
// secret maximum; whether it leads follows from all bids (price.ts), without an agent that bids on a person's behalf.
import type { Claret, Tx } from '@claret/client';
import type { Once } from '@claret/site/once.ts';

import type { UserRef } from '../api.ts';
import { BEST_BID, key } from '../model.ts';
import { scoredBid } from './highest-bids.ts';
import type { ItemInfo } from './item-info.ts';
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
  // the auction as the caller has last seen it: the bid waits for no message that says the same
  seen?: ItemInfo;
};

export type BidRefusal = 'unknown_item' | 'auction_closed' | 'own_item' | 'amount_below_minimum';

export function newBidId(): string {
  return crypto.randomUUID().slice(0, 18).replaceAll('-', '');
}

export type BidOutcome = Outcome<{ bid_id: string }, BidRefusal>;

export function bid(claret: Claret, input: BidInput, once: Once = {}): Promise<BidOutcome> {
  const { item_id, bidder, amount_cents, max_cents = amount_cents, placed_at_ms, bid_id, seen } = input;
  const [item] = scoredBid({ id: bid_id, bidder, placed_at_ms, amount_cents, max_cents });
  const body = async (tx: Tx): Promise<BidOutcome> => {
    const terms = claret.on.dict(key.item_info(item_id)).get('status', 'seller', 'closes_at_ms', 'start_price_cents');
    const guess = seen && [seen.status, seen.seller.id, seen.closes_at_ms, seen.start_price_cents];
    const [status, seller, closesAt, startPrice] = await tx.perform(terms, { guess });
    if (status === null || status === undefined) return refuse('unknown_item');
    const closes_at_ms = Number(closesAt);
    if (status !== 'open' || placed_at_ms >= closes_at_ms) return refuse('auction_closed');
    if (seller === bidder.id) return refuse('own_item');
    if (amount_cents < Number(startPrice)) return refuse('amount_below_minimum');
    tx.topK(key.item_bids(item_id)).add(item, max_cents);
    tx.counter(key.item_bid_count(item_id)).add(1);
    tx.scoredSet(key.bidding(bidder.id)).add(item_id, closes_at_ms);
    tx.topK(key.best_bid(bidder.id, item_id)).add(BEST_BID, max_cents);
    return { refused: null, bid_id };
  };
  return claret.transaction('Bid', body, once);
}

// Throws the problem, unless the same request was answered before: then that is its answer.
export function refuseBid(claret: Claret, problem: Error, once: Once): Promise<BidOutcome> {
  return claret.transaction(
    'Bid',
    (): BidOutcome => {
      throw problem;
    },
    once,
  );
}
