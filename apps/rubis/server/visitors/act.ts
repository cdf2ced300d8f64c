// The actions of a simulated visitor of the auctions: mostly bids, sometimes watching an auction, rarely commenting on one that they won.
//
// They are people of the data set without a password. Each auction has a value for them, above which none of them bids, and they do not bid
// in its last seconds, so that a real person can win.
import type { Claret } from '@claret/client';
import type { Random } from '@claret/site/data/random.ts';
import { DEMO_NAMES } from '@claret/site/data/demo.ts';

import { bid, newBidId } from '../actions/bid.ts';
import { browse } from '../actions/browse.ts';
import { newComment } from '../actions/new-comment.ts';
import { viewAuction, type Auction } from '../actions/view-auction.ts';
import { watchItem } from '../actions/watch.ts';
import type { UserRef } from '../api.ts';
import { CATEGORIES } from '../data/categories.ts';
import { COMMENTS_GOOD, COMMENTS_MIXED } from '../data/vocabulary.ts';
import { key, minNextBid } from '../model.ts';
import { currentPrice, minNextBidOf } from '../standing.ts';

// The first people of a data set after the demo accounts.
const VISITORS = 60;
const WATCHES = 0.15;
const COMMENTS = 0.03;
// otherwise in a random category
const LOOKS_AT_WHAT_ENDS = 0.5;
const WITH_MAXIMUM = 0.25;
// No visitor bids in an auction's last seconds.
const LAST_SECONDS_MS = 30_000;
// the bounds of an item's value, as multiples of the start price
const WORTH_MIN = 1.5;
const WORTH_MAX = 6;

export async function actOnce(claret: Claret, random: Random): Promise<void> {
  const person = await pickVisitor(claret, random);
  if (person === null) return;
  if (random.chance(COMMENTS)) return comment(claret, random, person);
  const auction = await somethingOpen(claret, random, person);
  if (auction === null) return;
  if (random.chance(WATCHES))
    return void (await watchItem(claret, { item_id: auction.item_id, user_id: person.id, now_ms: nowOf(claret, auction) }));
  await bidOn(claret, random, person, auction);
}

// Null: there is no data set.
async function pickVisitor(claret: Claret, random: Random): Promise<UserRef | null> {
  const id = `u${DEMO_NAMES.length + random.integer(1, VISITORS)}`;
  const [[nickname]] = await claret.transact('Visitor', [claret.on.dict(key.profile(id)).get('nickname')]);
  return typeof nickname === 'string' ? { id, nickname } : null;
}

async function somethingOpen(claret: Claret, random: Random, person: UserRef): Promise<Auction | null> {
  const now_ms = claret.clock.nowMs(key.open_all);
  const category_id = random.chance(LOOKS_AT_WHAT_ENDS) ? null : random.pick(CATEGORIES).id;
  const { items } = await browse(claret, { category_id, region_id: null, now_ms: now_ms + LAST_SECONDS_MS, after: null });
  const others = items.filter(({ seller }) => seller.id !== person.id);
  if (others.length === 0) return null;
  const viewed = await viewAuction(claret, { item_id: random.pick(others).id });
  return viewed.refused === null && viewed.auction.info.status === 'open' ? viewed.auction : null;
}

async function bidOn(claret: Claret, random: Random, bidder: UserRef, auction: Auction): Promise<void> {
  const { item_id, info, bids } = auction;
  if (bids[0]?.bidder.id === bidder.id) return; // they lead
  const least_cents = minNextBidOf(auction);
  const step_cents = minNextBid(info.start_price_cents, currentPrice(auction)) - currentPrice(auction);
  const amount_cents = least_cents + (random.chance(0.3) ? step_cents : 0);
  const most_cents = mostFor(auction);
  if (amount_cents > most_cents) return;
  const max_cents = random.chance(WITH_MAXIMUM) ? Math.min(most_cents, amount_cents + step_cents * random.integer(1, 4)) : amount_cents;
  const input = { item_id, bidder, amount_cents, max_cents, placed_at_ms: nowOf(claret, auction), bid_id: newBidId() };
  // As a page's bid, it is told from all others.
  await bid(claret, input, { id: claret.transactionId(key.item_info(item_id)) });
}

const nowOf = (claret: Claret, { item_id }: Auction): number => claret.clock.nowMs(key.item_info(item_id));

// The value of an auction for the visitors; below its Buy now price.
export function mostFor({ item_id, info }: Auction): number {
  const worth_cents = Math.round(info.start_price_cents * (WORTH_MIN + (WORTH_MAX - WORTH_MIN) * shareOf(item_id)));
  return Math.min(worth_cents, (info.buy_now_price_cents ?? Infinity) - 1);
}

// A number from 0 to 1, always the same for the same item.
function shareOf(item_id: string): number {
  let hash = 0x811c9dc5;
  for (const letter of item_id) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash >>> 0) / 0x1_0000_0000;
}

// Comments on the seller of their latest win; the sale itself allows this only once.
async function comment(claret: Claret, random: Random, from: UserRef): Promise<void> {
  const [won] = await claret.transact('Visitor', [claret.on.scoredSet(key.won(from.id)).range(-1, -1)]);
  const item_id = won[0]?.[0];
  if (item_id === undefined) return;
  const isGood = random.chance(0.8);
  await newComment(claret, {
    item_id,
    from,
    rating: isGood ? 5 : 3,
    text: random.pick(isGood ? COMMENTS_GOOD : COMMENTS_MIXED),
    created_at_ms: claret.clock.nowMs(key.item_info(item_id)),
    about: { party_id: null },
  });
}
