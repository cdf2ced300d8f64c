// A request that is repeated after a lost answer or a double click takes effect once, and is answered the same.
import { systemEnvironment } from '@claret/client';
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { newRequestKey } from '@claret/ui/site/api/requestKeys.ts';
import type { App } from '@claret/site/http.ts';
import { TEST_COST, type Answer } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';

let world: World;
let apps: [App, App];
beforeAll(async () => {
  world = await startWorld();
  apps = [
    await buildApp({ claret: world.claret, password_cost: TEST_COST }),
    await buildApp({ claret: await world.cluster.connect(), password_cost: TEST_COST }),
  ];
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await world.stop();
});

const newKey = () => newRequestKey(Date.now());
const person = (nickname: string) => new Visitor(apps[0]).register(nickname);
const keyed = (visitor: Visitor, url: string, key: string, payload: object) =>
  visitor.send('POST', url, payload, { [CSRF_HEADER]: '1', 'idempotency-key': key });
/** Twice concurrently, once at each app server, and once more. */
async function thrice(visitor: Visitor, url: string, payload: object, key = newKey()): Promise<Answer[]> {
  const both = await Promise.all(apps.map((app) => keyed(visitor.at(app), url, key, payload)));
  return [...both, await keyed(visitor, url, key, payload)];
}
const told = (answers: readonly Answer[]) =>
  new Set(answers.map(({ status, body }) => JSON.stringify([status, { ...body, server_time_ms: 0 }])));
const bidCount = async (visitor: Visitor, item_id: string) =>
  ((await visitor.get(`/api/items/${item_id}`)).body['live'] as { bid_count: number }).bid_count;

test('a bid is placed once, though the repeated request is below its own minimum', async () => {
  const [seller, bidder] = [await person('bid_seller'), await person('bid_bidder')];
  const item_id = await seller.sell();
  const url = `/api/items/${item_id}/bids`;
  const answers = await thrice(bidder, url, { amount_cents: 12_00 });
  expect(told(answers).size, answers.map(({ raw }) => raw.body).join()).toBe(1);
  expect(answers[0]).toMatchObject({ status: 201, body: { accepted: true, amount_cents: 12_00 } });
  await vi.waitFor(async () => expect(await bidCount(bidder, item_id)).toBe(1));
  expect((await bidder.get(url)).body['bids']).toHaveLength(1);
});

/** A site whose clocks can be set forward. */
async function laterSite() {
  let skipped_ms = 0;
  const { wallMs, civilMs, monotonicMs } = systemEnvironment;
  const environment = {
    ...systemEnvironment,
    wallMs: () => wallMs() + skipped_ms,
    civilMs: () => civilMs() + skipped_ms,
    monotonicMs: () => monotonicMs() + skipped_ms,
  };
  const later = await startWorld({ environment });
  const claret = await later.cluster.connect({ environment: systemEnvironment });
  const app = await buildApp({ claret, password_cost: TEST_COST });
  return {
    claret,
    app,
    keyOfNow: () => newRequestKey(Date.now() + skipped_ms),
    async pass(ms: number) {
      skipped_ms += ms; // longer than a session lives in silence
      for (const host of later.cluster.hosts) host.breakSessions();
      await vi.waitFor(() => expect(claret.status.shards.every(({ state }) => state === 'live')).toBe(true));
    },
    async stop() {
      await app.close();
      await later.stop();
    },
  };
}

test('a bid is the same one however late its request is sent again, also after the auction has ended, until its key has expired', async () => {
  const { claret, app, keyOfNow, pass, stop } = await laterSite();
  try {
    const [seller, bidder, rival] = await Promise.all(['seller', 'bidder', 'rival'].map((name) => new Visitor(app).register(name)));
    const item_id = await seller!.sell();
    const url = `/api/items/${item_id}/bids`;
    const [key, amounts] = [newKey(), { amount_cents: 12_00, max_cents: 20_00 }];
    const first = await keyed(bidder!, url, key, amounts);
    expect(first.status).toBe(201);
    await pass(4 * 60_000);
    const leading = await keyed(bidder!, url, key, amounts);
    expect((await keyed(rival!, url, keyOfNow(), { amount_cents: 30_00 })).status).toBe(201);
    const outbid = await keyed(bidder!, url, key, amounts);
    await pass(4 * 60_000);
    await closeAuction(claret, { item_id, now_ms: Date.now() + DAY_MS });
    const over = await keyed(bidder!, url, key, amounts);
    expect(told([first, leading, outbid, over])).toEqual(told([first]));
    expect((await keyed(rival!, url, keyOfNow(), { amount_cents: 90_00 })).body.code).toBe('auction_closed');
    await pass(2 * 60_000);
    expect(await keyed(bidder!, url, key, amounts)).toMatchObject({
      status: 409,
      body: { code: 'key_expired', server_time_ms: expect.any(Number) },
    });
    expect(await bidCount(bidder!, item_id)).toBe(2);
  } finally {
    await stop();
  }
});

test('a purchase is the same one however late its request is sent again, and one whose key has expired is refused for good', async () => {
  const { app, keyOfNow, pass, stop } = await laterSite();
  try {
    const [seller, buyer, other] = await Promise.all(['seller', 'buyer', 'other'].map((name) => new Visitor(app).register(name)));
    const item_id = await seller!.sell({ quantity: 9, buy_now_price_cents: 30_00 });
    const url = `/api/items/${item_id}/buy`;
    const [key, lost] = [newKey(), newKey()];
    const first = await keyed(buyer!, url, key, { quantity: 2 });
    expect(first).toMatchObject({ status: 201, body: { item_id, quantity: 2, price_cents: 30_00, total_cents: 60_00 } });
    await pass(4 * 60_000);
    expect(told([await keyed(buyer!, url, key, { quantity: 2 })])).toEqual(told([first]));
    // The key is taken no more; the answer is still kept, and later forgotten.
    for (const minutes of [6, 40]) {
      await pass(minutes * 60_000);
      expect(told([await keyed(buyer!, url, key, { quantity: 2 })])).toEqual(told([first]));
      for (const [who, asked, quantity] of [
        [buyer!, lost, 2],
        [buyer!, key, 1],
        [other!, key, 2],
      ] as const) {
        const refused = await keyed(who, url, asked, { quantity });
        expect(refused).toMatchObject({ status: 409, body: { code: 'key_expired', server_time_ms: expect.any(Number) } });
        expect(refused.body.detail).toContain('You haven’t bought anything.');
      }
    }
    expect((await buyer!.get('/api/me')).body['bought']).toMatchObject([{ purchase_id: first.body['purchase_id'], quantity: 2 }]);
    expect((await buyer!.get(`/api/items/${item_id}`)).body['live']).toMatchObject({ buy_now: { left: 7 } });
    expect((await keyed(other!, url, keyOfNow(), { quantity: 2 })).status).toBe(201);
  } finally {
    await stop();
  }
});

test('a purchase is made once, and another quantity, person or key is another purchase', async () => {
  const [seller, buyer, other] = [await person('pieces_seller'), await person('pieces_buyer'), await person('pieces_other')];
  const item_id = await seller.sell({ quantity: 9, buy_now_price_cents: 30_00 });
  const url = `/api/items/${item_id}/buy`;
  const key = newKey();
  const answers = await thrice(buyer, url, { quantity: 1 }, key);
  expect(answers[0]!.status, answers[0]!.raw.body).toBe(201);
  expect(told(answers).size).toBe(1);
  const others = [
    await keyed(buyer, url, key, { quantity: 2 }),
    await keyed(other, url, key, { quantity: 1 }),
    await keyed(buyer, url, newKey(), { quantity: 1 }),
    await buyer.post(url, { quantity: 1 }),
  ];
  expect(new Set([answers[0]!, ...others].map(({ body }) => body['purchase_id'])).size).toBe(5);
  await vi.waitFor(async () => expect((await buyer.get(`/api/items/${item_id}`)).body['live']).toMatchObject({ buy_now: { left: 3 } }));
  expect((await buyer.get('/api/me')).body['bought']).toHaveLength(4);
});

test('another amount, another person or another key is another bid', async () => {
  const [seller, one, two] = [await person('more_seller'), await person('more_one'), await person('more_two')];
  const item_id = await seller.sell();
  const url = `/api/items/${item_id}/bids`;
  const key = newKey();
  expect((await keyed(one, url, key, { amount_cents: 11_00 })).status).toBe(201);
  expect((await keyed(two, url, key, { amount_cents: 20_00 })).status).toBe(201);
  expect((await keyed(one, url, key, { amount_cents: 30_00 })).status).toBe(201);
  expect((await keyed(two, url, newKey(), { amount_cents: 40_00 })).status).toBe(201);
  expect((await keyed(two, url, newKey(), { amount_cents: 5_00 })).body).toMatchObject({
    code: 'amount_below_minimum',
    min_next_bid_cents: expect.any(Number),
  });
  expect((await keyed(seller, url, newKey(), { amount_cents: 90_00 })).body.code).toBe('own_item');
  expect((await keyed(one, '/api/items/nothing/bids', newKey(), { amount_cents: 90_00 })).body.code).toBe('unknown_item');
  expect(await bidCount(one, item_id)).toBe(4);
});

test('an auction opens once', async () => {
  const seller = await person('sell_seller');
  const sale = { title: 'Green Lamp', description: 'It shines.', category_id: 'home', start_price_cents: 10_00, duration_minutes: 60 };
  const answers = await thrice(seller, '/api/items', sale);
  expect(answers[0]!.status).toBe(201);
  expect(told(answers).size, answers.map(({ raw }) => raw.body).join()).toBe(1);
  expect((await seller.get('/api/me')).body['selling']).toHaveLength(1);
  expect((await keyed(seller, '/api/items', newKey(), sale)).body['item_id']).not.toBe(answers[0]!.body['item_id']);
});

test('a person is registered once, and logged in each time', async () => {
  const form = { nickname: 'joins_once', password: 'correct horse', region_id: 'ny-albany' };
  const key = newKey();
  const [first, again] = [new Visitor(apps[0]), new Visitor(apps[1])];
  const answers = [await keyed(first, '/api/register', key, form), await keyed(again, '/api/register', key, form)];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[1]!.body['user']).toEqual(answers[0]!.body['user']);
  expect((await again.get('/api/session')).body['user']).toEqual(answers[0]!.body['user']);
  const other = { ...form, password: 'another horse' };
  expect((await keyed(new Visitor(apps[0]), '/api/register', key, other)).body.code, 'the key alone logs no one in').toBe('nickname_taken');
});

test('a comment is stored once', async () => {
  const [seller, buyer] = [await person('said_seller'), await person('said_buyer')];
  const item_id = await seller.sell({ buy_now_price_cents: 30_00 });
  expect((await buyer.post(`/api/items/${item_id}/buy`, { quantity: 1 })).status).toBe(201);
  const answers = await thrice(buyer, `/api/items/${item_id}/comments`, { rating: 5, text: 'Came quickly, shines brightly.' });
  expect(answers[0]!.status, answers[0]!.raw.body).toBe(201);
  expect(told(answers).size).toBe(1);
  expect((await buyer.get(`/api/users/${seller.id}`)).body['comments']).toHaveLength(1);
});

test('a key of a time to come is refused, since its answer would be forgotten before it expires', async () => {
  const [seller, bidder] = [await person('early_seller'), await person('early_bidder')];
  const url = `/api/items/${await seller.sell()}/bids`;
  const bid = async (ahead_ms: number) => (await keyed(bidder, url, newRequestKey(Date.now() + ahead_ms), { amount_cents: 12_00 })).status;
  expect([await bid(90_000), await bid(30_000)]).toEqual([409, 201]);
});

test('a malformed key is refused', async () => {
  const seller = await person('no_key');
  for (const key of ['', 'short', 'x'.repeat(65), crypto.randomUUID()]) {
    const answer = await keyed(seller, '/api/items', key, {
      title: 'Green Lamp',
      description: '',
      category_id: 'home',
      start_price_cents: 10_00,
      duration_minutes: 60,
    });
    expect(answer, key).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', field: 'idempotency-key', detail: expect.stringContaining('UUID') },
    });
  }
});
