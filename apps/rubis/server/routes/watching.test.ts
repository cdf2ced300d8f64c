// The watch list and the inbox, as pages ask for them.
import type { App } from '@claret/site/http.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { buildApp } from '../app.ts';
import { LIMITS, type Inbox, type MyEntry } from '../api.ts';
import { key } from '../model.ts';
import { Visitor } from '../testing/visitor.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';

let world: World;
let app: App;
let other: App;
beforeAll(async () => {
  world = await startWorld();
  app = await buildApp({ claret: world.claret, password_cost: TEST_COST });
  other = await buildApp({ claret: await world.cluster.connect(), password_cost: TEST_COST });
});
afterAll(async () => {
  await Promise.all([app.close(), other.close()]);
  await world.stop();
});

const people = (...nicknames: string[]) => Promise.all(nicknames.map((nickname, i) => new Visitor(i % 2 === 0 ? app : other).register(nickname)));
const inboxOf = async (visitor: Visitor): Promise<Inbox> => (await visitor.get('/api/me/inbox')).body as unknown as Inbox;

describe('The watch list', () => {
  test('takes an auction once, counts its watchers, and lets go of it once', async () => {
    const [seller, one, two] = await people('w_seller', 'w_one', 'w_two') as [Visitor, Visitor, Visitor];
    const item_id = await seller.sell();
    const url = `/api/items/${item_id}/watch`;
    expect((await one.put(url)).body).toMatchObject({ watching: true, watchers: 1 });
    expect((await one.at(other).put(url)).body).toMatchObject({ watching: true, watchers: 1 });
    expect((await two.put(url)).body).toMatchObject({ watching: true, watchers: 2 });
    expect((await one.get(`/api/items/${item_id}`)).body).toMatchObject({ live: { watchers: 2 }, viewer: { watching: true, standing: null } });
    expect((await seller.get(`/api/items/${item_id}`)).body).toMatchObject({ viewer: { watching: false } });
    expect((await one.get('/api/me')).body['watching']).toMatchObject([{ item: { id: item_id }, standing: null, my_bid_cents: null }]);
    expect((await one.delete(url)).body).toMatchObject({ watching: false, watchers: 1 });
    expect((await one.delete(url)).body).toMatchObject({ watching: false, watchers: 1 });
    expect((await one.get('/api/me')).body['watching']).toEqual([]);
    expect((await two.get('/api/me')).body['watching']).toHaveLength(1);
  });

  test('of a crowd that begins at once at two servers counts each person once', async () => {
    const [seller] = await people('w_crowd_seller') as [Visitor];
    const item_id = await seller.sell();
    const crowd = await people(...Array.from({ length: 20 }, (_, i) => `w_crowd_${i}`));
    await Promise.all(crowd.flatMap((visitor) => [1, 2].map(() => visitor.put(`/api/items/${item_id}/watch`))));
    expect((await seller.get(`/api/items/${item_id}`)).body).toMatchObject({ live: { watchers: 20 } });
  });

  test('is full at its limit, and shows what ended after what runs', async () => {
    const [seller, watcher] = await people('w_full_seller', 'w_full') as [Visitor, Visitor];
    const [running, ended, last] = [await seller.sell(), await seller.sell({ duration_minutes: 1 }), await seller.sell()];
    const list = world.claret.on.scoredSet(key.watching(watcher.id));
    await world.claret.transact('Test', Array.from({ length: LIMITS.watching_max - 2 }, (_, i) => list.add(`none${i}`, 1)));
    for (const item_id of [ended, running]) expect((await watcher.put(`/api/items/${item_id}/watch`)).status).toBe(200);
    expect((await watcher.put(`/api/items/${last}/watch`)).body.code).toBe('watch_list_full');
    expect((await watcher.put(`/api/items/${running}/watch`)).status).toBe(200);
    expect((await watcher.get(`/api/items/${last}`)).body).toMatchObject({ live: { watchers: 0 }, viewer: { watching: false } });
    await closeAuction(world.claret, { item_id: ended, now_ms: Date.now() + 61_000 });
    const watching = (await watcher.get('/api/me')).body['watching'] as MyEntry[];
    expect(watching.map((one) => one.item.id)).toEqual([running, ended]);
    expect((await watcher.delete(`/api/items/${ended}/watch`)).status).toBe(200);
    expect((await watcher.put(`/api/items/${last}/watch`)).status).toBe(200);
  });

  test('takes nothing that does not exist', async () => {
    const [watcher] = await people('w_nothing') as [Visitor];
    expect((await watcher.put('/api/items/nothing/watch')).body.code).toBe('unknown_item');
    expect((await watcher.delete('/api/items/nothing/watch')).body.code).toBe('unknown_item');
    const [members] = await world.claret.transact('Test', [world.claret.on.set(key.item_watchers('nothing')).size()]);
    expect(members).toBe(0);
  });
});

describe('The inbox', () => {
  test('says what happened, newest first, and forgets that one was outbid when one leads again', async () => {
    const [seller, one, two] = await people('i_seller', 'i_one', 'i_two') as [Visitor, Visitor, Visitor];
    const item_id = await seller.sell({ title: 'Brass Sextant' });
    const bid = (visitor: Visitor, amount_cents: number) => visitor.at(app).post(`/api/items/${item_id}/bids`, { amount_cents });
    await bid(one, 10_00);
    expect(await inboxOf(one)).toMatchObject({ notices: [], unread: 0, seen_until_ms: 0 });
    const overtaking = await bid(two, 12_00);
    expect(overtaking.status).toBe(201);
    expect(await inboxOf(one)).toMatchObject({
      notices: [{ kind: 'outbid', item_id, title: 'Brass Sextant', price_cents: 12_00, quantity: 1, buyer: null }], unread: 1,
    });
    expect((await inboxOf(two)).notices).toEqual([]);
    expect((await inboxOf(seller)).notices).toEqual([]);
    await bid(one, 15_00);
    expect((await inboxOf(one)).notices).toEqual([]);
    expect((await inboxOf(two)).notices).toMatchObject([{ kind: 'outbid', price_cents: 15_00 }]);

    await closeAuction(world.claret, { item_id, now_ms: Date.now() + DAY_MS });
    expect((await inboxOf(one)).notices).toMatchObject([{ kind: 'won', price_cents: 15_00 }]);
    expect((await inboxOf(two)).notices).toMatchObject([{ kind: 'lost', price_cents: 15_00 }]);
    expect((await inboxOf(seller)).notices).toMatchObject([{ kind: 'sold', price_cents: 15_00, buyer: { nickname: 'i_one' } }]);
  });

  test('tells buyers and sellers of each purchase, and sellers of what nobody wanted', async () => {
    const [seller, buyer] = await people('p_seller', 'p_buyer') as [Visitor, Visitor];
    const item_id = await seller.sell({ quantity: 3, buy_now_price_cents: 25_00 });
    const unwanted = await seller.sell();
    for (const quantity of [1, 2]) {
      expect((await buyer.post(`/api/items/${item_id}/buy`, { purchase_id: crypto.randomUUID(), quantity })).status).toBe(201);
    }
    await closeAuction(world.claret, { item_id: unwanted, now_ms: Date.now() + DAY_MS });
    expect((await inboxOf(buyer)).notices).toMatchObject([
      { kind: 'bought', item_id, quantity: 2, price_cents: 25_00 }, { kind: 'bought', item_id, quantity: 1, price_cents: 25_00 },
    ]);
    expect((await inboxOf(seller)).notices).toMatchObject([
      { kind: 'unsold', item_id: unwanted },
      { kind: 'sold', item_id, quantity: 2, price_cents: 25_00, buyer: { nickname: 'p_buyer' } },
      { kind: 'sold', item_id, quantity: 1, buyer: { nickname: 'p_buyer' } },
    ]);
  });

  test('counts as unread what came after it was read, at every server, and time never goes back', async () => {
    const [seller, one, two] = await people('r_seller', 'r_one', 'r_two') as [Visitor, Visitor, Visitor];
    const items = [await seller.sell(), await seller.sell()];
    const outbid = async (item_id: string) => {
      await one.at(app).post(`/api/items/${item_id}/bids`, { amount_cents: 10_00 });
      await two.at(app).post(`/api/items/${item_id}/bids`, { amount_cents: 12_00 });
    };
    await outbid(items[0] ?? '');
    const { notices, unread } = await inboxOf(one);
    expect(unread).toBe(1);
    const until_ms = notices[0]?.at_ms ?? 0;
    expect((await one.post('/api/me/inbox/seen', { until_ms })).body).toMatchObject({ seen_until_ms: until_ms });
    expect((await one.at(other).post('/api/me/inbox/seen', { until_ms: 1 })).body).toMatchObject({ seen_until_ms: until_ms });
    expect(await inboxOf(one)).toMatchObject({ unread: 0, seen_until_ms: until_ms });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await outbid(items[1] ?? '');
    expect(await inboxOf(one)).toMatchObject({ unread: 1, notices: [{ item_id: items[1] }, { item_id: items[0] }] });
    // From the future: nothing of it has happened yet.
    const far = (await one.post('/api/me/inbox/seen', { until_ms: Number.MAX_SAFE_INTEGER })).body;
    expect(Number(far['seen_until_ms'])).toBeLessThanOrEqual(Number(far['server_time_ms']));
    expect(await inboxOf(two)).toMatchObject({ seen_until_ms: 0 });
  });
});
