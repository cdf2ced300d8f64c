// Gives the demo accounts a history: each bids, leads and is outbid, has won, lost and bought, sells, has sold, and watches.
//
// They replace other people in some auctions, before prices and winners follow from the bids.
import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import type { Random } from '@claret/site/data/random.ts';

import { rankedBids, type SeedBidding } from './bidding.ts';
import type { SeedOutcome, SeedTerms } from './sales.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
// One's own page shows auctions that ended in the last 30 days; this leaves time after loading.
const ENDED_DAYS_MAX = 20;
const OF_EACH = 2;
// The data set keeps all bids of such an item, so that bidders can be replaced.
const BID_COUNT_MAX = 100;

type Auction = SeedBidding & SeedTerms & { seller: number; closes_in_ms: number };

const isDemo = (user: number): boolean => user < DEMO_NAMES.length;

// Changes the items: their sellers and bidders; items that a demo account won or sold lose their reserve.
export function giveDemoHistory(items: Auction[], random: Random): void {
  const free = random.shuffle(items.filter((item) => canBeGiven(item)));
  const take = (count: number, fits: (item: Auction) => boolean): Auction[] => {
    const taken = free.filter(fits).slice(0, count);
    for (const item of taken) free.splice(free.indexOf(item), 1);
    return taken;
  };
  const isOpen = (item: Auction): boolean => item.closes_in_ms > 0;
  const bidders = (item: Auction): number => new Set(item.bids.map((bid) => bid.user)).size;
  DEMO_NAMES.forEach((_, demo) => {
    for (const item of take(OF_EACH, isOpen)) item.seller = demo;
    for (const item of take(OF_EACH, (one) => !isOpen(one) && one.bids.length > 0)) {
      Object.assign(item, { seller: demo, reserve_price_cents: null });
    }
    for (const item of take(OF_EACH, (one) => isOpen(one) && bidders(one) > 1)) bidsAs(item, demo, 0);
    for (const item of take(OF_EACH, (one) => isOpen(one) && bidders(one) > 1)) bidsAs(item, demo, 1);
    for (const item of take(OF_EACH, (one) => !isOpen(one) && one.bids.length > 0)) {
      bidsAs(item, demo, 0);
      Object.assign(item, { reserve_price_cents: null, buy_now_price_cents: null, quantity: 1 });
    }
    for (const item of take(OF_EACH, (one) => !isOpen(one) && bidders(one) > 1)) bidsAs(item, demo, 1);
  });
}

// Changes the items: some purchases get a demo account as their buyer.
export function giveDemoPurchases(items: (Auction & SeedOutcome)[], random: Random): void {
  const sold = random.shuffle(items.filter((item) => item.purchases.length > 0 && canBeGiven(item)));
  DEMO_NAMES.forEach((_, demo) => {
    for (const item of sold.splice(0, OF_EACH)) {
      item.purchases = item.purchases.map((purchase, i) => (i === 0 ? { ...purchase, buyer: demo } : purchase));
    }
  });
}

function canBeGiven(item: Auction): boolean {
  if (item.closes_in_ms < -ENDED_DAYS_MAX * DAY_MS || item.bid_count > BID_COUNT_MAX) return false;
  return !isDemo(item.seller) && ![...item.bidders.keys()].some(isDemo);
}

// The demo account becomes the bidder of the first bid of this rank, counting one bid per person.
function bidsAs(item: Auction, demo: number, rank: 0 | 1): void {
  const ranked = rankedBids(item.bids);
  const leader = ranked[0]?.bidder.id;
  const chosen = rank === 0 ? ranked[0] : ranked.find((bid) => bid.bidder.id !== leader);
  item.bids = item.bids.map((bid, i) => (`b${i + 1}` === chosen?.id ? { ...bid, user: demo } : bid));
  item.bidders = new Map();
  for (const { user, amount_cents } of item.bids) item.bidders.set(user, Math.max(amount_cents, item.bidders.get(user) ?? 0));
}
