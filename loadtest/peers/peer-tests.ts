// What each peer has to do, over two app servers: the same tests for both stores. `npm test` runs them on a real redis-server, `test:long` on a real
// PostgreSQL.
import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type {
  AuctionPage,
  BidAccepted,
  BidHistory,
  Catalogue,
  Inbox,
  ItemOpened,
  ItemView,
  LiveEvents,
  Session,
  UserView,
} from '../../apps/rubis/server/api.ts';
import * as redis from '../kit/redis-server.ts';
import { startPostgresPeer, startRedisPeer, type Peer } from './peer.ts';
import * as postgres from './postgres-server.ts';
import { newVisitor } from './visitors.ts';

const REGION = 'az-phoenix';
type Tested = [name: string, absent: string | null, start: () => Promise<Peer>];

const noRedis = redis.redisVersion() === null ? redis.HOW_TO_INSTALL : null;
const noPostgres = postgres.postgresVersion() === null ? postgres.HOW_TO_INSTALL : null;

const ON_REDIS: Tested[] = [['Redis, on the disk', noRedis, () => startRedisPeer({ appServers: 2, durability: 'sync' })]];
const ON_POSTGRES: Tested[] = [
  ['PostgreSQL', noPostgres, () => startPostgresPeer({ appServers: 2, durability: 'none' })],
  [
    'PostgreSQL, on the disk, read committed',
    noPostgres,
    () => startPostgresPeer({ appServers: 2, durability: 'sync', isolation: 'read committed' }),
  ],
];

for (const [name, absent, start] of process.env['CLARET_LONG'] === '1' ? ON_POSTGRES : ON_REDIS) {
  describe.skipIf(absent !== null)(`${name}${absent === null ? '' : `: skipped, ${absent}`}`, () => {
    let peer: Peer;
    let people = 0;
    beforeAll(async () => void (peer = await start()));
    afterAll(() => peer?.stop()); // again, or after a failure

    type Answer<Body> = { status: number; body: Body; headers: Headers };
    async function ask<Body>(server: number, path: string, { cookie = '', body, key }: Asked = {}): Promise<Answer<Body>> {
      const answer = await fetch(`${peer.urls[server]}/api${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        body: body === undefined ? null : JSON.stringify(body),
        headers: {
          cookie,
          'x-claret-csrf': '1',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
      });
      return { status: answer.status, body: (await answer.json()) as Body, headers: answer.headers };
    }

    const visitor = async () => (await newVisitor(peer.store, { nickname: `visitor${people++}`, region_id: REGION }))!;
    async function newItem(start_price_cents = 100): Promise<string> {
      const body = { title: 'A kite', description: 'Red.', category_id: 'books-fiction', start_price_cents, duration_minutes: 60 };
      const { categories } = (await ask<{ categories: { id: string }[] }>(0, '/catalogue')).body;
      const { cookie } = await visitor();
      const opened = await ask<ItemOpened>(0, '/items', { cookie, body: { ...body, category_id: categories[0]!.id } });
      expect(opened.status).toBe(201);
      return opened.body.item_id;
    }
    const bid = (server: number, item_id: string, cookie: string, amount_cents: number, key?: string) =>
      ask<BidAccepted & Refusal>(server, `/items/${item_id}/bids`, { cookie, body: { amount_cents }, key });

    test('who registers is logged in on every app server, and may log in again', async () => {
      const user = { nickname: 'Ann_1', password: 'correct horse', region_id: REGION };
      const registered = await ask<Session>(0, '/register', { body: user });
      expect(registered).toMatchObject({ status: 201, body: { user: { nickname: 'Ann_1', region_id: REGION } } });
      const cookie = registered.headers.get('set-cookie')!.split(';')[0]!;
      expect(cookie).toMatch(/^claret_auctions=/);
      expect((await ask<Session>(1, '/session', { cookie })).body.user).toEqual(registered.body.user);
      expect(await ask(1, '/register', { body: { ...user, nickname: 'ANN_1' } })).toMatchObject({
        status: 409,
        body: { code: 'nickname_taken', field: 'nickname' },
      });
      const again = await ask<Session>(1, '/login', { body: { nickname: 'ann_1', password: 'correct horse' } });
      expect(again).toMatchObject({ status: 200, body: { user: registered.body.user } });
      expect(await ask(1, '/login', { body: { nickname: 'ann_1', password: 'wrong horse' } })).toMatchObject({
        status: 401,
        body: { code: 'wrong_credentials' },
      });
    });

    test('a change without the header against requests from other sites is refused', async () => {
      const answer = await fetch(`${peer.urls[0]}/api/login`, { method: 'POST' });
      expect(answer.status).toBe(403);
    });

    test('large answers are compressed where asked for', async () => {
      expect((await ask(0, '/catalogue')).headers.get('content-encoding')).toBe('gzip'); // fetch asks for it
      expect((await ask(0, '/conditions')).headers.get('content-encoding')).toBe(null);
      expect((await fetch(`${peer.urls[0]}/readyz`)).status).toBe(200);
    });

    test('a bid is accepted and shown on another app server', async () => {
      const item_id = await newItem();
      const { person, cookie } = await visitor();
      const placed = await bid(0, item_id, cookie, 150);
      expect(placed).toMatchObject({ status: 201, body: { accepted: true, amount_cents: 150, max_cents: 150 } });
      const { item, live, viewer } = (await ask<ItemView>(1, `/items/${item_id}`, { cookie })).body;
      const { id, nickname } = person;
      const shown = { id: placed.body.bid_id, amount_cents: 150, bidder: { id, nickname } };
      expect(live).toMatchObject({ status: 'open', price_cents: 150, bid_count: 1, min_next_bid_cents: 175, top_bids: [shown] });
      expect(viewer).toMatchObject({ standing: 'leading', my_bid_cents: 150 });
      expect((await ask<BidHistory>(1, `/items/${item_id}/bids`)).body).toMatchObject({ title: 'A kite', bid_count: 1, bids: [shown] });
      const seller = (await ask<UserView>(1, `/users/${item.seller.id}`)).body;
      expect(seller.selling).toMatchObject([{ id: item_id, price_cents: 150, bid_count: 1 }]);

      const other = await visitor();
      await bid(1, item_id, other.cookie, 175);
      const notice = { id: `outbid.${item_id}.${placed.body.bid_id}`, kind: 'outbid', item_id, price_cents: 175 };
      expect((await ask<Inbox>(1, '/me/inbox?unread=1', { cookie })).body).toMatchObject({ unread: 1, notices: [notice] });
      expect((await ask<Inbox>(1, '/me/inbox?unread=1', { cookie: other.cookie })).body.notices).toEqual([]);
      await bid(0, item_id, cookie, 200);
      expect((await ask<Inbox>(1, '/me/inbox?unread=1', { cookie })).body.notices).toEqual([]);
    });

    test('the page of an auction has all that its parts’ routes answer, in one answer', async () => {
      const item_id = await newItem();
      const [first, leader] = [await visitor(), await visitor()];
      await bid(0, item_id, first.cookie, 150);
      await bid(1, item_id, leader.cookie, 200);
      const catalogue = (await ask<Catalogue>(0, '/catalogue')).body;
      const timeless = (part: unknown) => JSON.parse(JSON.stringify(part, (member, value) => (member === 'server_time_ms' ? null : value)));
      let opened = 0;
      for (const cookie of [first.cookie, leader.cookie, '']) {
        const asked = await ask<AuctionPage>(1, `/items/${item_id}/page?opened=1&visit=1`, { cookie });
        const { seller, catalogue: part, views, visit, ...view } = asked.body;
        expect(timeless(view)).toEqual(timeless((await ask<ItemView>(0, `/items/${item_id}`, { cookie })).body));
        const { rating, comments } = (await ask<UserView>(0, `/users/${view.item.seller.id}`)).body;
        expect(seller).toEqual({ rating, comments });
        expect(part).toEqual({
          categories: catalogue.categories.filter(({ id }) => id === view.item.category_id),
          regions: catalogue.regions.filter(({ id }) => id === view.item.region_id),
          increments: catalogue.increments,
        });
        expect(views).toBe(++opened);
        const inbox = cookie === '' ? null : (await ask<Inbox>(0, '/me/inbox?unread=1', { cookie })).body;
        expect(timeless(visit)).toEqual(timeless({ session: (await ask(0, '/session', { cookie })).body, unusual: null, inbox }));
      }
      expect((await ask<AuctionPage>(0, `/items/${item_id}/page`)).body).toMatchObject({ views: null, visit: null });
      expect((await ask<{ views: number }>(0, `/items/${item_id}/views`, { body: {} })).body.views).toBe(opened + 1);
      expect((await ask(0, '/items/987654/page?opened=1&visit=1')).status).toBe(404);
      expect((await fetch(`${peer.urls[0]}/api/items/${item_id}/page?opened=1`)).status).toBe(403);
    });

    test('bids are refused as on the site', async () => {
      const item_id = await newItem();
      const { cookie } = await visitor();
      const refusal = async (path: string, asked: Asked) => {
        const { status, body } = await ask<Refusal>(0, path, asked);
        return { status, ...body };
      };
      const low = { status: 409, code: 'amount_below_minimum', field: 'amount_cents' };
      expect(await refusal(`/items/${item_id}/bids`, { cookie, body: { amount_cents: 99 } })).toMatchObject({
        ...low,
        min_next_bid_cents: 100,
      });
      await bid(0, item_id, cookie, 100);
      expect(await refusal(`/items/${item_id}/bids`, { cookie, body: { amount_cents: 124 } })).toMatchObject({
        ...low,
        min_next_bid_cents: 125,
      });
      expect(await refusal(`/items/${item_id}/bids`, { body: { amount_cents: 200 } })).toMatchObject({ status: 401 });
      expect(await refusal('/items/nothing/bids', { cookie, body: { amount_cents: 200 } })).toMatchObject({ code: 'unknown_item' });
      expect(await refusal('/items/987654/bids', { cookie, body: { amount_cents: 200 } })).toMatchObject({ code: 'unknown_item' });
      expect(await refusal(`/items/${item_id}/bids`, { cookie, body: { amount_cents: 'x' } })).toMatchObject({
        code: 'amount_not_a_number',
      });
      const { person, cookie: own } = await visitor();
      const seller = { id: person.id, nickname: person.nickname };
      const item = { title: 'Over', description: '', category_id: 'c', region_id: REGION, seller, start_price_cents: 1, opened_at_ms: 0 };
      const [over, open] = await Promise.all(
        [1, Date.now() + 60_000].map((closes_at_ms) => peer.store.openAuction({ ...item, closes_at_ms })),
      );
      expect(await refusal(`/items/${over}/bids`, { cookie, body: { amount_cents: 200 } })).toMatchObject({ code: 'auction_closed' });
      expect(await refusal(`/items/${open}/bids`, { cookie: own, body: { amount_cents: 200 } })).toMatchObject({
        status: 403,
        code: 'own_item',
      });
      expect((await ask<Inbox>(0, '/me/inbox?unread=1', { cookie: own })).body.notices).toMatchObject([{ kind: 'unsold', item_id: over }]);
    });

    test('a request sent to two app servers at once, and again later, bids once and is answered the same', async () => {
      const item_id = await newItem();
      const { cookie } = await visitor();
      const key = randomUUID();
      const both = await Promise.all([0, 1].map((server) => bid(server, item_id, cookie, 150, key)));
      await bid(0, item_id, (await visitor()).cookie, 500);
      const answers = [...both, await bid(1, item_id, cookie, 150, key)];
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(new Set(answers.map(({ body }) => body.bid_id)).size).toBe(1);
      expect((await ask<BidHistory>(0, `/items/${item_id}/bids`)).body.bid_count).toBe(2);
      // Another person's request with the same key is another bid.
      const other = await bid(0, item_id, (await visitor()).cookie, 600, key);
      expect(other.status).toBe(201);
      expect(other.body.bid_id).not.toBe(answers[0]!.body.bid_id);
    });

    test('of forty bids at once the accepted ones are the ledger, and the price is the highest', async () => {
      const item_id = await newItem();
      const crowd = await Promise.all(Array.from({ length: 40 }, visitor));
      const answers = await Promise.all(crowd.map(({ cookie }, i) => bid(i % 2, item_id, cookie, 10_000 + 1_000 * i, randomUUID())));
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
        new Set(['201 undefined', ...(answers.some(({ status }) => status === 409) ? ['409 amount_below_minimum'] : [])]),
      );
      const accepted = answers.filter(({ status }) => status === 201).map(({ body }) => [body.bid_id, body.amount_cents]);
      const { bids, bid_count } = (await ask<BidHistory>(1, `/items/${item_id}/bids`)).body;
      expect(bids.map(({ id, amount_cents }) => [id, amount_cents])).toEqual(accepted.toReversed());
      expect(bid_count).toBe(accepted.length);
      expect((await ask<ItemView>(1, `/items/${item_id}`)).body.live.price_cents).toBe(49_000);
    });

    test('views are counted once each', async () => {
      const item_id = await newItem();
      const counts = await Promise.all(
        Array.from({ length: 10 }, (_, i) => ask<{ views: number }>(i % 2, `/items/${item_id}/views`, { body: {} })),
      );
      expect(counts.map(({ body }) => body.views).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect((await ask(0, '/items/987654/views', { body: {} })).status).toBe(404);
    });

    test('the stream at another app server tells each new price', async () => {
      const item_id = await newItem();
      const ended = new AbortController();
      const stream = await fetch(`${peer.urls[1]}/api/live?items=${item_id},nothing`, { signal: ended.signal });
      expect(stream.headers.get('content-type')).toContain('text/event-stream');
      let text = '';
      const reading = (async () => {
        for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) text += chunk;
      })().catch(() => undefined);
      const events = <Name extends keyof LiveEvents>(event: Name) =>
        [...text.matchAll(new RegExp(`event: ${event}\ndata: (.*)\n\n`, 'g'))].map(([, data]) => JSON.parse(data!) as LiveEvents[Name]);
      await vi.waitFor(() => expect(events('item').at(-1)?.item.price_cents).toBe(100));
      expect(events('hello')).toMatchObject([{ items: [item_id], unknown_items: ['nothing'], user: null }]);
      const { person, cookie } = await visitor();
      for (const cents of [200, 300, 400]) await bid(0, item_id, cookie, cents);
      await vi.waitFor(() => expect(events('item').at(-1)?.item.price_cents).toBe(400));
      const { item } = events('item').at(-1)!;
      expect(item).toEqual((await ask<ItemView>(0, `/items/${item_id}`)).body.live);
      expect(item.top_bids[0]!.bidder.id).toBe(person.id);
      ended.abort();
      await reading;
    });

    test('its processes are the app servers and the database, and none is left once it has stopped', async () => {
      const processes = peer.processes();
      expect(processes.filter((one) => one.name.startsWith('app server'))).toHaveLength(2);
      expect(processes.length).toBeGreaterThan(2);
      for (const { pid } of processes) expect(process.kill(pid, 0)).toBe(true);
      await peer.stop();
      for (const { pid } of processes) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });
  });
}

type Asked = { cookie?: string; body?: unknown; key?: string };
type Refusal = { code?: string; field?: string; min_next_bid_cents?: number };
