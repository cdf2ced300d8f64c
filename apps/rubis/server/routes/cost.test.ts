// What the site's answers say of the transactions behind them.
import type { App } from '@claret/site/http.ts';
import { TEST_COST, type Answer } from '@claret/site/testing/visitor.ts';
import { COST_HEADER, type TransactionCost } from '@claret/ui/site/cost.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CATEGORIES } from '../data/categories.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
let app: App;

beforeAll(async () => {
  world = await startWorld();
  app = await buildApp({ claret: world.claret, password_cost: TEST_COST });
});
afterAll(async () => {
  await app.close();
  await world.stop();
});

function costOf({ raw }: Answer): Record<string, TransactionCost> {
  const rows = JSON.parse(String(raw.headers[COST_HEADER] ?? '[]')) as TransactionCost[];
  return Object.fromEntries(rows.map((row) => [row.label, row]));
}

describe('The cost of an answer', () => {
  test('names what a bid and a page ran', async () => {
    const seller = await new Visitor(app).register('seller');
    const buyer = await new Visitor(app).register('buyer');
    const item_id = await seller.sell();
    const bid = costOf(await buyer.post(`/api/items/${item_id}/bids`, { amount_cents: 12_00 }));
    expect(Object.keys(bid)).toEqual(['ReadSession', 'Bid']);
    expect(bid['Bid']).toMatchObject({ count: 1, retries: 0 });
    expect(bid['Bid']!.operations).toBeGreaterThan(2);
    expect(bid['Bid']!.duration_ms).toBeGreaterThan(0);
    expect(costOf(await buyer.get(`/api/items/${item_id}`))).toMatchObject({ ViewAuction: { count: 1 }, ReadSession: { count: 1 } });
  });

  test('is told where a request was refused, and stands nowhere where nothing was run', async () => {
    const seller = await new Visitor(app).register('seller_b');
    const item_id = await seller.sell();
    const refused = await seller.post(`/api/items/${item_id}/bids`, { amount_cents: 12_00 });
    expect(refused.body.code).toBe('own_item');
    expect(Object.keys(costOf(refused))).toEqual(['ReadSession']);
    const stranger = new Visitor(app);
    for (const answer of [await stranger.get('/livez'), await stranger.get('/api/session'), await stranger.get('/api/items?cursor=~')]) {
      expect(answer.raw.headers).not.toHaveProperty(COST_HEADER);
    }
  });

  test('of what is kept for all falls on the request that had it read', async () => {
    const visitor = new Visitor(app);
    const [first, second] = await Promise.all([visitor.get('/api/popular'), visitor.get('/api/popular')]);
    const counts = [costOf(first), costOf(second), costOf(await visitor.get('/api/popular'))].map((cost) => cost['OpenCount']?.count ?? 0);
    expect(counts).toEqual([CATEGORIES.length, 0, 0]);
  });

  test('is not told by a live stream', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const seller = await new Visitor(app).register('seller_c');
    const stop = new AbortController();
    const stream = await fetch(`${address}/api/live`, { headers: { cookie: seller.cookie! }, signal: stop.signal });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.headers.has(COST_HEADER)).toBe(false);
    stop.abort();
  });
});
