// Pages where shards promise results: answered from the server's memory without a message, the same as without promises, and never old.
import type { App } from '@claret/site/http.ts';
import { TEST_COST, type Answer } from '@claret/site/testing/visitor.ts';
import { answerFromMemory, setWarranties } from '@claret/site/testing/warranties.ts';
import type { Claret } from '@claret/client';
import { COST_HEADER, readCost } from '@claret/ui/site/cost.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { newComment } from '../actions/new-comment.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';

let world: World;
let site: Claret;
let app: App;
let stranger: Visitor;
let seller: { id: string; nickname: string };
let items: string[];
let urls: string[];

beforeAll(async () => {
  world = await startWorld();
  site = await world.cluster.connect({ name: 'site' });
  app = await buildApp({ claret: site, password_cost: TEST_COST });
  stranger = new Visitor(app);
  seller = await world.person('seller');
  const [one, other] = [await world.person('one'), await world.person('other')];
  items = await Promise.all([
    world.auction(seller, { title: 'Plain Lamp' }),
    world.auction(seller, { title: 'Many Lamps', quantity: 3, buy_now_price_cents: 900_00, reserve_price_cents: 500_00 }),
    world.auction(seller, { title: 'Old Lamp', buy_now_price_cents: 900_00 }),
  ]);
  for (const item_id of items) {
    await world.bids(item_id, one, 5_00, 20_00);
    await world.bids(item_id, other, 8_00);
  }
  await world.buys(items[1]!, other);
  await closeAuction(world.claret, { item_id: items[2]!, now_ms: Date.now() + 2 * DAY_MS });
  const comment = { item_id: items[2]!, from: one, rating: 4, text: 'It shines.', created_at_ms: Date.now() };
  expect((await newComment(world.claret, { ...comment, about: { party_id: null } })).refused).toBeNull();
  urls = [
    ...items.flatMap((id) => [`/api/items/${id}`, `/api/items/${id}/page`, `/api/items/${id}/page?visit=1`, `/api/items/${id}/bids`]),
    '/api/items',
    '/api/items?category=home&region=ny-albany',
    '/api/items?category=toys',
    `/api/users/${seller.id}`,
    '/api/popular',
    '/api/items/none',
    '/api/users/none',
  ];
});
afterAll(async () => {
  await app.close();
  await world.stop();
});
// A bucket of the lists' time begins anew every 10 s.
beforeEach(async () => {
  const left_ms = 10_000 - (site.clock.nowMs() % 10_000);
  if (left_ms < 4_000) await new Promise((resolve) => setTimeout(resolve, left_ms));
});

const bucket = () => Math.floor(site.clock.nowMs() / 10_000);
/** On a slow machine a bucket may end all the same: then the body runs again. */
const inOneBucket = (body: () => Promise<void>) => async () => {
  for (;;) {
    const began = bucket();
    try {
      return await body();
    } catch (error) {
      if (bucket() === began) throw error;
    }
  }
};

const told = ({ status, raw }: Answer) => ({
  status,
  body: JSON.parse(raw.body, (name, value) => (name === 'server_time_ms' ? null : value)) as unknown,
});

/** A part of a page that is late, as on a busy machine, is left out of it: then the page is asked for again. */
const whole = (url: string): Promise<Answer> =>
  vi.waitFor(async () => {
    const answer = await stranger.get(url);
    expect(answer.body['seller'], url).not.toBeNull();
    return answer;
  });

test(
  'A page is told the same, computed, from memory or read from the store, and says what needed no message',
  inOneBucket(async () => {
    await setWarranties(world.cluster, 'off', site);
    const stored = await Promise.all(urls.map(async (url) => told(await whole(url))));
    await setWarranties(world.cluster, 'auto', site);
    for (let n = 0; n < 3; n++) {
      for (const [i, url] of urls.entries()) expect(told(await whole(url)), `${url}, ${n}`).toEqual(stored[i]);
    }
    for (const [i, url] of urls.entries()) {
      expect(told(await answerFromMemory(world.cluster, site, () => stranger.get(url))), url).toEqual(stored[i]);
    }
    expect(site.computations.stats.impure).toBe(0);
  }),
);

test('The cost of a page from memory names the same transactions and as many operations as that of one that is read', async () => {
  const costOf = async (url: string) => {
    const cost = readCost(String((await stranger.get(url)).raw.headers[COST_HEADER]));
    return cost.map(({ label, operations }) => `${label}: ${operations}`).toSorted();
  };
  const asked = urls.filter((url) => url !== '/api/popular');
  await setWarranties(world.cluster, 'off', site);
  const stored = await Promise.all(asked.map(costOf));
  await setWarranties(world.cluster, 'auto', site);
  // A promise that ends while a page is made leaves its reading out of the page's cost, so that page is asked for again.
  const isAsRead = async (i: number) => expect(await costOf(asked[i]!), asked[i]).toEqual(stored[i]);
  for (const i of asked.keys()) for (let n = 0; n < 4; n++) await vi.waitFor(() => isAsRead(i));
});

test('Where shards promise what is worth while, a page that is asked for often needs no message', async () => {
  await setWarranties(world.cluster, 'auto', site);
  for (const url of [`/api/items/${items[0]}`, `/api/items/${items[2]}/page?visit=1`]) {
    for (let n = 0; n < 20; n++) {
      const answer = await answerFromMemory(world.cluster, site, () => stranger.get(url));
      expect(answer.status).toBe(200);
    }
  }
});

describe('With pages in memory', () => {
  beforeEach(() => setWarranties(world.cluster, 'auto', site));

  const hot = async (url: string): Promise<Answer> => {
    for (let n = 0; n < 3; n++) await stranger.get(url);
    return stranger.get(url);
  };

  test('a bid, a purchase, a watcher and the end of an auction are seen by the next request', async () => {
    const buyer = await world.person('buyer');
    const item_id = await world.auction(seller, { category_id: 'toys', quantity: 2, buy_now_price_cents: 900_00 });
    const [page, list, own] = [`/api/items/${item_id}`, '/api/items?category=toys', `/api/users/${seller.id}`];
    const live = async () => (await hot(page)).body['live'] as Record<string, unknown>;
    const card = async (url: string, name: string) => ((await hot(url)).body[name] as { id: string }[]).find(({ id }) => id === item_id);
    expect(await live()).toMatchObject({ bid_count: 0, watchers: 0, buy_now: { left: 2 } });
    for (let n = 1; n <= 3; n++) {
      await world.bids(item_id, buyer, 10_00 * n);
      expect(await live()).toMatchObject({ bid_count: n, price_cents: 10_00 * n });
      expect(await card(list, 'items')).toMatchObject({ bid_count: n, price_cents: 10_00 * n });
      expect(await card(own, 'selling')).toMatchObject({ bid_count: n });
      expect((await hot(`${page}/bids`)).body).toMatchObject({ bid_count: n });
    }
    await world.buys(item_id, buyer);
    expect(await live()).toMatchObject({ buy_now: { left: 1 } });
    const watcher = await new Visitor(app).register('watcher');
    expect((await watcher.put(`${page}/watch`)).body).toMatchObject({ watching: true, watchers: 1 });
    expect(await live()).toMatchObject({ watchers: 1 });
    await closeAuction(world.claret, { item_id, now_ms: Date.now() + 2 * DAY_MS });
    expect(await live()).toMatchObject({ status: 'closed' });
    expect([await card(list, 'items'), await card(own, 'selling')]).toEqual([undefined, undefined]);
  });

  test('a list leaves out what has ended, without a change in the store', async () => {
    const [closes_at_ms, longer_ms] = [Date.now() + 1_500, Date.now() + DAY_MS];
    const [ends, stays] = [
      await world.auction(seller, { category_id: 'garden', closes_at_ms }),
      await world.auction(seller, { category_id: 'garden', closes_at_ms: longer_ms }),
    ];
    const ids = async () => ((await stranger.get('/api/items?category=garden')).body['items'] as { id: string }[]).map(({ id }) => id);
    for (let n = 0; n < 3; n++) {
      const shown = await ids();
      if (Date.now() < closes_at_ms) expect(shown).toEqual([ends, stays]);
    }
    await vi.waitFor(async () => expect(await ids()).toEqual([stays]));
    expect(Date.now()).toBeGreaterThan(closes_at_ms);
  });

  test('somebody who is logged in sees their own part, and others do not', async () => {
    const bidder = await new Visitor(app).register('bidder');
    const item_id = await world.auction(seller);
    expect((await bidder.post(`/api/items/${item_id}/bids`, { amount_cents: 20_00, max_cents: 77_77 })).status).toBe(201);
    for (let n = 0; n < 4; n++) {
      expect((await bidder.get(`/api/items/${item_id}`)).body['viewer']).toMatchObject({ standing: 'leading', my_max_cents: 77_77 });
      expect((await stranger.get(`/api/items/${item_id}`)).body['viewer']).toBeNull();
    }
    expect((await hot(`/api/items/${item_id}`)).raw.body).not.toContain('7777');
  });
});
