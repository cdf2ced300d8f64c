// The data set: deterministic, of the right size and shape, and the same in the store.
import { createHash } from 'node:crypto';

import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import { Random, WeightedDraw } from '@claret/site/data/random.ts';
import { Check } from 'typebox/value';
import { afterAll, describe, expect, test } from 'vitest';

import { browse, browseIndex, openCount } from '../actions/browse.ts';
import { viewAuction } from '../actions/view-auction.ts';
import { myItems } from '../actions/my-page.ts';
import { readInbox } from '../actions/inbox.ts';
import { viewSale } from '../actions/sale.ts';
import { viewStock } from '../actions/view-stock.ts';
import { viewUser } from '../actions/view-user.ts';
import { LIMITS, Nickname } from '../api.ts';
import { startWorld, type World } from '../testing/world.ts';
import { priceOf, reserveOf } from '../price.ts';
import { currentPrice } from '../standing.ts';
import { bidCounts, rankedBids } from './bidding.ts';
import { CATEGORIES, isCategory } from './categories.ts';
import { generate, type DataSet, type SeedItem } from './generate.ts';
import { REGIONS, isRegion } from './regions.ts';
import { storeDataSet, countOperations } from './store.ts';
import { VOCABULARIES } from './vocabulary.ts';

const digest = (data: DataSet): string =>
  createHash('sha256')
    .update(JSON.stringify(data, (_, value: unknown) => (value instanceof Set ? [...value] : value)))
    .digest('hex');

describe('The generator', () => {
  test('gives the same data set for the same seed, and another one otherwise', () => {
    const first = digest(generate('small', 7));
    expect(digest(generate('small', 7))).toBe(first);
    expect(digest(generate('small', 8))).not.toBe(first);
  });

  test('gives the same bytes as when this test was written', () => {
    // To be updated when the generator or its words change on purpose.
    const { users, items } = generate('small', 1);
    expect(users.slice(0, 6).map((user) => user.nickname)).toEqual(['demo1', 'demo2', 'demo3', 'demo4', 'silver_wren', 'jolly_robin']);
    expect(items[0]).toMatchObject({
      title: 'Holiday Snow Globe, Set of 4',
      category_id: 'keepsakes',
      seller: 152,
      start_price_cents: 28_00,
      bid_count: 71,
      closes_in_ms: 180_306,
    });
    expect(items[120]).toMatchObject({
      quantity: 8,
      reserve_price_cents: 1_169_00,
      buy_now_price_cents: 1_607_00,
      purchases: [
        { buyer: 2, quantity: 1, bought_in_ms: -99_610_066 },
        { buyer: 23, quantity: 2, bought_in_ms: -95_276_489 },
        { buyer: 280, quantity: 1, bought_in_ms: -17_152_704 },
      ],
      left: 4,
    });
  });

  test('has 62 regions and 40 categories, and words for each', () => {
    expect(new Set(REGIONS.map((region) => region.id)).size).toBe(62);
    expect(new Set(CATEGORIES.map((category) => category.id)).size).toBe(40);
    expect(new Set(CATEGORIES.map((category) => category.group)).size).toBe(20);
    expect(Object.keys(VOCABULARIES).toSorted()).toEqual(CATEGORIES.map((category) => category.id).toSorted());
  });

  test('makes the paper’s sizes in the profile claret', () => {
    const { users, items, comments } = generate('claret', 1);
    const open = items.filter((item) => item.closes_in_ms > 0);
    expect(open).toHaveLength(30_000);
    expect(open.reduce((sum, item) => sum + item.bid_count, 0)).toBe(300_000);
    expect(new Set(users.map((user) => user.nickname)).size).toBe(users.length);
    expect(new Set(users.map((user) => user.region_id)).size).toBe(62);
    expect(new Set(open.map((item) => item.category_id)).size).toBe(40);
    const sold = items.filter((item) => item.winner !== null);
    expect(comments.filter((one) => items[one.item]?.winner === one.from).length / sold.length).toBeCloseTo(0.95, 1);
    // RUBiS' shares.
    const share = (of: typeof items, fits: (item: (typeof items)[number]) => boolean) => of.filter(fits).length / of.length;
    const offered = items.filter((item) => item.buy_now_price_cents !== null);
    expect(share(items, (item) => item.reserve_price_cents !== null)).toBeCloseTo(0.4, 1);
    expect(share(items, (item) => item.buy_now_price_cents !== null)).toBeCloseTo(0.1, 1);
    expect(share(offered, (item) => item.quantity === 1)).toBeCloseTo(0.8, 1);
  });

  test('spreads bids by Zipf’s law: rank times count is about constant', () => {
    const counts = bidCounts(10_000, 100_000, new Random(3)).toSorted((a, b) => b - a);
    const [first = 0, tenth = 0, hundredth = 0] = [counts[0], counts[9], counts[99]];
    expect((tenth * 10) / first).toBeCloseTo(1, 1);
    expect((hundredth * 100) / first).toBeCloseTo(1, 1);
  });

  test('keeps the rules of the site', () => {
    const { users, items } = generate('small', 11);
    for (const user of users) {
      expect(Check(Nickname, user.nickname)).toBe(true);
      expect(isRegion(user.region_id)).toBe(true);
    }
    for (const item of items) {
      expect(isCategory(item.category_id)).toBe(true);
      expect(item.title.length).toBeLessThanOrEqual(LIMITS.title_length_max);
      expect(item.bidders.has(item.seller)).toBe(false);
      const amounts = item.bids.map((bid) => bid.amount_cents);
      const times = item.bids.map((bid) => bid.placed_in_ms);
      expect(amounts.every((amount) => amount >= item.start_price_cents && amount <= LIMITS.amount_cents_max)).toBe(true);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.every((time) => time >= item.opened_in_ms && time < Math.min(0, item.closes_in_ms))).toBe(true);
      keepsRules(item);
    }
    const soon = items.filter((item) => item.closes_in_ms > 0 && item.closes_in_ms <= 5 * 60_000);
    expect(soon.length).toBeGreaterThanOrEqual(12);
    expect(soon.every((item) => item.closes_in_ms >= 60_000)).toBe(true);
  });
});

// Checks terms, prices, purchases and the end.
function keepsRules(item: SeedItem): void {
  const { start_price_cents, reserve_price_cents, buy_now_price_cents, quantity, purchases, left, winner } = item;
  const bids = rankedBids(item.bids);
  expect(item.bids.every((bid) => bid.max_cents >= bid.amount_cents && bid.max_cents <= LIMITS.amount_cents_max)).toBe(true);
  expect(reserve_price_cents ?? start_price_cents).toBeGreaterThanOrEqual(start_price_cents);
  expect(quantity).toBeLessThanOrEqual(buy_now_price_cents === null ? 1 : LIMITS.quantity_max);
  if (buy_now_price_cents === null) expect(purchases).toEqual([]);
  else expect(buy_now_price_cents).toBeGreaterThanOrEqual(reserve_price_cents ?? start_price_cents);
  const bought = purchases.reduce((sum, one) => sum + one.quantity, 0);
  expect(bought + (winner === null ? 0 : 1) + left).toBe(quantity);
  for (const { buyer, bought_in_ms } of purchases) {
    expect(buyer).not.toBe(item.seller);
    expect(bought_in_ms >= item.opened_in_ms && bought_in_ms < Math.min(0, item.closes_in_ms)).toBe(true);
  }
  if (item.closes_in_ms > 0) return expect([winner, item.final_price_cents, item.ended_by, left > 0]).toEqual([null, null, null, true]);
  if (bought === quantity) return expect([winner, item.ended_by]).toEqual([null, 'sold_out']);
  expect(item.ended_by).toBe('time');
  const wins = bids.length > 0 && reserveOf(item, bids) !== 'not_met';
  expect(item.final_price_cents).toBe(wins ? priceOf(item, bids) : null);
  expect(winner === null ? undefined : `u${winner + 1}`).toBe(wins ? bids[0]?.bidder.id : undefined);
}

describe('Random', () => {
  test('draws in proportion to the weights', () => {
    const random = new Random(5);
    const draw = new WeightedDraw([1, 0, 3]);
    const counts = [0, 0, 0];
    for (let i = 0; i < 40_000; i++) {
      const index = draw.draw(random);
      counts[index] = (counts[index] ?? 0) + 1;
    }
    expect(counts[1]).toBe(0);
    expect((counts[2] ?? 0) / (counts[0] ?? 1)).toBeCloseTo(3, 0);
  });

  test('gives every integer of a range, and none outside it', () => {
    const random = new Random(6);
    const seen = new Set(Array.from({ length: 2_000 }, () => random.integer(-2, 3)));
    expect([...seen].toSorted((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3]);
  });
});

describe('The loaded data set', () => {
  let world: World | null = null;
  afterAll(() => world?.stop());

  test('is the generated one, as seen through the site’s own actions', async () => {
    world = await startWorld();
    const { claret } = world;
    const data = generate('small', 1);
    const options = { now_ms: Date.now(), demo_credentials: null };
    let reported = 0;
    await storeDataSet(claret, data, { ...options, onStep: (_, operations) => void (reported += operations) });
    expect(reported).toBe(countOperations(claret, data, options));

    const open = data.items.filter((item) => item.closes_in_ms > 0);
    expect(await openCount(claret, browseIndex({ category_id: null, region_id: null }))).toBe(open.length);
    const page = await browse(claret, { category_id: null, region_id: null, now_ms: options.now_ms, after: null });
    const soonest = open.toSorted((a, b) => a.closes_in_ms - b.closes_in_ms).slice(0, LIMITS.page_size);
    expect(page.items.map((item) => item.id).toSorted()).toEqual(soonest.map((item) => item.id).toSorted());

    for (const item of data.items.slice(0, 40).concat(data.items.slice(-40))) {
      const viewed = await viewAuction(claret, { item_id: item.id });
      const winner = item.winner === null ? null : { id: data.users[item.winner]?.id, nickname: data.users[item.winner]?.nickname };
      expect(viewed).toMatchObject({
        auction: { bid_count: item.bid_count, info: { title: item.title, winner, status: item.closes_in_ms < 0 ? 'closed' : 'open' } },
      });
      if (viewed.refused !== null) throw new Error(viewed.refused);
      const [top] = rankedBids(item.bids);
      expect(viewed.auction.bids[0]).toMatchObject(top === undefined ? {} : { amount_cents: top.amount_cents, max_cents: top.max_cents });
      expect(currentPrice(viewed.auction)).toBe(priceOf(item, rankedBids(item.bids)));
      const { info } = viewed.auction;
      const { left } = await viewStock(claret, { item_id: item.id, info });
      expect(left).toBe(item.buy_now_price_cents === null ? null : item.left);
      expect((await viewSale(claret, { item_id: item.id, info })).purchases).toHaveLength(item.purchases.length);
    }

    // The demo accounts take part in auctions of every kind.
    for (const user of data.users.slice(0, DEMO_NAMES.length)) {
      const mine = await myItems(claret, { user_id: user.id, now_ms: options.now_ms });
      for (const [section, entries] of Object.entries(mine)) expect(entries.length, `${user.nickname}: ${section}`).toBeGreaterThan(0);
      expect(new Set(mine.bidding.map((one) => one.standing)), user.nickname).toEqual(new Set(['leading', 'outbid']));
      expect((await readInbox(claret, { user_id: user.id, now_ms: options.now_ms })).unread).toBeGreaterThan(3);
    }

    const [comment] = data.comments;
    const about = data.users[comment?.about ?? 0];
    const ratings = data.comments.filter((one) => one.about === comment?.about).map((one) => one.rating);
    const person = await viewUser(claret, { user_id: about?.id ?? '', now_ms: options.now_ms });
    const mean = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
    expect(person).toMatchObject({ page: { rating: { count: ratings.length, mean: expect.closeTo(mean, 9) } } });
  });
});
