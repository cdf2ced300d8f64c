// The data set: deterministic, of the right size and shape, and the same in the store.
import { createHash } from 'node:crypto';

import { Random, WeightedDraw } from '@claret/site/data/random.ts';
import { Check } from 'typebox/value';
import { afterAll, describe, expect, test } from 'vitest';

import { browse, browseIndex, openCount } from '../actions/browse.ts';
import { viewAuction } from '../actions/view-auction.ts';
import { viewUser } from '../actions/view-user.ts';
import { LIMITS, Nickname } from '../api.ts';
import { startWorld, type World } from '../testing/world.ts';
import { bidCounts } from './bidding.ts';
import { CATEGORIES, isCategory } from './categories.ts';
import { generate, type DataSet } from './generate.ts';
import { REGIONS, isRegion } from './regions.ts';
import { storeDataSet, countOperations } from './store.ts';
import { VOCABULARIES } from './vocabulary.ts';

const digest = (data: DataSet): string =>
  createHash('sha256')
    .update(JSON.stringify(data, (_, value: unknown) => (value instanceof Set ? [...value] : value)))
    .digest('hex');

describe('The generator', () => {
  test('gives the same data set for the same seed, and another for another', () => {
    const first = digest(generate('small', 7));
    expect(digest(generate('small', 7))).toBe(first);
    expect(digest(generate('small', 8))).not.toBe(first);
  });

  test('gives the very bytes it gave when this was written', () => {
    // To be changed when the generator or its words change on purpose.
    const { users, items } = generate('small', 1);
    expect(users.slice(0, 6).map((user) => user.nickname)).toEqual([
      'demo1', 'demo2', 'demo3', 'demo4', 'silver_wren', 'jolly_robin',
    ]);
    expect(items[0]).toMatchObject({
      title: 'Holiday Snow Globe, Set of 4',
      category_id: 'keepsakes',
      seller: 152,
      start_price_cents: 28_00,
      bid_count: 71,
      closes_in_ms: 180_306,
    });
  });

  test('knows 62 regions and 40 categories, and has words for each', () => {
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
      if (item.winner !== null) expect(Math.max(...amounts)).toBe(amounts.at(-1));
    }
    const soon = items.filter((item) => item.closes_in_ms > 0 && item.closes_in_ms <= 5 * 60_000);
    expect(soon.length).toBeGreaterThanOrEqual(12);
    expect(soon.every((item) => item.closes_in_ms >= 60_000)).toBe(true);
  });
});

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

  test('gives every integer of a range, and none beside it', () => {
    const random = new Random(6);
    const seen = new Set(Array.from({ length: 2_000 }, () => random.integer(-2, 3)));
    expect([...seen].toSorted((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3]);
  });
});

describe('The loaded data set', () => {
  let world: World | null = null;
  afterAll(() => world?.stop());

  test('is what was generated, seen through the site’s own actions', async () => {
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
      const top = viewed.refused === null ? viewed.auction.bids[0] : undefined;
      expect(top?.amount_cents).toBe(item.bids.at(-1)?.amount_cents);
    }

    const [comment] = data.comments;
    const about = data.users[comment?.about ?? 0];
    const ratings = data.comments.filter((one) => one.about === comment?.about).map((one) => one.rating);
    const person = await viewUser(claret, { user_id: about?.id ?? '', now_ms: options.now_ms });
    const mean = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
    expect(person).toMatchObject({ page: { rating: { count: ratings.length, mean: expect.closeTo(mean, 9) } } });
  });
});
