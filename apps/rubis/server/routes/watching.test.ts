// The watch list and the inbox, through the routes.
import type { App } from '@claret/site/http.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { unwatchItem, watchItem } from '../actions/watch.ts';
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

const people = (...nicknames: string[]) =>
  Promise.all(nicknames.map((nickname, i) => new Visitor(i % 2 === 0 ? app : other).register(nickname)));
const inboxOf = async (visitor: Visitor): Promise<Inbox> => (await visitor.get('/api/me/inbox')).body as unknown as Inbox;
const unreadOf = async (visitor: Visitor): Promise<Inbox> => (await visitor.get('/api/me/inbox?unread=1')).body as unknown as Inbox;

describe('The watch list', () => {
  test('goes by what the auction is, whatever its watcher has seen of it', async () => {
    const [seller, watcher] = [await world.person('w_owner'), await world.person('w_watcher')];
    const closes_at_ms = Date.now() + DAY_MS;
    const input = { item_id: await world.auction(seller, { closes_at_ms }), user_id: watcher.id, now_ms: Date.now() };
    const listed = async () => (await world.claret.transact('Test', [world.claret.on.scoredSet(key.watching(watcher.id)).range(0, -1)]))[0];
    expect(await watchItem(world.claret, { ...input, seen: { status: 'closed', closes_at_ms: 1 } })).toEqual({ refused: null });
    expect(await listed()).toEqual([[input.item_id, closes_at_ms]]);
    expect(await watchItem(world.claret, { ...input, item_id: 'nothing', seen: { status: 'open', closes_at_ms } })).toEqual({
      refused: 'unknown_item',
    });
    expect(await unwatchItem(world.claret, { ...input, seen: { status: 'closed', closes_at_ms: 1 } })).toEqual({ refused: null });
    expect(await listed()).toEqual([]);
  });

  test('adds an auction once, counts its watchers, and removes it once', async () => {
    const [seller, one, two] = (await people('w_seller', 'w_one', 'w_two')) as [Visitor, Visitor, Visitor];
    const item_id = await seller.sell();
    const url = `/api/items/${item_id}/watch`;
    expect((await one.put(url)).body).toMatchObject({ watching: true, watchers: 1 });
    expect((await one.at(other).put(url)).body).toMatchObject({ watching: true, watchers: 1 });
    expect((await two.put(url)).body).toMatchObject({ watching: true, watchers: 2 });
    expect((await one.get(`/api/items/${item_id}`)).body).toMatchObject({
      live: { watchers: 2 },
      viewer: { watching: true, standing: null },
    });
    expect((await seller.get(`/api/items/${item_id}`)).body).toMatchObject({ viewer: { watching: false } });
    expect((await one.get('/api/me')).body['watching']).toMatchObject([{ item: { id: item_id }, standing: null, my_bid_cents: null }]);
    expect((await one.delete(url)).body).toMatchObject({ watching: false, watchers: 1 });
    expect((await one.delete(url)).body).toMatchObject({ watching: false, watchers: 1 });
    expect((await one.get('/api/me')).body['watching']).toEqual([]);
    expect((await two.get('/api/me')).body['watching']).toHaveLength(1);
  });

  test('counts each person of a crowd once, at two servers', async () => {
    const [seller] = (await people('w_crowd_seller')) as [Visitor];
    const item_id = await seller.sell();
    const crowd = await people(...Array.from({ length: 20 }, (_, i) => `w_crowd_${i}`));
    await Promise.all(crowd.flatMap((visitor) => [1, 2].map(() => visitor.put(`/api/items/${item_id}/watch`))));
    expect((await seller.get(`/api/items/${item_id}`)).body).toMatchObject({ live: { watchers: 20 } });
  });

  test('is full at its limit, and shows ended auctions after open ones', async () => {
    const [seller, watcher] = (await people('w_full_seller', 'w_full')) as [Visitor, Visitor];
    const [running, ended, last] = [await seller.sell(), await seller.sell({ duration_minutes: 1 }), await seller.sell()];
    const list = world.claret.on.scoredSet(key.watching(watcher.id));
    await world.claret.transact(
      'Test',
      Array.from({ length: LIMITS.watching_max - 2 }, (_, i) => list.add(`none${i}`, Date.now() + DAY_MS)),
    );
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

  test('drops ended auctions when it is full, the oldest first, and no others', async () => {
    const [seller, watcher] = (await people('w_old_seller', 'w_old')) as [Visitor, Visitor];
    const [older, newer, running, wanted, more] = (await Promise.all(Array.from({ length: 5 }, () => seller.sell()))) as [
      string,
      string,
      string,
      string,
      string,
    ];
    for (const item_id of [older, newer, running]) expect((await watcher.put(`/api/items/${item_id}/watch`)).status).toBe(200);
    const list = world.claret.on.scoredSet(key.watching(watcher.id));
    const now_ms = Date.now();
    await world.claret.transact('Test', [
      list.add(newer, now_ms - 60_000),
      list.add(older, now_ms - 120_000),
      ...Array.from({ length: LIMITS.watching_max - 3 }, (_, i) => list.add(`none${i}`, now_ms + DAY_MS)),
    ]);
    const watches = async (item_id: string) => (await watcher.get(`/api/items/${item_id}`)).body;
    expect((await watcher.put(`/api/items/${wanted}/watch`)).body).toMatchObject({ watching: true, watchers: 1 });
    expect(await watches(older)).toMatchObject({ live: { watchers: 0 }, viewer: { watching: false } });
    expect(await watches(newer)).toMatchObject({ live: { watchers: 1 }, viewer: { watching: true } });
    expect((await watcher.put(`/api/items/${more}/watch`)).status).toBe(200);
    expect(await watches(newer)).toMatchObject({ live: { watchers: 0 }, viewer: { watching: false } });
    expect((await watcher.put(`/api/items/${older}/watch`)).body.code).toBe('watch_list_full');
    expect(await watches(running)).toMatchObject({ viewer: { watching: true } });
    expect((await world.claret.transact('Test', [list.size()]))[0]).toBe(LIMITS.watching_max);
  });

  test('refuses unknown items', async () => {
    const [watcher] = (await people('w_nothing')) as [Visitor];
    expect((await watcher.put('/api/items/nothing/watch')).body.code).toBe('unknown_item');
    expect((await watcher.delete('/api/items/nothing/watch')).body.code).toBe('unknown_item');
    const [members] = await world.claret.transact('Test', [world.claret.on.set(key.item_watchers('nothing')).size()]);
    expect(members).toBe(0);
  });
});

describe('The inbox', () => {
  test('lists notices newest first, and drops an outbid notice when the person leads again', async () => {
    const [seller, one, two] = (await people('i_seller', 'i_one', 'i_two')) as [Visitor, Visitor, Visitor];
    const item_id = await seller.sell({ title: 'Brass Sextant' });
    const bid = (visitor: Visitor, amount_cents: number) => visitor.at(app).post(`/api/items/${item_id}/bids`, { amount_cents });
    await bid(one, 10_00);
    expect(await inboxOf(one)).toMatchObject({ notices: [], unread: 0, seen_until_ms: 0 });
    const overtaking = await bid(two, 12_00);
    expect(overtaking.status).toBe(201);
    expect(await inboxOf(one)).toMatchObject({
      notices: [{ kind: 'outbid', item_id, title: 'Brass Sextant', price_cents: 12_00, quantity: 1, buyer: null }],
      unread: 1,
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

  test('notifies buyers and sellers of each purchase, and sellers of unsold items', async () => {
    const [seller, buyer] = (await people('p_seller', 'p_buyer')) as [Visitor, Visitor];
    const item_id = await seller.sell({ quantity: 3, buy_now_price_cents: 25_00 });
    const unwanted = await seller.sell();
    for (const quantity of [1, 2]) expect((await buyer.post(`/api/items/${item_id}/buy`, { quantity })).status).toBe(201);
    await closeAuction(world.claret, { item_id: unwanted, now_ms: Date.now() + DAY_MS });
    expect((await inboxOf(buyer)).notices).toMatchObject([
      { kind: 'bought', item_id, quantity: 2, price_cents: 25_00 },
      { kind: 'bought', item_id, quantity: 1, price_cents: 25_00 },
    ]);
    expect((await inboxOf(seller)).notices).toMatchObject([
      { kind: 'unsold', item_id: unwanted },
      { kind: 'sold', item_id, quantity: 2, price_cents: 25_00, buyer: { nickname: 'p_buyer' } },
      { kind: 'sold', item_id, quantity: 1, buyer: { nickname: 'p_buyer' } },
    ]);
    expect(new Set((await inboxOf(seller)).notices.map(({ id }) => id)).size).toBe(3);
    await vi.waitFor(async () => expect(await unreadOf(seller)).toMatchObject({ notices: (await inboxOf(seller)).notices, unread: 3 }));
  });

  test('counts notices as unread that came after it was read, at every server, and its time never goes back', async () => {
    const [seller, one, two] = (await people('r_seller', 'r_one', 'r_two')) as [Visitor, Visitor, Visitor];
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
    // A time in the future is cut to the present.
    const far = (await one.post('/api/me/inbox/seen', { until_ms: Number.MAX_SAFE_INTEGER })).body;
    expect(Number(far['seen_until_ms'])).toBeLessThanOrEqual(Number(far['server_time_ms']));
    expect(await inboxOf(two)).toMatchObject({ seen_until_ms: 0 });
  });

  test('lists unread notices alone exactly as the whole inbox does, at every server', async () => {
    const [seller, one, two] = (await people('u_seller', 'u_one', 'u_two')) as [Visitor, Visitor, Visitor];
    const [open, won, late, old] = (await Promise.all(Array.from({ length: 4 }, () => seller.sell({ duration_minutes: 1 })))) as [
      string,
      string,
      string,
      string,
    ];
    const outbid = async (item_id: string, loser: Visitor, winner: Visitor) => {
      await loser.post(`/api/items/${item_id}/bids`, { amount_cents: 10_00 });
      await winner.post(`/api/items/${item_id}/bids`, { amount_cents: 12_00 });
    };
    const end = async (item_id: string, now_ms: number) => {
      await world.claret.transact('Test', [
        world.claret.on.dict(key.item_info(item_id)).set({ closes_at_ms: now_ms - 1 }),
        ...[one, two].map(({ id }) => world.claret.on.scoredSet(key.bidding(id)).add(item_id, now_ms - 1)),
      ]);
      await closeAuction(world.claret, { item_id, now_ms });
    };
    const isSame = (app_: App) =>
      vi.waitFor(async () => {
        const [whole, unread] = [await inboxOf(one.at(app_)), await unreadOf(one.at(app_))];
        const expected = whole.notices.filter(({ at_ms }) => at_ms > whole.seen_until_ms);
        expect(unread).toMatchObject({ notices: expected, unread: expected.length, seen_until_ms: whole.seen_until_ms });
        expect(whole.unread).toBe(expected.length);
        return unread.notices.map(({ kind, item_id }) => [kind, item_id]);
      });
    const start_ms = Date.now();
    await Promise.all([outbid(open, one, two), outbid(won, two, one), outbid(late, two, one), outbid(old, one, two)]);
    await end(old, start_ms - DAY_MS);
    await end(won, start_ms - 60_000);
    expect(await isSame(app)).toEqual([
      ['outbid', open],
      ['won', won],
      ['lost', old],
    ]);
    const { notices } = await inboxOf(one);
    await one.post('/api/me/inbox/seen', { until_ms: notices[0]?.at_ms ?? 0 });
    expect(await isSame(other)).toEqual([]);
    // It had ended before the inbox was read, and was closed after that.
    const late_ms = Date.now() - 1;
    await world.claret.transact('Test', [world.claret.on.scoredSet(key.bidding(one.id)).add(late, late_ms - 60_000)]);
    await world.claret.transact('Test', [world.claret.on.dict(key.item_info(late)).set({ closes_at_ms: late_ms - 60_000 })]);
    await closeAuction(world.claret, { item_id: late, now_ms: Date.now() + 1 });
    expect(await isSame(app)).toEqual([['won', late]]);
    expect((await one.get('/api/me/inbox?unread=0')).body.code).toBe('invalid_input');
  });
});
