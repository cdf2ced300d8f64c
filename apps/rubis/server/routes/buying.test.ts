// Bids with a maximum, reserves, and buying, through the routes.
import type { App } from '@claret/site/http.ts';
import { EventReader } from '@claret/site/testing/event-reader.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { buildApp } from '../app.ts';
import type { LiveEvents, LiveItem } from '../api.ts';
import { Visitor } from '../testing/visitor.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';

// generous, for a loaded machine
const soon = (check: () => void | Promise<void>): Promise<void> => vi.waitFor(check);

let world: World;
let first: App;
let second: App;
beforeAll(async () => {
  world = await startWorld();
  first = await buildApp({ claret: world.claret, password_cost: TEST_COST });
  second = await buildApp({ claret: await world.cluster.connect(), password_cost: TEST_COST });
  await Promise.all([first, second].map((app) => app.listen({ host: '127.0.0.1', port: 0 })));
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await world.stop();
});

const people = (...nicknames: string[]) =>
  Promise.all(nicknames.map((nickname, i) => new Visitor(i % 2 === 0 ? first : second).register(nickname)));
const liveOf = async (visitor: Visitor, item_id: string) => (await visitor.get(`/api/items/${item_id}`)).body['live'] as LiveItem;
const bids = (visitor: Visitor, item_id: string, amount_cents: number, max_cents?: number) =>
  visitor.post(`/api/items/${item_id}/bids`, max_cents === undefined ? { amount_cents } : { amount_cents, max_cents });
const buys = (visitor: Visitor, item_id: string, quantity = 1) => visitor.post(`/api/items/${item_id}/buy`, { quantity });

describe('A bid with a maximum', () => {
  test('goes only as high as others force it, and ends at that price', async () => {
    const [seller, one, two] = (await people('max_seller', 'max_one', 'max_two')) as [Visitor, Visitor, Visitor];
    const item_id = await seller.sell();
    expect((await bids(one, item_id, 10_00, 100_00)).body).toMatchObject({ accepted: true, amount_cents: 10_00, max_cents: 100_00 });
    expect(await liveOf(two, item_id)).toMatchObject({ price_cents: 10_00, min_next_bid_cents: 10_50, bid_count: 1 });
    await bids(two, item_id, 40_00);
    await soon(async () =>
      expect(await liveOf(two, item_id)).toMatchObject({
        price_cents: 41_00,
        top_bids: [{ amount_cents: 41_00, bidder: { nickname: 'max_one' } }, { amount_cents: 40_00 }],
      }),
    );
    expect((await two.get(`/api/items/${item_id}`)).body['viewer']).toMatchObject({
      standing: 'outbid',
      my_bid_cents: 40_00,
      my_max_cents: 40_00,
    });
    const closed = await closeAuction(world.claret, { item_id, now_ms: Date.now() + DAY_MS });
    expect(closed).toMatchObject({ winner: { nickname: 'max_one' }, final_price_cents: 41_00 });
    // All routes show the same price.
    expect((await one.get('/api/me')).body['won']).toMatchObject([{ item: { price_cents: 41_00 }, my_max_cents: 100_00 }]);
    expect((await seller.get('/api/me')).body['sold']).toMatchObject([{ my_max_cents: null, sales: [{ total_cents: 41_00 }] }]);
  });

  test('can be raised by its leader, which leaves the price; it cannot be lowered, nor raised by others', async () => {
    const [seller, one, two] = (await people('raise_seller', 'raise_one', 'raise_two')) as [Visitor, Visitor, Visitor];
    const item_id = await seller.sell();
    await bids(one, item_id, 10_00, 50_00);
    await bids(two.at(first), item_id, 20_00);
    await soon(async () => expect(await liveOf(one, item_id)).toMatchObject({ price_cents: 20_50 }));
    // Each server compares with what it has seen.
    const servers = [first, second].map((app) => new EventReader<LiveEvents>(app, `/api/live?items=${item_id}`));
    const seen = (count: number) =>
      soon(() => {
        for (const server of servers) {
          expect(server.last('item')?.item.top_bids).toHaveLength(count);
          expect(server.last('item')?.item.price_cents).toBe(20_50);
        }
      });
    await seen(2);
    expect((await bids(one, item_id, 20_50, 80_00)).status).toBe(201);
    await seen(3);
    expect((await bids(one, item_id, 20_50, 60_00)).body).toMatchObject({ code: 'max_not_raised', field: 'max_cents' });
    expect((await bids(one, item_id, 20_49, 90_00)).body).toMatchObject({ code: 'amount_below_minimum' });
    expect((await bids(two, item_id, 20_50, 90_00)).body).toMatchObject({ code: 'amount_below_minimum' });
    expect(await liveOf(one, item_id)).toMatchObject({ price_cents: 20_50, bid_count: 3 });
    await bids(two, item_id, 21_00, 70_00);
    await soon(async () =>
      expect(await liveOf(one, item_id)).toMatchObject({
        price_cents: 71_00,
        top_bids: [{ bidder: { nickname: 'raise_one' } }, {}, {}, {}],
      }),
    );
    for (const server of servers) server.close();
  });

  test('that is overtaken at once notifies its bidder, each time', async () => {
    const [seller, one, two] = (await people('once_seller', 'once_one', 'once_two')) as [Visitor, Visitor, Visitor];
    const item_id = await seller.sell();
    await bids(one, item_id, 10_00, 500_00);
    const reader = new EventReader<LiveEvents>(first, '/api/live', { cookie: two.cookie ?? '' });
    await soon(() => expect(reader.of('hello')).toHaveLength(1));
    for (const amount of [20_00, 30_00]) await bids(two, item_id, amount).then(({ status }) => expect(status).toBe(201));
    await soon(() => expect(reader.of('notice').length).toBeGreaterThan(0));
    await soon(() =>
      expect(reader.last('standing')?.standing).toMatchObject({ standing: 'outbid', my_bid_cents: 30_00, price_cents: 31_00 }),
    );
    const answer = await bids(two, item_id, 40_00);
    await soon(() =>
      expect(reader.last('notice')).toMatchObject({ id: `outbid.${item_id}.${String(answer.body['bid_id'])}`, price_cents: 41_00 }),
    );
    reader.close();
  });

  test('of one bidder, fifty times over, still shows the price that others made', async () => {
    const [seller, one, two] = (await people('deep_seller', 'deep_one', 'deep_two')) as [Visitor, Visitor, Visitor];
    const item_id = await seller.sell();
    const ref = (visitor: Visitor, nickname: string) => ({ id: visitor.id, nickname });
    await world.bids(item_id, ref(two, 'deep_two'), 30_00);
    for (let i = 0; i < 60; i++) await world.bids(item_id, ref(one, 'deep_one'), 10_00, 100_00 + i);
    const price = { price_cents: 31_00 };
    expect(await liveOf(two, item_id)).toMatchObject(price);
    expect((await two.get('/api/me')).body['bidding']).toMatchObject([{ item: price, standing: 'outbid' }]);
    expect((await two.get('/api/search?q=green')).body['items']).toContainEqual(expect.objectContaining({ id: item_id, ...price }));
    expect((await bids(two, item_id, 31_00)).body).toMatchObject({ code: 'amount_below_minimum', min_next_bid_cents: 32_00 });
    const closed = await closeAuction(world.claret, { item_id, now_ms: Date.now() + DAY_MS });
    expect(closed).toMatchObject({ winner: { nickname: 'deep_one' }, final_price_cents: 31_00 });
  });
});

describe('A reserve', () => {
  test('that is not met shows on the pages, and no bid wins', async () => {
    const [seller, bidder] = (await people('low_seller', 'low_bidder')) as [Visitor, Visitor];
    const item_id = await seller.sell({ reserve_price_cents: 30_00 });
    expect(await liveOf(bidder, item_id)).toMatchObject({ reserve: 'not_met', price_cents: 10_00 });
    await bids(bidder, item_id, 29_99);
    expect(await liveOf(bidder, item_id)).toMatchObject({ reserve: 'not_met', price_cents: 29_99 });
    await closeAuction(world.claret, { item_id, now_ms: Date.now() + DAY_MS });
    expect(await liveOf(bidder, item_id)).toMatchObject({
      status: 'closed',
      reserve: 'not_met',
      winner: null,
      ended_by: 'time',
      price_cents: 29_99,
    });
    expect((await bidder.get('/api/me')).body['lost']).toMatchObject([{ item: { id: item_id } }]);
    expect((await seller.get('/api/me')).body['sold']).toMatchObject([{ standing: 'unsold', sales: [] }]);
  });

  test('that is met by a maximum alone raises the price to it', async () => {
    const [seller, bidder] = (await people('met_seller', 'met_bidder')) as [Visitor, Visitor];
    const item_id = await seller.sell({ reserve_price_cents: 30_00 });
    await bids(bidder, item_id, 12_00, 45_00);
    expect(await liveOf(bidder, item_id)).toMatchObject({ reserve: 'met', price_cents: 30_00, min_next_bid_cents: 31_00 });
    const closed = await closeAuction(world.claret, { item_id, now_ms: Date.now() + DAY_MS });
    expect(closed).toMatchObject({ winner: { nickname: 'met_bidder' }, final_price_cents: 30_00 });
  });
});

describe('Buying', () => {
  test('answers with the purchase, and ends the auction with the last piece', async () => {
    const [seller, buyer, late] = (await people('buy_seller', 'buy_buyer', 'buy_late')) as [Visitor, Visitor, Visitor];
    const item_id = await seller.sell({ quantity: 3, buy_now_price_cents: 25_00 });
    expect(await liveOf(buyer, item_id)).toMatchObject({ buy_now: { price_cents: 25_00, left: 3 } });
    const watching = new EventReader<LiveEvents>(second, `/api/live?items=${item_id}`);
    const bought = await buys(buyer, item_id, 2);
    expect(bought.status).toBe(201);
    expect(bought.body).toMatchObject({ item_id, quantity: 2, price_cents: 25_00, total_cents: 50_00 });
    expect((await buys(late, item_id, 2)).body).toMatchObject({ code: 'not_enough_left', left: 1, field: 'quantity' });
    await soon(() => expect(watching.last('item')?.item).toMatchObject({ status: 'open', buy_now: { left: 1 } }));
    expect((await buyer.get(`/api/items/${item_id}`)).body).toMatchObject({
      item: { quantity: 3 },
      viewer: { bought_quantity: 2, standing: null },
    });

    expect((await buys(late, item_id)).status).toBe(201);
    await soon(() =>
      expect(watching.last('item')?.item).toMatchObject({ status: 'closed', ended_by: 'sold_out', buy_now: { left: 0 }, winner: null }),
    );
    watching.close();
    expect((await buys(buyer, item_id)).body.code).toBe('auction_closed');
    expect((await bids(buyer, item_id, 50_00)).body.code).toBe('auction_closed');
    expect((await buyer.get('/api/me')).body['bought']).toMatchObject([
      {
        purchase_id: bought.body['purchase_id'],
        quantity: 2,
        total_cents: 50_00,
        item: { id: item_id },
        may_comment_on: [{ nickname: 'buy_seller' }],
      },
    ]);
    const sold = (await seller.get('/api/me')).body['sold'] as { sales: unknown[]; may_comment_on: unknown[] }[];
    expect(sold).toMatchObject([{ standing: 'sold', winner: null }]);
    expect(sold[0]?.sales).toMatchObject([
      { buyer: { nickname: 'buy_late' }, quantity: 1, total_cents: 25_00 },
      { buyer: { nickname: 'buy_buyer' }, quantity: 2, total_cents: 50_00 },
    ]);
    expect(sold[0]?.may_comment_on).toHaveLength(2);
  });

  test('of a sold-out item is refused, and the server that finds the auction open closes it', async () => {
    const [seller, buyer] = (await people('out_seller', 'out_buyer')) as [Visitor, Visitor];
    const item_id = await seller.sell({ buy_now_price_cents: 25_00 });
    // As if the server that sold the last piece had died right after.
    await world.buys(item_id, { id: buyer.id, nickname: 'out_buyer' });
    const answer = await buys(buyer, item_id);
    expect(answer.body).toMatchObject({ code: 'sold_out', left: 0 });
    await soon(async () => expect(await liveOf(buyer, item_id)).toMatchObject({ status: 'closed', ended_by: 'sold_out' }));

    const seen = await seller.sell({ buy_now_price_cents: 25_00 });
    await world.buys(seen, { id: buyer.id, nickname: 'out_buyer' });
    await buyer.get(`/api/items/${seen}`);
    await soon(async () => expect(await liveOf(buyer, seen)).toMatchObject({ status: 'closed', ended_by: 'sold_out' }));
  });
});

describe('Comments of a sale of pieces', () => {
  test('are allowed between the seller and each buyer, as soon as they have bought, once per pair and direction', async () => {
    const [seller, one, two, stranger] = (await people('c_seller', 'c_one', 'c_two', 'c_stranger')) as [Visitor, Visitor, Visitor, Visitor];
    const item_id = await seller.sell({ quantity: 5, buy_now_price_cents: 25_00 });
    const comment = async (visitor: Visitor, fields: Record<string, unknown> = {}) => {
      const { status, body } = await visitor.post(`/api/items/${item_id}/comments`, { rating: 4, text: 'Fine', ...fields });
      return status === 201 ? body['about'] : body.code;
    };
    expect(await comment(seller)).toBe('auction_open');
    await buys(one, item_id);
    await buys(one, item_id);
    expect(await comment(stranger)).toBe('auction_open');
    expect(await comment(stranger, { about_user_id: seller.id })).toBe('auction_open');
    expect(await comment(one)).toMatchObject({ nickname: 'c_seller' });
    expect(await comment(one)).toBe('already_commented');
    expect(await comment(one, { about_user_id: one.id })).toBe('not_a_party');
    await buys(two, item_id);
    expect(await comment(seller)).toBe('about_missing');
    expect(await comment(seller, { about_user_id: stranger.id })).toBe('not_a_party');
    expect(await comment(two, { about_user_id: one.id })).toBe('not_a_party');
    const tries = await Promise.all([1, 2, 3].map(() => comment(seller, { about_user_id: two.id })));
    expect(tries.filter((answer) => answer === 'already_commented')).toHaveLength(2);
    expect((await seller.get(`/api/items/${item_id}`)).body['viewer']).toMatchObject({ may_comment_on: [{ nickname: 'c_one' }] });
    expect(await comment(seller, { about_user_id: one.id, rating: -3 })).toMatchObject({ nickname: 'c_one' });
    expect((await stranger.get(`/api/users/${one.id}`)).body).toMatchObject({ rating: { count: 1, mean: -3 } });
    expect((await stranger.get(`/api/users/${two.id}`)).body).toMatchObject({ rating: { count: 1, mean: 4 } });
  });
});
