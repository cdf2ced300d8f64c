// The site as its visitors use it, over two app servers on one cluster.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { App } from '@claret/site/http.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { newUser } from '../actions/new-user.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
let first: App;
let second: App;
let web_root: string;

beforeAll(async () => {
  world = await startWorld();
  web_root = await mkdtemp(join(tmpdir(), 'auctions-'));
  await mkdir(join(web_root, 'assets'));
  await writeFile(join(web_root, 'index.html'), '<!doctype html><title>Auctions</title>');
  await writeFile(join(web_root, 'assets', 'site-abc123.js'), '1');
  first = await buildApp({ claret: world.claret, password_cost: TEST_COST, web_root, auction_seconds_min: 1 });
  second = await buildApp({ claret: await world.cluster.connect(), password_cost: TEST_COST });
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await world.stop();
  await rm(web_root, { recursive: true });
});

describe('A visit', () => {
  test('leads from registering to a comment on the item won', async () => {
    const seller = await new Visitor(first).register('anna');
    const buyer = await new Visitor(second).register('bert');
    const item_id = await seller.sell({ title: 'Tall Lighthouse', duration_minutes: undefined, duration_seconds: 60 });

    const accepted = await buyer.at(first).post(`/api/items/${item_id}/bids`, { amount_cents: 12_00 });
    expect(accepted.body).toMatchObject({ accepted: true, amount_cents: 12_00 });
    const shown = await buyer.at(second).get(`/api/items/${item_id}`);
    expect(shown.body).toMatchObject({
      live: { price_cents: 12_00, bid_count: 1, min_next_bid_cents: 12_50, status: 'open', top_bids: [{ bidder: { nickname: 'bert' } }] },
      viewer: { standing: 'leading', my_bid_cents: 12_00, may_comment_on: [] },
    });
    expect((await seller.get('/api/search?q=lighthouse')).body['items']).toMatchObject([{ id: item_id, price_cents: 12_00 }]);
    expect((await buyer.get('/api/me')).body['bidding']).toMatchObject([{ standing: 'leading', item: { id: item_id } }]);

    await closeAuction(world.claret, { item_id, now_ms: Date.now() + 60_000 });
    expect((await buyer.get(`/api/items/${item_id}`)).body).toMatchObject({
      live: { status: 'closed', winner: { nickname: 'bert' }, price_cents: 12_00 },
      viewer: { standing: 'won', may_comment_on: [{ nickname: 'anna' }] },
    });
    const stored = await buyer.post(`/api/items/${item_id}/comments`, { rating: 5, text: 'Shines <b>far</b>' });
    expect(stored.body).toMatchObject({ about: { nickname: 'anna' } });
    expect((await buyer.post(`/api/items/${item_id}/comments`, { rating: 5, text: 'again' })).body.code).toBe('already_commented');
    expect((await new Visitor(first).get(`/api/users/${seller.id}`)).body).toMatchObject({
      rating: { count: 1, mean: 5 },
      comments: [{ text: 'Shines <b>far</b>', from: { nickname: 'bert' } }],
    });
    expect((await buyer.get('/api/me')).body['won']).toMatchObject([{ may_comment_on: [], item: { id: item_id } }]);
    expect((await seller.get('/api/me')).body['sold']).toMatchObject([{ standing: 'sold', winner: { nickname: 'bert' } }]);
  });

  test('a bid below a price accepted by another server is refused at this one, once it has seen that price', async () => {
    const seller = await new Visitor(first).register('carla');
    const [one, two] = [await new Visitor(first).register('one'), await new Visitor(second).register('two')];
    const item_id = await seller.sell();
    expect((await one.post(`/api/items/${item_id}/bids`, { amount_cents: 20_00 })).status).toBe(201);
    const late = await two.post(`/api/items/${item_id}/bids`, { amount_cents: 20_00 });
    expect(late.body).toMatchObject({ code: 'amount_below_minimum', min_next_bid_cents: 20_50 });
  });
});

describe('Logging in', () => {
  test('is valid on every app server, and logging out ends the session on all of them', async () => {
    const visitor = await new Visitor(first).register('dora');
    await visitor.post('/api/logout');
    expect((await visitor.get('/api/session')).body['user']).toBeNull();
    const logged = await visitor.post('/api/login', { nickname: 'DORA', password: 'correct horse' });
    expect(logged.body).toMatchObject({ user: { nickname: 'dora' } });
    expect(logged.raw.headers['set-cookie']).toMatch(/HttpOnly.*SameSite=Strict/);
    const { cookie } = visitor;
    expect((await visitor.at(second).get('/api/me')).status).toBe(200);
    await visitor.at(second).post('/api/logout');
    visitor.cookie = cookie;
    expect((await visitor.at(first).get('/api/me')).body.code).toBe('not_logged_in');
  });

  test('says the same for a wrong password, an unknown nickname, and a person without a password', async () => {
    await new Visitor(first).register('emil');
    await newUser(world.claret, { nickname: 'seeded', region_id: 'ny-albany', credentials: null, created_at_ms: Date.now() });
    const answers = await Promise.all(
      ['emil', 'unknown_one', 'seeded', '}{', '__proto__'].map((nickname) =>
        new Visitor(first).post('/api/login', { nickname, password: 'wrong' }),
      ),
    );
    for (const answer of answers) expect(answer.raw.body).toBe(answers[0]?.raw.body);
    expect(answers[0]?.body.code).toBe('wrong_credentials');
  });

  test('is limited after ten failures, also with the right password', async () => {
    const visitor = await new Visitor(first).register('fritz');
    const tries = await Promise.all(Array.from({ length: 15 }, () => visitor.post('/api/login', { nickname: 'Fritz', password: 'wrong' })));
    expect(tries.filter((one) => one.body.code === 'wrong_credentials')).toHaveLength(10);
    const answer = await visitor.post('/api/login', { nickname: 'fritz', password: 'correct horse' });
    expect(answer.body.code).toBe('too_many_attempts');
    expect(Number(answer.raw.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('Pages', () => {
  test('every path of the site gives its index, files are served, and no file outside', async () => {
    const visitor = new Visitor(first);
    for (const url of ['/', '/items/abc', '/me', '/a/b/c?d=e']) {
      const { status, raw } = await visitor.get(url);
      expect([status, raw.body]).toEqual([200, '<!doctype html><title>Auctions</title>']);
      expect(raw.headers['cache-control']).toBe('no-cache');
    }
    const asset = await visitor.get('/assets/site-abc123.js');
    expect(asset.raw.headers['cache-control']).toContain('immutable');
    expect((await visitor.get('/assets/site-old.js')).body.code).toBe('unknown_route');
    for (const url of ['/../package.json', '/%2e%2e/%2e%2e/package.json', '/..%2f..%2fetc/passwd']) {
      expect((await visitor.get(url)).raw.body).not.toContain('root:');
    }
    expect((await visitor.send('GET', '/api/nothing')).body.code).toBe('unknown_route');
  });

  test('the catalogue has regions, categories and increments, and demo accounts only if the data set has them', async () => {
    const { body } = await new Visitor(first).get('/api/catalogue');
    expect(body['regions']).toHaveLength(62);
    expect(body['categories']).toHaveLength(40);
    expect(body['demo_accounts']).toEqual([]);
  });

  test('readiness follows the shards', async () => {
    expect((await new Visitor(first).get('/readyz')).status).toBe(200);
    expect((await new Visitor(first).get('/livez')).status).toBe(200);
  });
});
