// What an auction costs: a pure function of its bids.
//
// A bid has an amount, which everybody sees, and a maximum, which only its bidder and this server know: "bid for me, as
// little as it takes, up to that". Nothing bids on anybody's behalf. The price follows from the highest bids, so bids need
// not see each other, and all of them commute:
//
//   the leader   made the bid with the highest maximum; of equal ones the earlier
//   the rival    is the highest maximum of anybody else
//   the price    is the least that keeps the leader ahead: one increment above the rival. It is never below an amount that
//                was bid, nor, where the leader's maximum reaches it, below the reserve; and never above the leader's maximum.
//
// Buy now is open while the price is below the Buy-now price, and is withdrawn for good once it gets there: nobody buys below
// what others have bid. Auction sites differ here: some withdraw it with the first bid, or where there is a reserve, once that is met.
// That would close the sale of ten pieces with the first bid on one of them, so only the price counts, with a reserve and without.
// The seller keeps the pieces that are left then, except for the one that the highest bidder wins.
//
// With every bid added the price rises or stays. A leader who raises their own maximum leaves it as it is, but for a step that
// the old maximum had no room for. Where all maxima equal their amounts, the price is the highest bid.
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

// The parts of an item's info that the price follows from. `reserve_price_cents` is secret.
export type Terms = { start_price_cents: number; reserve_price_cents: number | null };

// `bids`: of highest rank first, all of them or a first part that `tellsPrice`.
export function priceOf({ start_price_cents, reserve_price_cents }: Terms, bids: readonly Bid[]): number {
  const [leader] = bids;
  if (leader === undefined) return start_price_cents;
  const rival = bids.find((bid) => bid.bidder.id !== leader.bidder.id);
  let price = bids.reduce((highest, bid) => Math.max(highest, bid.amount_cents), start_price_cents);
  if (rival !== undefined) price = Math.max(price, minNextBid(start_price_cents, rival.max_cents));
  if (reserve_price_cents !== null && leader.max_cents >= reserve_price_cents) price = Math.max(price, reserve_price_cents);
  return Math.min(price, leader.max_cents);
}

// `buy_now_price_cents` null: nothing can be bought.
export function isBuyNowOpen(buy_now_price_cents: number | null, price_cents: number): boolean {
  return buy_now_price_cents !== null && price_cents < buy_now_price_cents;
}

// Whether the first `asked` bids tell the price, or more must be read: so it is where the leader's rival is not among them.
// What is behind a rival has lower maxima, and so lower amounts. It goes by who bid, which everybody may know, and not by how
// far they go: what is read shows in what an answer cost (apps/site/cost.ts) and in how long it took.
export function tellsPrice(bids: readonly Bid[], asked: number): boolean {
  const [leader] = bids;
  if (leader === undefined || bids.length < asked || asked >= BIDS_KEPT_MAX) return true;
  return bids.some((bid) => bid.bidder.id !== leader.bidder.id);
}

export function reserveOf({ reserve_price_cents }: Terms, bids: readonly Bid[]): Reserve {
  if (reserve_price_cents === null) return 'none';
  const [leader] = bids;
  return leader !== undefined && leader.max_cents >= reserve_price_cents ? 'met' : 'not_met';
}

// What everybody may know of a bid: a maximum that was not needed stays its bidder's.
export function shownAmount(bid: Pick<Bid, 'max_cents'>, price_cents: number): number {
  return Math.min(bid.max_cents, price_cents);
}

// The order of the TopK: highest maximum first, of equal ones the earlier, then by id.
export function byRank(a: Bid, b: Bid): number {
  return b.max_cents - a.max_cents || a.placed_at_ms - b.placed_at_ms || (a.id < b.id ? -1 : 1);
}
