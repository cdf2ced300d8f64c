// Public resources of the auction site, with a real cluster: what caches are told, and that it is true.
import { systemEnvironment, type Claret } from '@claret/client';
import type { App } from '@claret/site/http.ts';
import { setWarranties } from '@claret/site/testing/warranties.ts';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PublicPopular } from './api.ts';
import { buildApp } from './app.ts';
import { startWorld, type World } from './testing/world.ts';

let world: World;
let app: App;
let item_id: string;

beforeEach(async () => {
  // Caches have clocks of their own, which go on while this process stands still.
  world = await startWorld({ environment: systemEnvironment, shardOptions: { warrantyFirmMsMax: 3_000 } });
  await warranties('auto');
  const seller = await world.person('seller');
  item_id = await world.auction(seller);
  await serve();
});
afterEach(async () => {
  await app.close();
  await world.stop();
});

const warranties = (policy: 'auto' | 'off') => setWarranties(world.cluster, policy);

async function serve(options: { proxies?: string[] } = {}): Promise<void> {
  const claret: Claret = await world.cluster.connect({ name: 'site' });
  await app?.close();
  app = await buildApp({ claret, ...options });
}

/** When that was asked for last, where caches may keep the answer for a second. */
const lastKeptMs = async (asked: () => Promise<LightMyRequestResponse>): Promise<number> => {
  let fromMs = 0;
  const cacheControl = async () => {
    fromMs = performance.now();
    return (await asked()).headers['cache-control'];
  };
  await expect.poll(cacheControl).toBe('public, max-age=1, must-revalidate');
  return fromMs;
};
/** A request in which this process stands still for long is busy. */
async function get(headers: Record<string, string> = {}, id = item_id): Promise<LightMyRequestResponse> {
  let answer: LightMyRequestResponse;
  do answer = await app.inject({ method: 'GET', url: `/public/items/${id}`, headers });
  while (answer.statusCode === 503);
  return answer;
}

test('an auction is told without a visitor, and its answer has a tag', async () => {
  const answer = await get();
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ item: { id: item_id, title: 'Green Lamp' }, live: { bid_count: 0, watchers: 0 } });
  expect(JSON.stringify(answer.json())).not.toMatch(/server_time|viewer|my_/);
  expect(answer.headers['content-type']).toContain('application/json');
  expect(answer.headers['set-cookie']).toBeUndefined();
  const again = await get({ 'if-none-match': String(answer.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect((await get({ 'if-none-match': '"another", W/"one"' })).statusCode).toBe(200);
});

test('caches may keep it for whole seconds once its results are promised, and only then', async () => {
  await warranties('off');
  await expect.poll(async () => (await get()).headers['cache-control']).toBe('public, no-cache');
  await warranties('auto');
  // A promise may end before its results are asked for again.
  const headers = async () => (await get()).headers;
  await expect.poll(headers).toMatchObject({
    'cache-control': 'public, max-age=1, must-revalidate',
    'claret-warranty': expect.stringMatching(/^for=2[89]\d\d$/),
  });
  await warranties('off');
  await expect.poll(async () => (await get()).headers['cache-control']).toBe('public, no-cache');
});

test('behind proxies, the cache of the visitor has to ask each time, and nothing is confirmed that may not be kept', async () => {
  await serve({ proxies: ['127.0.0.1'] });
  const { etag } = (await get()).headers;
  const known = { 'if-none-match': String(etag) };
  expect((await get(known)).statusCode, 'it may be kept').toBe(304);
  await warranties('off');
  await expect.poll(async () => (await get()).headers['cache-control']).toBe('public, no-cache');
  expect((await get(known)).statusCode).toBe(200);
  await warranties('auto');
  await expect.poll(async () => (await get()).headers['cache-control']).toContain('s-maxage');
  expect((await get()).headers['cache-control']).toBe('public, s-maxage=1, max-age=0, must-revalidate, stale-while-revalidate=0');
});

test('the open auctions of each category are told, for as long as none is opened or closed', async () => {
  const popular = async () => app.inject('/public/popular');
  const count = ({ categories }: PublicPopular, id: string) => categories.find(({ category_id }) => category_id === id)?.open_count;
  const first = await popular();
  expect(Object.keys(first.json())).toEqual(['categories']);
  expect(count(first.json(), 'home')).toBe(1);
  expect(count(first.json(), 'toys')).toBe(0);
  const seller = await world.person('another');
  const keptMs = await lastKeptMs(popular);
  await world.auction(seller, { category_id: 'toys' });
  expect(performance.now() - keptMs, 'a cache may still show it without that auction').toBeGreaterThan(1_000);
  expect(count((await popular()).json(), 'toys')).toBe(1);
});

test('the open auctions of a category are told with their ends and without their prices, so that a bid does not wait', async () => {
  const list = () => app.inject('/public/categories/home');
  const expected = { category_id: 'home', items: [{ id: item_id, closes_at_ms: expect.any(Number) }], open_count: 1 };
  expect((await list()).json()).toEqual(expected);
  const [seller, bidder] = [await world.person('another'), await world.person('bidder')];
  let price = 5_00;
  const bidMs = async () => {
    await lastKeptMs(list);
    const fromMs = performance.now();
    await world.bids(item_id, bidder, (price += 1_00));
    return performance.now() - fromMs;
  };
  await expect.poll(bidMs).toBeLessThan(1_000);
  const keptMs = await lastKeptMs(list);
  await world.auction(seller);
  expect(performance.now() - keptMs, 'a cache may still show it without that auction').toBeGreaterThan(1_000);
  expect((await list()).json()).toMatchObject({ open_count: 2 });
  const unknown = await app.inject('/public/categories/none');
  expect([unknown.json().code, unknown.headers['cache-control']]).toEqual(['unknown_category', 'no-store']);
});

test('a bid waits until no cache can show the auction without it', async () => {
  const bidder = await world.person('bidder');
  const keptMs = await lastKeptMs(get);
  const { refused } = await world.bids(item_id, bidder, 5_00);
  expect(refused).toBe(null);
  expect(performance.now() - keptMs).toBeGreaterThan(1_000);
  expect((await get()).json()).toMatchObject({ live: { bid_count: 1 } });
});

test('what is not there is a problem that no cache keeps', async () => {
  const answer = await get({}, 'none');
  expect([answer.statusCode, answer.json().code, answer.headers['cache-control']]).toEqual([404, 'unknown_item', 'no-store']);
});

test('pages of other sites may read it', async () => {
  expect((await get({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).statusCode).toBe(200);
});
