// The bids of an auction of the data set: their number, times, bidders and amounts.
import { zipfWeights, type Random } from '@claret/site/data/random.ts';

import { BIDS_KEPT_MAX, INCREMENTS, minNextBid } from '../model.ts';
import { byRank, type Bid } from '../price.ts';

// the lead changes at most this often; in a crowd most bids are overtaken before they arrive and never lead
const LEADS_MAX = 60;

// Menascé and Akula found more than 30 % of the bids in the last 5 % of an auction's time: with the remaining time exponential at this mean
// (as a share of the duration), the share is 1 - e^(-0.05/0.14) = 30 %.
const TIME_LEFT_MEAN = 0.14;
// for a running auction, whose rush is still to come
const TIME_AGO_MEAN = 0.5;

export type SeedBid = { user: number; amount_cents: number; max_cents: number; placed_in_ms: number };

export type SeedBidding = {
  bid_count: number;
  // by time; at most the BIDS_KEPT_MAX highest, since a TopK would drop lower ones at once
  bids: SeedBid[];
  // all bidders, each with their highest bid
  bidders: Map<number, number>;
};

// Bids per item: the item of rank r gets a share of 1/r, of `total` altogether. Shuffled.
export function bidCounts(item_count: number, total: number, random: Random): number[] {
  const weights = zipfWeights(item_count);
  const scale = total / weights.reduce((sum, weight) => sum + weight, 0);
  let exact = 0;
  let given = 0;
  const counts = weights.map((weight) => {
    exact += weight * scale;
    const count = Math.round(exact) - given;
    given += count;
    return count;
  });
  return random.shuffle(counts);
}

type Auction = {
  seller: number;
  start_price_cents: number;
  opened_in_ms: number;
  closes_in_ms: number;
};

export function playBids(auction: Auction, bid_count: number, user_count: number, random: Random): SeedBidding {
  const times = bidTimes(auction, bid_count, random);
  const bidders = new Map<number, number>();
  const bids: SeedBid[] = [];
  let leader = -1;
  let top: number | null = null;
  for (const [i, placed_in_ms] of times.entries()) {
    const user = pickBidder(auction.seller, leader, user_count, random);
    // The last bid leads; so do about LEADS_MAX of the others, chosen at random.
    const leads = top === null || i === times.length - 1 || random.chance(LEADS_MAX / bid_count);
    const amount_cents: number = leads
      ? raise(auction.start_price_cents, top, random)
      : overtaken(auction.start_price_cents, top as number, random);
    if (leads) {
      top = amount_cents;
      leader = user;
    }
    bidders.set(user, Math.max(amount_cents, bidders.get(user) ?? 0));
    bids.push({ user, amount_cents, max_cents: amount_cents, placed_in_ms });
  }
  const kept = bids.length <= BIDS_KEPT_MAX ? bids : highest(bids);
  return { bid_count, bids: kept, bidders };
}

// In the form of the price rule (price.ts). Their ids are b1, b2, … by index in the list, their times the data set's own.
export function rankedBids(bids: readonly SeedBid[]): Bid[] {
  return bids
    .map(({ user, amount_cents, max_cents, placed_in_ms }, i) => ({
      id: `b${i + 1}`,
      bidder: { id: `u${user + 1}`, nickname: '' },
      placed_at_ms: placed_in_ms,
      amount_cents,
      max_cents,
    }))
    .sort(byRank);
}

function highest(bids: SeedBid[]): SeedBid[] {
  return bids
    .toSorted((a, b) => b.amount_cents - a.amount_cents || a.placed_in_ms - b.placed_in_ms)
    .slice(0, BIDS_KEPT_MAX)
    .toSorted((a, b) => a.placed_in_ms - b.placed_in_ms || a.amount_cents - b.amount_cents);
}

function bidTimes(auction: Auction, count: number, random: Random): number[] {
  const ended = auction.closes_in_ms <= 0;
  const until = Math.min(auction.closes_in_ms, 0) - 1;
  const span = until - auction.opened_in_ms;
  const mean = ended ? TIME_LEFT_MEAN : TIME_AGO_MEAN;
  const times = Array.from({ length: count }, () => {
    const ago = random.exponential(mean);
    return Math.floor(until - (ago < 1 ? ago : random.fraction()) * span);
  });
  return times.sort((a, b) => a - b);
}

function pickBidder(seller: number, leader: number, user_count: number, random: Random): number {
  for (;;) {
    const user = random.integer(0, user_count - 1);
    if (user !== seller && user !== leader) return user;
  }
}

function raise(start_price_cents: number, top: number | null, random: Random): number {
  const least = minNextBid(start_price_cents, top);
  const step = INCREMENTS.find((row) => row.below_cents === null || least < row.below_cents)?.increment_cents ?? 0;
  return least + (random.chance(0.3) ? step * random.integer(1, 4) : 0);
}

// A bid that was high enough when it was placed, but overtaken before it arrived.
function overtaken(start_price_cents: number, top: number, random: Random): number {
  const room = top - start_price_cents;
  return top - Math.floor(random.fraction() ** 2 * room * 0.2);
}
