// The price of an auction: a pure function of its bids.
//
// A bid has a public amount and a maximum that only its bidder and this server know: "bid for me, as little as necessary, up
// to that". There are no bidding agents. The price follows from the highest bids, so bids need not read each other, and all
// of them commute:
//
//   the leader   made the bid with the highest maximum; of equal ones the earlier by the time of the shard that has the auction
//   the rival    is the highest maximum of any other bidder
//   the price    is the lowest that keeps the leader ahead: one increment above the rival. It is never below an amount that
//                was bid, nor below the reserve if the leader's maximum reaches it; and never above the leader's maximum.
//
// Buy now is open while the price is below the Buy now price, and is withdrawn for good once the price reaches it: no one buys
// below what others have bid. Auction sites differ here: some withdraw it with the first bid or, with a reserve, once that is met.
// That would end the sale of ten pieces with the first bid on one of them, so here only the price counts, with or without a
// reserve. The seller keeps the pieces that are left then, except for the one that the highest bidder wins.
//
// Every added bid raises the price or leaves it. A leader who raises their own maximum leaves the price as it is, except for an
// increment that the old maximum had no room for. If all maxima equal their amounts, the price is the highest bid.
import type { Reserve, UserRef } from './api.ts';
import { BIDS_KEPT_MAX, minNextBid } from './model.ts';

export type Bid = {
  id: string;
  bidder: UserRef;
  placed_at_ms: number;
  amount_cents: number;
  // secret: at least the amount
  max_cents: number;
};

// The fields of an item's info that determine the price. `reserve_price_cents` is secret.
export type Terms = { start_price_cents: number; reserve_price_cents: number | null };

// `bids`: ordered by rank; all of them, or a prefix that `determinesPrice`.
export function priceOf({ start_price_cents, reserve_price_cents }: Terms, bids: readonly Bid[]): number {
  const [leader] = bids;
  if (leader === undefined) return start_price_cents;
  const rival = bids.find((bid) => bid.bidder.id !== leader.bidder.id);
  let price = bids.reduce((highest, bid) => Math.max(highest, bid.amount_cents), start_price_cents);
  if (rival !== undefined) price = Math.max(price, minNextBid(start_price_cents, rival.max_cents));
  if (reserve_price_cents !== null && leader.max_cents >= reserve_price_cents) price = Math.max(price, reserve_price_cents);
  return Math.min(price, leader.max_cents);
}

// `buy_now_price_cents` null: no Buy now.
export function isBuyNowOpen(buy_now_price_cents: number | null, price_cents: number): boolean {
  return buy_now_price_cents !== null && price_cents < buy_now_price_cents;
}

// Whether the first `asked` bids determine the price; more must be read if the leader's rival is not among them. Bids behind the rival have
// lower maxima, and so lower amounts. The answer depends only on the bidders, which are public, and not on the maxima: the number of bids
// read is visible in an answer's cost (apps/site/cost.ts) and time.
export function determinesPrice(bids: readonly Bid[], asked: number): boolean {
  const [leader] = bids;
  if (leader === undefined || bids.length < asked || asked >= BIDS_KEPT_MAX) return true;
  return bids.some((bid) => bid.bidder.id !== leader.bidder.id);
}

export function reserveOf({ reserve_price_cents }: Terms, bids: readonly Bid[]): Reserve {
  if (reserve_price_cents === null) return 'none';
  const [leader] = bids;
  return leader !== undefined && leader.max_cents >= reserve_price_cents ? 'met' : 'not_met';
}

// The public amount of a bid: the part of a maximum that was not needed stays secret.
export function shownAmount(bid: Pick<Bid, 'max_cents'>, price_cents: number): number {
  return Math.min(bid.max_cents, price_cents);
}

// The order of the TopK: highest maximum first, of equal ones the earlier, then by id.
export function byRank(a: Bid, b: Bid): number {
  return b.max_cents - a.max_cents || a.placed_at_ms - b.placed_at_ms || (a.id < b.id ? -1 : 1);
}
