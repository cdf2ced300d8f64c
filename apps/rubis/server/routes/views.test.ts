// The count of an auction's views, over the routes of a real app server.
import type { App } from '@claret/site/http.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { COST_HEADER } from '@claret/ui/site/cost.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buildApp } from '../app.ts';
import { key } from '../model.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
let app: App;
let seller: Visitor;
let item_id: string;

beforeAll(async () => {
  world = await startWorld();
  app = await buildApp({ claret: world.claret, password_cost: TEST_COST });
  seller = await new Visitor(app).register('seller');
  item_id = await seller.sell();
});
afterAll(async () => {
  await app.close();
  await world.stop();
});

const viewsOf = async (item: string) => Number(await world.claret.native.counter(key.item_views(item)).value());
const view = (by: Visitor, item = item_id) => by.post(`/api/items/${item}/views`);
const begun = () => world.cluster.shards.reduce((sum, shard) => sum + shard.counters().begun, 0);
const records = () => world.cluster.shards.reduce((sum, shard) => sum + shard.counters().records, 0);

describe('A view of an auction', () => {
  test('is counted for anyone, answers how many there have been, and is no transaction', async () => {
    const before = begun();
    const answers = [await view(new Visitor(app)), await view(seller), await view(new Visitor(app))];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([1, 2, 3].map((views) => [200, { views }]));
    expect(begun()).toBe(before);
    for (const { raw } of answers) expect(raw.headers).not.toHaveProperty(COST_HEADER);
  });

  test('is counted once for each of many at the same time', async () => {
    const item = await seller.sell();
    const answers = await Promise.all(Array.from({ length: 50 }, () => view(new Visitor(app), item)));
    expect(answers.map(({ body }) => Number(body['views'])).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
  });

  test('is not counted by reading the auction, its bids or its live stream', async () => {
    const before = await viewsOf(item_id);
    for (const url of ['', '/page', '/page?visit=1', '/bids']) expect((await seller.get(`/api/items/${item_id}${url}`)).status).toBe(200);
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const stop = new AbortController();
    const stream = await fetch(`${address}/api/live?items=${item_id}`, { signal: stop.signal });
    await stream.body!.getReader().read();
    stop.abort();
    expect(await viewsOf(item_id)).toBe(before);
  });

  test('is counted, and told, by reading the page as it is opened', async () => {
    const before = await viewsOf(item_id);
    const opened = await new Visitor(app).get(`/api/items/${item_id}/page?opened=1`);
    expect([opened.status, opened.body['views']]).toEqual([200, before + 1]);
    expect((await seller.get(`/api/items/${item_id}/page`)).body['views']).toBeNull();
    expect((await view(seller)).body).toEqual({ views: before + 2 });
  });

  test('of no auction is refused, and leaves no record', async () => {
    const before = records();
    for (const id of ['nothing', '__proto__', '9'.repeat(64)]) {
      const unknown = { status: 404, body: { code: 'unknown_item' } };
      expect(await view(new Visitor(app), id)).toMatchObject(unknown);
      expect(await new Visitor(app).get(`/api/items/${id}/page?opened=1&visit=1`)).toMatchObject(unknown);
    }
    expect(records()).toBe(before);
  });

  test('from another site is refused', async () => {
    const before = await viewsOf(item_id);
    const foreign = { 'x-claret-csrf': '1', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const headers of [{}, foreign]) {
      for (const [method, path] of [
        ['POST', 'views'],
        ['GET', 'page?opened=1'],
      ] as const) {
        const answer = await new Visitor(app).send(method, `/api/items/${item_id}/${path}`, undefined, headers);
        expect([answer.status, answer.body.code]).toEqual([403, 'csrf_missing']);
      }
    }
    expect(await viewsOf(item_id)).toBe(before);
  });
});
