// The sellers' terms besides a start price, and their results: reserves, Buy now, secret maxima, purchases, winners.
//
// The shares are RUBiS' (InitDB.java): a reserve on 40 %, a Buy now price on 10 %, and 80 % of these have one piece, the others 2 to 10.
// Here only items with Buy now have more than one.
import type { Random } from '@claret/site/data/random.ts';

import type { EndedBy } from '../api.ts';
import { minNextBid } from '../model.ts';
import { priceOf, reserveOf, type Bid } from '../price.ts';
import { rankedBids, type SeedBid, type SeedBidding } from './bidding.ts';

const RESERVES = 0.4;
const BUY_NOWS = 0.1;
const UNIQUE = 0.8;
const SECRET_MAXIMA = 0.25;
const ENDED_SOLD_OUT = 0.3;

export type SeedPurchase = { buyer: number; quantity: number; bought_in_ms: number };

export type SeedTerms = {
  quantity: number;
  reserve_price_cents: number | null;
  // per piece; null: no Buy now
  buy_now_price_cents: number | null;
};

export type SeedOutcome = {
  // by time
  purchases: SeedPurchase[];
  // the winner of an ended auction; null: open, or no bid won
  winner: number | null;
  final_price_cents: number | null;
  // null: open
  ended_by: EndedBy | null;
  // pieces neither bought nor won
  left: number;
};

type Auction = SeedBidding & { seller: number; start_price_cents: number; opened_in_ms: number; closes_in_ms: number };

// Some of the bids that led when they were placed get a maximum above their amount, but below the next leading bid.
export function giveMaxima(auction: Auction, random: Random): SeedBid[] {
  const leads: SeedBid[] = [];
  for (const bid of auction.bids) {
    if (bid.amount_cents > (leads.at(-1)?.amount_cents ?? 0)) leads.push(bid);
  }
  const next = new Map(leads.map((bid, i) => [bid, leads[i + 1]]));
  return auction.bids.map((bid) => {
    if (!next.has(bid) || !random.chance(SECRET_MAXIMA)) return bid;
    const step = minNextBid(auction.start_price_cents, bid.amount_cents) - bid.amount_cents;
    const overtaker = next.get(bid);
    const room = overtaker === undefined ? step * random.integer(2, 8) : overtaker.amount_cents - bid.amount_cents - 1;
    return { ...bid, max_cents: bid.amount_cents + Math.floor((room * random.fraction()) / 5) * 5 };
  });
}

export function makeTerms(auction: Auction, random: Random): SeedTerms {
  const { start_price_cents } = auction;
  const reserve_price_cents = random.chance(RESERVES) ? start_price_cents + dollars(start_price_cents * random.fraction() * 0.5) : null;
  if (!random.chance(BUY_NOWS)) return { quantity: 1, reserve_price_cents, buy_now_price_cents: null };
  // More than the present price, since people do not bid an amount that would buy the item.
  const price_cents = priceOf({ start_price_cents, reserve_price_cents }, rankedBids(auction.bids));
  const least = Math.max(start_price_cents, reserve_price_cents ?? 0, price_cents);
  const buy_now_price_cents = least + dollars(least * (0.1 + random.fraction() * 0.5));
  return { quantity: random.chance(UNIQUE) ? 1 : random.integer(2, 10), reserve_price_cents, buy_now_price_cents };
}

export function playSale(auction: Auction & SeedTerms, user_count: number, random: Random): SeedOutcome {
  const ended = auction.closes_in_ms < 0;
  const purchases = auction.buy_now_price_cents === null ? [] : playPurchases(auction, ended, user_count, random);
  const left = auction.quantity - purchases.reduce((sum, one) => sum + one.quantity, 0);
  const unsold = { purchases, winner: null, final_price_cents: null, left };
  if (!ended) return { ...unsold, ended_by: null };
  if (left === 0) return { ...unsold, ended_by: 'sold_out' };
  const bids: Bid[] = rankedBids(auction.bids);
  const leader = auction.bids.find((_, i) => bids[0]?.id === `b${i + 1}`);
  if (leader === undefined || reserveOf(auction, bids) === 'not_met') return { ...unsold, ended_by: 'time' };
  return { purchases, winner: leader.user, final_price_cents: priceOf(auction, bids), ended_by: 'time', left: left - 1 };
}

// Some ended auctions sold out, with the last purchase at their end; open ones have at least one piece left.
function playPurchases(auction: Auction & SeedTerms, ended: boolean, user_count: number, random: Random): SeedPurchase[] {
  const { quantity, opened_in_ms, closes_in_ms } = auction;
  const sold_out = ended && random.chance(ENDED_SOLD_OUT);
  let unsold = sold_out ? quantity : random.integer(0, quantity - 1);
  const until = Math.min(closes_in_ms, 0) - 1;
  const purchases: SeedPurchase[] = [];
  while (unsold > 0) {
    const pieces = random.integer(1, Math.min(unsold, 3));
    const bought_in_ms = sold_out && unsold === pieces ? until : random.integer(opened_in_ms, until);
    purchases.push({ buyer: pickBuyer(auction.seller, user_count, random), quantity: pieces, bought_in_ms });
    unsold -= pieces;
  }
  return purchases.sort((a, b) => a.bought_in_ms - b.bought_in_ms);
}

function pickBuyer(seller: number, user_count: number, random: Random): number {
  const user = random.integer(0, user_count - 2);
  return user < seller ? user : user + 1;
}

const dollars = (cents: number): number => Math.max(1_00, Math.round(cents / 1_00) * 1_00);
