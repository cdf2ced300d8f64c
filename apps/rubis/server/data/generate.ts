// The data set: people, auctions on sale and ended, bids, ratings and comments, all from one seed.
//
// The same profile and seed give the same data set, to the byte; times are relative to the time of loading (`…_in_ms`, negative: ago).
// People and items are referred to by their index in the lists; their ids are u1, u2, … and i1, i2, …: open auctions first, then ended
// ones.
import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import { Random, WeightedDraw } from '@claret/site/data/random.ts';

import { giveDemoPurchases, giveDemoHistory } from './demo-history.ts';
import { giveMaxima, makeTerms, playSale, type SeedOutcome, type SeedTerms } from './sales.ts';
import { playBids, bidCounts, type SeedBidding } from './bidding.ts';
import { CATEGORIES, CATEGORY_WEIGHTS } from './categories.ts';
import { makeUsers, type SeedUser } from './people.ts';
import { PROFILES, type Profile, type ProfileName } from './profiles.ts';
import {
  CLOSINGS,
  COMMENTS_BAD,
  COMMENTS_GOOD,
  COMMENTS_MIXED,
  CONDITIONS,
  TITLE_TAILS,
  VOCABULARIES,
  type Vocabulary,
} from './vocabulary.ts';

const MINUTE_MS = 60 * 1_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ENDED_DAYS_MAX = 30;

// cents: from $1 to $1,000, half of them below $30
const START_PRICE_CENTS_MIN = 1_00;
const START_PRICE_CENTS_MAX = 1_000_00;

const BUYER_COMMENTS = 0.95;
const SELLER_COMMENTS = 0.6;
const WATCHING = 0.3;
// RUBiS's five ratings; most people are content
const RATINGS = [5, 3, 0, -3, -5] as const;
const RATING_WEIGHTS = [62, 22, 8, 5, 3];

export type SeedItem = SeedBidding &
  SeedTerms &
  SeedOutcome & {
    id: string;
    title: string;
    description: string;
    category_id: string;
    seller: number;
    start_price_cents: number;
    opened_in_ms: number;
    // negative: ended
    closes_in_ms: number;
  };

export type SeedWatch = { user: number; item: number };

export type SeedComment = {
  item: number;
  from: number;
  about: number;
  rating: number;
  text: string;
  created_in_ms: number;
};

export type DataSet = {
  profile: Profile;
  seed: number;
  users: SeedUser[];
  items: SeedItem[];
  comments: SeedComment[];
  watching: SeedWatch[];
};

export function generate(profileName: ProfileName, seed: number): DataSet {
  const profile = PROFILES[profileName];
  // One random stream for each part: changing one part leaves the others as they are.
  const users = makeUsers(profile.user_count, new Random(seed, 1));
  const items = makeSales(makeItems(profile, new Random(seed, 2)), profile, seed);
  const comments = makeComments(items, new Random(seed, 3));
  const watching = makeWatching(items, profile, new Random(seed, 7));
  return { profile, seed, users, items, comments, watching };
}

type BidItem = Omit<SeedItem, keyof SeedTerms | keyof SeedOutcome>;

function makeSales(items: readonly BidItem[], profile: Profile, seed: number): SeedItem[] {
  const [terms, history, sales] = [new Random(seed, 4), new Random(seed, 5), new Random(seed, 6)];
  const offered = items.map((item) => {
    const bids = giveMaxima(item, terms);
    return { ...item, bids, ...makeTerms({ ...item, bids }, terms) };
  });
  giveDemoHistory(offered, history);
  const sold = offered.map((item) => ({ ...item, ...playSale(item, profile.user_count, sales) }));
  giveDemoPurchases(sold, history);
  return sold;
}

// Some people watch some open auctions; the demo accounts also watch an ended one.
function makeWatching(items: readonly SeedItem[], profile: Profile, random: Random): SeedWatch[] {
  const open = profile.open_item_count;
  return Array.from({ length: profile.user_count }, (_, user) => {
    const demo = user < DEMO_NAMES.length;
    const count = demo ? 5 : random.chance(WATCHING) ? random.integer(1, 5) : 0;
    const chosen = new Set(Array.from({ length: count }, () => random.integer(0, open - 1)));
    if (demo) chosen.add(random.integer(open, items.length - 1));
    return [...chosen].filter((item) => items[item]?.seller !== user).map((item) => ({ user, item }));
  }).flat();
}

function makeItems(profile: Profile, random: Random): BidItem[] {
  const count = profile.open_item_count + profile.ended_item_count;
  const counts = [
    ...bidCounts(profile.open_item_count, profile.open_item_count * profile.bids_per_item_mean, random),
    ...bidCounts(profile.ended_item_count, profile.ended_item_count * profile.bids_per_item_mean, random),
  ];
  const categories = new WeightedDraw(CATEGORY_WEIGHTS);
  return Array.from({ length: count }, (_, i) => {
    const category = CATEGORIES[categories.draw(random)];
    if (category === undefined) throw new Error('no such category');
    const vocabulary = VOCABULARIES[category.id];
    if (vocabulary === undefined) throw new Error(`no vocabulary for ${category.id}`);
    const auction = {
      seller: random.integer(0, profile.user_count - 1),
      start_price_cents: startPrice(random),
      ...auctionTimes(i, profile, random),
    };
    const bidding = playBids(auction, counts[i] ?? 0, profile.user_count, random);
    return {
      id: `i${i + 1}`,
      title: title(vocabulary, random),
      description: description(vocabulary, random),
      category_id: category.id,
      ...auction,
      ...bidding,
    };
  });
}

function auctionTimes(index: number, profile: Profile, random: Random): { opened_in_ms: number; closes_in_ms: number } {
  const closes_in_ms = Math.floor(closingTime(index, profile, random));
  const duration = random.integer(1, 7) * DAY_MS;
  // Open auctions started some time ago; ended ones ran their full time.
  const running = closes_in_ms > 0 ? Math.max(closes_in_ms + 10 * MINUTE_MS, duration) : duration;
  return { opened_in_ms: closes_in_ms - running, closes_in_ms };
}

function closingTime(index: number, profile: Profile, random: Random): number {
  if (index >= profile.open_item_count) return -(HOUR_MS + random.fraction() * ENDED_DAYS_MAX * DAY_MS);
  if (index < profile.ending_in_minutes_count) return MINUTE_MS + random.fraction() * 4 * MINUTE_MS;
  if (index < profile.ending_in_minutes_count + profile.ending_in_an_hour_count) {
    return 5 * MINUTE_MS + random.fraction() * 55 * MINUTE_MS;
  }
  return HOUR_MS + random.fraction() * (7 * DAY_MS - 2 * HOUR_MS);
}

function startPrice(random: Random): number {
  const span = Math.log(START_PRICE_CENTS_MAX / START_PRICE_CENTS_MIN);
  const cents = START_PRICE_CENTS_MIN * Math.exp(random.fraction() * span);
  return cents < 10_00 ? Math.round(cents / 25) * 25 : Math.round(cents / 1_00) * 1_00;
}

function title(vocabulary: Vocabulary, random: Random): string {
  const main = `${random.pick(vocabulary.qualities)} ${random.pick(vocabulary.things)}`;
  return random.chance(0.7) ? `${main}, ${random.pick(TITLE_TAILS)}` : main;
}

function description(vocabulary: Vocabulary, random: Random): string {
  const remarks = random.shuffle([...vocabulary.remarks]).slice(0, random.integer(1, 2));
  return [random.pick(CONDITIONS), ...remarks, random.pick(CLOSINGS)].join(' ');
}

function makeComments(items: readonly SeedItem[], random: Random): SeedComment[] {
  const ratings = new WeightedDraw(RATING_WEIGHTS);
  const comments: SeedComment[] = [];
  const write = (item: number, from: number, about: number, closed_in_ms: number): void => {
    const rating = RATINGS[ratings.draw(random)] ?? 0;
    const texts = rating > 0 ? COMMENTS_GOOD : rating === 0 ? COMMENTS_MIXED : COMMENTS_BAD;
    const created_in_ms = Math.floor(closed_in_ms * random.fraction());
    comments.push({ item, from, about, rating, text: random.pick(texts), created_in_ms });
  };
  items.forEach((item, i) => {
    // The time from which the seller and each of these may comment; a winner who bought as well comments once.
    const since = new Map(item.winner === null ? [] : [[item.winner, item.closes_in_ms]]);
    for (const { buyer, bought_in_ms } of item.purchases) if (!since.has(buyer)) since.set(buyer, bought_in_ms);
    for (const [partner, in_ms] of since) {
      if (random.chance(BUYER_COMMENTS)) write(i, partner, item.seller, in_ms);
      if (random.chance(SELLER_COMMENTS)) write(i, item.seller, partner, in_ms);
    }
  });
  return comments;
}
