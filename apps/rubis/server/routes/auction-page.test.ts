// The page of an auction in one answer: what its parts' own routes answer, and what it does without.
import type { App } from '@claret/site/http.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import type { AuctionPage, Catalogue, CommentView, UserView } from '../api.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';

const timeless = (part: unknown): unknown => JSON.parse(JSON.stringify(part, (name, value) => (name === 'server_time_ms' ? null : value)));
const pageOf = async (visitor: Visitor, item_id: string, query = ''): Promise<AuctionPage> =>
  (await visitor.get(`/api/items/${item_id}/page${query}`)).body as never;
const bodyOf = async <Body>(visitor: Visitor, url: string): Promise<Body> => (await visitor.get(url)).body as never;

describe('The page of an auction', () => {
  let world: World;
  let app: App;
  let seller: Visitor;
  let bidder: Visitor;
  let buyer: Visitor;
  let open: string;
  let closed: string;

  beforeAll(async () => {
    world = await startWorld();
    app = await buildApp({ claret: world.claret, password_cost: TEST_COST, dashboard_url: 'http://127.0.0.1:7420/' });
    [seller, bidder, buyer] = (await Promise.all(['seller', 'bidder', 'buyer'].map((name) => new Visitor(app).register(name)))) as [
      Visitor,
      Visitor,
      Visitor,
    ];
    const sale = { quantity: 3, buy_now_price_cents: 90_00 };
    [open, closed] = [await seller.sell(sale), await seller.sell(sale)];
    for (const item_id of [open, closed]) {
      await bidder.post(`/api/items/${item_id}/bids`, { amount_cents: 20_00, max_cents: 40_00 });
      await buyer.post(`/api/items/${item_id}/bids`, { amount_cents: 30_00 });
      await buyer.post(`/api/items/${item_id}/buy`, { quantity: 1 });
    }
    await closeAuction(world.claret, { item_id: closed, now_ms: Date.now() + DAY_MS });
    await buyer.post(`/api/items/${open}/comments`, { rating: 3, text: 'Of the open one.' });
    await buyer.post(`/api/items/${closed}/comments`, { rating: 5, text: 'Of the closed one.' });
    await bidder.post(`/api/items/${closed}/comments`, { rating: 4, text: 'Won it.' });
    await seller.post(`/api/items/${closed}/comments`, { rating: 1, text: 'Of the winner.', about_user_id: bidder.id });
  });
  afterAll(async () => {
    await app.close();
    await world.stop();
  });

  test('has what the routes of its parts answer, for whoever takes part and for others', async () => {
    for (const visitor of [seller, bidder, buyer, new Visitor(app)]) {
      for (const item_id of [open, closed]) {
        const { seller: about, catalogue, views, visit, ...view } = await pageOf(visitor, item_id, '?opened=1&visit=1');
        expect(timeless(view)).toEqual(timeless(await bodyOf(visitor, `/api/items/${item_id}`)));
        const { rating, comments } = await bodyOf<UserView>(visitor, `/api/users/${seller.id}`);
        expect(about).toEqual({ rating, comments: comments.filter((comment: CommentView) => comment.item_id === item_id) });
        expect(about?.comments).toHaveLength(item_id === open ? 1 : 2);
        expect(views).toBeGreaterThan(0);
        expect(timeless(visit?.session)).toEqual(timeless(await bodyOf(visitor, '/api/session')));
        expect(visit?.unusual).toBe((await bodyOf<{ unusual: string | null }>(visitor, '/api/conditions')).unusual);
        const inbox = visitor.id === '' ? null : await bodyOf(visitor, '/api/me/inbox?unread=1');
        expect(timeless(visit?.inbox)).toEqual(timeless(inbox));
        const whole = await bodyOf<Catalogue>(visitor, '/api/catalogue');
        expect(catalogue.increments).toEqual(whole.increments);
        expect(catalogue.categories).toEqual(whole.categories.filter(({ id }) => id === view.item.category_id));
        expect(catalogue.regions).toEqual(whole.regions.filter(({ id }) => id === view.item.region_id));
        expect([catalogue.categories.length, catalogue.regions.length]).toEqual([1, 1]);
      }
    }
  });

  test('has nothing of the visit unless it begins it, and may be kept by nobody', async () => {
    for (const query of ['', '?opened=1']) expect((await pageOf(bidder, open, query)).visit).toBeNull();
    const { raw } = await bidder.get(`/api/items/${open}/page?visit=1`);
    expect(raw.headers['cache-control']).toBe('no-store');
    expect(raw.headers).not.toHaveProperty('etag');
  });

  test.each(['?opened=2', '?visit=', '?visit=1&more=1'])('is not asked for by %s', async (query) => {
    expect((await bidder.get(`/api/items/${open}/page${query}`)).body.code).toBe('invalid_input');
  });
});

test('Where the seller’s shard is away, an auction’s page is whole but for what it says of its seller', async () => {
  const world = await startWorld();
  const app = await buildApp({ claret: world.claret, password_cost: TEST_COST });
  try {
    // Each on a shard by chance: of so many, there are some of each kind.
    const items = await Promise.all(Array.from({ length: 60 }, async (_, i) => world.auction(await world.person(`seller${i}`))));
    const stranger = new Visitor(app);
    const before = await Promise.all(items.map((item_id) => pageOf(stranger, item_id)));
    world.cluster.hosts[1]!.stop();
    const answers = await Promise.all(items.map((item_id) => stranger.send('GET', `/api/items/${item_id}/page?visit=1`)));
    const there = answers.flatMap(({ status, body }, i) =>
      status === 200 ? [{ page: body as unknown as AuctionPage, was: before[i]! }] : [],
    );
    for (const { page, was } of there) {
      expect([page.item, page.live, page.catalogue]).toEqual([was.item, was.live, was.catalogue]);
      expect(page.visit?.session.user).toBeNull();
    }
    const [told, untold] = [there.filter(({ page }) => page.seller !== null), there.filter(({ page }) => page.seller === null)];
    expect(told.length).toBeGreaterThan(0);
    expect(untold.length).toBeGreaterThan(0);
    for (const { page, was } of told) expect(page.seller).toEqual(was.seller);
    expect(answers.filter(({ status }) => status !== 200).every(({ body }) => body.code === 'busy')).toBe(true);
  } finally {
    await app.close();
    await world.stop();
  }
});
