// The transaction costs that the site's answers report.
import type { App } from '@claret/site/http.ts';
import { TEST_COST, type Answer } from '@claret/site/testing/visitor.ts';
import { COST_HEADER, readCost, type TransactionCost } from '@claret/ui/site/cost.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { LIMITS } from '../api.ts';
import { CATEGORIES } from '../data/categories.ts';
import { buildApp } from '../app.ts';
import { key } from '../model.ts';
import { Visitor } from '../testing/visitor.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';

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
  const rows = readCost(String(raw.headers[COST_HEADER] ?? '[]'));
  return Object.fromEntries(rows.map((row) => [row.label, row]));
}

describe('The cost of an answer', () => {
  test('names the transactions of a bid and of a page', async () => {
    const seller = await new Visitor(app).register('seller');
    const buyer = await new Visitor(app).register('buyer');
    const item_id = await seller.sell();
    const bid = costOf(await buyer.post(`/api/items/${item_id}/bids`, { amount_cents: 12_00 }));
    expect(Object.keys(bid)).toEqual(['Bid']);
    expect(bid['Bid']).toMatchObject({ count: 1, retries: 0 });
    expect(bid['Bid']!.operations).toBeGreaterThan(2);
    expect(bid['Bid']!.duration_ms).toBeGreaterThan(0);
    expect(costOf(await buyer.get(`/api/items/${item_id}`))).toMatchObject({ ViewAuction: { count: 1 } });
  });

  test('of the bell is small once the inbox has been opened, and of a whole inbox one transaction for each auction', async () => {
    const seller = await new Visitor(app).register('seller_bell');
    const [bidder, rival] = [await new Visitor(app).register('bidder_bell'), await new Visitor(app).register('rival_bell')];
    const AUCTIONS = 6;
    const items = await Promise.all(Array.from({ length: AUCTIONS }, () => seller.sell({ quantity: 2, buy_now_price_cents: 50_00 })));
    for (const item_id of items) {
      await bidder.post(`/api/items/${item_id}/bids`, { amount_cents: 10_00 });
      await rival.post(`/api/items/${item_id}/bids`, { amount_cents: 12_00 });
    }
    const count = (answer: Answer) => Object.fromEntries(Object.entries(costOf(answer)).map(([label, row]) => [label, row.count]));
    const ended = items.slice(0, 2);
    for (const item_id of ended) await closeAuction(world.claret, { item_id, now_ms: Date.now() + DAY_MS });
    const past = ended.map((item_id) => world.claret.on.scoredSet(key.bidding(bidder.id)).add(item_id, Date.now() - 60 * 60_000));
    await world.claret.transact('Test', past);
    const whole = await bidder.get('/api/me/inbox');
    expect(whole.body['unread']).toBe(AUCTIONS);
    expect(count(whole)).toEqual({ Inbox: 1 + AUCTIONS });
    expect(count(await bidder.get('/api/me'))).toMatchObject({ MyPage: 1 + AUCTIONS });
    const bell = await bidder.get('/api/me/inbox?unread=1');
    expect(bell.body['unread']).toBe(AUCTIONS);
    expect(count(bell)).toEqual({ Inbox: 1 + ended.length });
    await world.claret.transact('Test', [world.claret.on.topK(key.inbox_seen(bidder.id)).add('until', Date.now() + DAY_MS)]);
    const seen = await bidder.get('/api/me/inbox?unread=1');
    expect(seen.body).toMatchObject({ unread: 0, notices: [] });
    expect(count(seen)).toEqual({ Inbox: 1 });
  });

  test('of the bell is bounded, however many auctions have ended since the inbox was opened', async () => {
    const person = await new Visitor(app).register('away_bell');
    const seller = await new Visitor(app).register('away_seller');
    const items = await Promise.all(Array.from({ length: LIMITS.unread_counted_max + 3 }, () => seller.sell()));
    for (const item_id of items) await closeAuction(world.claret, { item_id, now_ms: Date.now() + DAY_MS });
    const list = world.claret.on.scoredSet(key.selling(seller.id));
    await world.claret.transact(
      'Test',
      items.map((item_id) => list.add(item_id, Date.now() - 60_000)),
    );
    const bell = await seller.get('/api/me/inbox?unread=1');
    expect(bell.body['unread']).toBe(LIMITS.unread_counted_max);
    expect(costOf(bell)['Inbox']?.count).toBe(1 + LIMITS.unread_counted_max);
    expect(costOf(await person.get('/api/me/inbox?unread=1'))['Inbox']?.count).toBe(1);
  });

  test('is reported also for a refused request, and omitted if no transaction ran', async () => {
    const seller = await new Visitor(app).register('seller_b');
    const item_id = await seller.sell();
    const refused = await seller.post(`/api/items/${item_id}/comments`, { rating: 5, text: 'It shines brightly.' });
    expect(refused.body.code).toBe('auction_open');
    expect(Object.keys(costOf(refused))).toEqual(['NewComment']);
    const stranger = new Visitor(app);
    for (const answer of [await stranger.get('/livez'), await stranger.get('/api/session'), await stranger.get('/api/items?cursor=~')]) {
      expect(answer.raw.headers).not.toHaveProperty(COST_HEADER);
    }
  });

  test('of a cached answer is charged to the request that filled the cache', async () => {
    const visitor = new Visitor(app);
    const [first, second] = await Promise.all([visitor.get('/api/popular'), visitor.get('/api/popular')]);
    const counts = [costOf(first), costOf(second), costOf(await visitor.get('/api/popular'))].map((cost) => cost['OpenCount']?.count ?? 0);
    expect(counts).toEqual([CATEGORIES.length, 0, 0]);
  });

  test('is not reported by a live stream', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const seller = await new Visitor(app).register('seller_c');
    const stop = new AbortController();
    const stream = await fetch(`${address}/api/live`, { headers: { cookie: seller.cookie! }, signal: stop.signal });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.headers.has(COST_HEADER)).toBe(false);
    stop.abort();
  });
});
