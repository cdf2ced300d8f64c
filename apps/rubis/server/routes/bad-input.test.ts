// Invalid input gets a stable code and a friendly sentence, and changes nothing.
import type { App } from '@claret/site/http.ts';
import { problemIn as problemOf } from '@claret/site/testing/problem.ts';
import { TEST_COST, type Answer } from '@claret/site/testing/visitor.ts';
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { viewAuction } from '../actions/view-auction.ts';
import { ERROR_STATUS, LIMITS, type ErrorCode } from '../api.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
let app: App;
let seller: Visitor;
let buyer: Visitor;
let stranger: Visitor;
let item = '';
let over = '';
let closed = '';
let offered = '';

beforeAll(async () => {
  world = await startWorld();
  app = await buildApp({ claret: world.claret, password_cost: TEST_COST });
  stranger = new Visitor(app);
  seller = await new Visitor(app).register('seller');
  buyer = await new Visitor(app).register('buyer');
  item = await seller.sell();
  offered = await seller.sell({ quantity: 3, buy_now_price_cents: 90_00 });
  const ref = { id: seller.id, nickname: 'seller' };
  over = await world.auction(ref, { closes_at_ms: Date.now() - 60_000 });
  closed = await world.auction(ref, { closes_at_ms: Date.now() - 60_000 });
  await closeAuction(world.claret, { item_id: closed, now_ms: Date.now() });
});
afterAll(async () => {
  await app.close();
  await world.stop();
});

const problemIn = (answer: Answer): string => problemOf(ERROR_STATUS, answer);

describe('A bid', () => {
  const bids: [what: string, amount: unknown, code: ErrorCode][] = [
    ['below the start price', 9_99, 'amount_below_minimum'],
    ['of zero', 0, 'amount_below_minimum'],
    ['below zero', -5, 'amount_below_minimum'],
    ['of text', '1000', 'amount_not_a_number'],
    ['of half a cent', 1000.5, 'amount_not_a_number'],
    ['of null', null, 'amount_not_a_number'],
    ['of a list', [1_000], 'amount_not_a_number'],
    ['that is missing', undefined, 'amount_not_a_number'],
    ['above the limit', LIMITS.amount_cents_max + 1, 'amount_too_large'],
    ['far above the limit', 1e300, 'amount_too_large'],
  ];
  const maxima: [what: string, max: unknown, code: ErrorCode][] = [
    ['below the amount', 19_99, 'max_below_amount'],
    ['of text', '3000', 'amount_not_a_number'],
    ['of half a cent', 3000.5, 'amount_not_a_number'],
    ['of null', null, 'amount_not_a_number'],
    ['above the limit', LIMITS.amount_cents_max + 1, 'amount_too_large'],
  ];
  test.each(maxima)('with a maximum %s is refused', async (_what, max_cents, code) => {
    const answer = await buyer.post(`/api/items/${item}/bids`, { amount_cents: 20_00, max_cents });
    expect(problemIn(answer)).toBe(code);
    expect(answer.body['field']).toBe('max_cents');
  });

  test.each(bids)('%s is refused', async (_what, amount_cents, code) => {
    expect(problemIn(await buyer.post(`/api/items/${item}/bids`, { amount_cents }))).toBe(code);
  });

  test('is refused on one’s own item, on ended and closed auctions, and on unknown items', async () => {
    const bid = { amount_cents: 50_00 };
    expect(problemIn(await seller.post(`/api/items/${item}/bids`, bid))).toBe('own_item');
    expect(problemIn(await buyer.post(`/api/items/${over}/bids`, bid))).toBe('auction_closed');
    expect(problemIn(await buyer.post(`/api/items/${closed}/bids`, bid))).toBe('auction_closed');
    expect(problemIn(await buyer.post('/api/items/nothing/bids', bid))).toBe('unknown_item');
    expect(problemIn(await buyer.post('/api/items/%7Bitem%7D/bids', bid))).toBe('unknown_item');
    expect(problemIn(await buyer.post('/api/items/__proto__/bids', bid))).toBe('unknown_item');
  });

  test('reports the minimum of the next bid', async () => {
    const answer = await buyer.post(`/api/items/${item}/bids`, { amount_cents: 9_99 });
    expect(answer.body).toMatchObject({ min_next_bid_cents: 10_00, field: 'amount_cents' });
    expect(answer.body.detail).toContain('$10.00');
  });

  test('that was refused changes nothing', async () => {
    for (const item_id of [item, over, closed]) {
      expect(await viewAuction(world.claret, { item_id })).toMatchObject({ auction: { bid_count: 0, bids: [] } });
    }
  });
});

describe('A visitor', () => {
  test('must be logged in to bid, sell, comment or see their page', async () => {
    expect(problemIn(await stranger.post(`/api/items/${item}/bids`, { amount_cents: 50_00 }))).toBe('not_logged_in');
    expect(
      problemIn(
        await stranger.post('/api/items', {
          title: 'Lamp',
          description: '',
          category_id: 'home',
          start_price_cents: 1,
          duration_minutes: 5,
        }),
      ),
    ).toBe('not_logged_in');
    expect(problemIn(await stranger.post(`/api/items/${item}/comments`, { rating: 5, text: 'x' }))).toBe('not_logged_in');
    expect(problemIn(await stranger.get('/api/me'))).toBe('not_logged_in');
    expect(problemIn(await stranger.get('/api/me/inbox'))).toBe('not_logged_in');
    expect(problemIn(await stranger.post('/api/me/inbox/seen', { until_ms: 1 }))).toBe('not_logged_in');
    expect(problemIn(await stranger.post(`/api/items/${offered}/buy`, { quantity: 1 }))).toBe('not_logged_in');
    expect(problemIn(await stranger.put(`/api/items/${item}/watch`))).toBe('not_logged_in');
    expect(problemIn(await stranger.delete(`/api/items/${item}/watch`))).toBe('not_logged_in');
  });

  test.each([
    'claret_auctions=',
    'claret_auctions=abc',
    `claret_auctions=${'A'.repeat(43)}`,
    'claret_auctions=%00%ff',
    `other=${'x'.repeat(3_000)}`,
  ])('is logged out with the forged cookie %s', async (cookie) => {
    const forger = new Visitor(app);
    forger.cookie = cookie;
    expect(problemIn(await forger.get('/api/me'))).toBe('not_logged_in');
    expect((await forger.get('/api/session')).body['user']).toBeNull();
  });

  const origins: [what: string, headers: Record<string, string>][] = [
    ['without the header', {}],
    ['from another site, by Sec-Fetch-Site', { [CSRF_HEADER]: '1', 'sec-fetch-site': 'cross-site' }],
    ['from another port of the same host', { [CSRF_HEADER]: '1', 'sec-fetch-site': 'same-site' }],
    ['from another origin', { [CSRF_HEADER]: '1', origin: 'https://evil.example' }],
    ['from a page without an origin', { [CSRF_HEADER]: '1', origin: 'null' }],
  ];
  test.each(origins)('cannot change anything %s', async (_what, headers) => {
    expect(problemIn(await buyer.send('POST', `/api/items/${item}/bids`, { amount_cents: 50_00 }, headers))).toBe('csrf_missing');
    expect(problemIn(await buyer.send('POST', '/api/logout', undefined, headers))).toBe('csrf_missing');
    expect((await buyer.get('/api/session')).body['user']).not.toBeNull();
  });
});

describe('Forms', () => {
  const sales: [what: string, fields: Record<string, unknown>, code: ErrorCode, field: string][] = [
    ['a short title', { title: 'x' }, 'invalid_input', 'title'],
    ['a title of spaces', { title: '      ' }, 'invalid_input', 'title'],
    ['a long title', { title: 'x'.repeat(81) }, 'invalid_input', 'title'],
    ['a long description', { description: 'x'.repeat(4_001) }, 'invalid_input', 'description'],
    ['an unknown category', { category_id: 'nothing' }, 'unknown_category', 'category_id'],
    ['no start price', { start_price_cents: 0 }, 'invalid_input', 'start_price_cents'],
    ['a start price of text', { start_price_cents: '12' }, 'invalid_input', 'start_price_cents'],
    ['no duration', { duration_minutes: 0 }, 'invalid_input', 'duration_minutes'],
    ['more than a week', { duration_minutes: 7 * 24 * 60 + 1 }, 'invalid_input', 'duration_minutes'],
    ['too few seconds', { duration_minutes: undefined, duration_seconds: 59 }, 'invalid_input', 'duration_minutes'],
    ['both durations', { duration_seconds: 90 }, 'invalid_input', 'duration_minutes'],
    ['a field that does not exist', { reserve: 1 }, 'invalid_input', 'reserve'],
    ['a reserve below the start price', { reserve_price_cents: 99 }, 'reserve_below_start', 'reserve_price_cents'],
    ['a reserve of text', { reserve_price_cents: '200' }, 'invalid_input', 'reserve_price_cents'],
    ['a Buy now price below the start price', { buy_now_price_cents: 99 }, 'buy_now_too_low', 'buy_now_price_cents'],
    ['a Buy now price equal to the start price', { buy_now_price_cents: 100 }, 'buy_now_too_low', 'buy_now_price_cents'],
    [
      'a price to buy at below the reserve',
      { reserve_price_cents: 300, buy_now_price_cents: 299 },
      'buy_now_too_low',
      'buy_now_price_cents',
    ],
    ['a Buy now price above the limit', { buy_now_price_cents: LIMITS.amount_cents_max + 1 }, 'invalid_input', 'buy_now_price_cents'],
    ['several pieces without a Buy now price', { quantity: 2 }, 'quantity_needs_buy_now', 'quantity'],
    ['no pieces', { quantity: 0, buy_now_price_cents: 300 }, 'invalid_input', 'quantity'],
    ['too many pieces', { quantity: 11, buy_now_price_cents: 300 }, 'invalid_input', 'quantity'],
    ['half a piece', { quantity: 1.5, buy_now_price_cents: 300 }, 'invalid_input', 'quantity'],
  ];
  test.each(sales)('a sale with %s is refused', async (_what, fields, code, field) => {
    const sale = { title: 'Lamp', description: '', category_id: 'home', start_price_cents: 100, duration_minutes: 60 };
    const answer = await seller.post('/api/items', { ...sale, ...fields });
    expect(problemIn(answer)).toBe(code);
    expect(answer.body['field']).toBe(field);
  });

  const purchases: [what: string, fields: Record<string, unknown>, code: ErrorCode, field: string][] = [
    ['no pieces', { quantity: 0 }, 'invalid_input', 'quantity'],
    ['fewer than no pieces', { quantity: -1 }, 'invalid_input', 'quantity'],
    ['half a piece', { quantity: 0.5 }, 'invalid_input', 'quantity'],
    ['pieces in text', { quantity: '1' }, 'invalid_input', 'quantity'],
    ['more pieces than allowed', { quantity: 11 }, 'invalid_input', 'quantity'],
    ['more pieces than there are', { quantity: 4 }, 'not_enough_left', 'quantity'],
    ['an id of its own', { purchase_id: 'mine' }, 'invalid_input', 'purchase_id'],
    ['a price of its own', { price_cents: 1 }, 'invalid_input', 'price_cents'],
    ['another person as buyer', { buyer_id: 'u1' }, 'invalid_input', 'buyer_id'],
  ];
  test.each(purchases)('a purchase of %s is refused, and takes no piece', async (_what, fields, code, field) => {
    const answer = await buyer.post(`/api/items/${offered}/buy`, { quantity: 1, ...fields });
    expect(problemIn(answer)).toBe(code);
    expect(answer.body['field']).toBe(field);
    expect((await stranger.get(`/api/items/${offered}`)).body['live']).toMatchObject({ status: 'open', buy_now: { left: 3 } });
    expect((await buyer.get('/api/me')).body['bought']).toEqual([]);
  });

  test('an invalid time for an inbox that was read is refused', async () => {
    for (const until_ms of [-1, 0.5, '1', null, undefined]) {
      expect(problemIn(await buyer.post('/api/me/inbox/seen', { until_ms }))).toBe('invalid_input');
    }
    expect((await buyer.get('/api/me/inbox')).body['seen_until_ms']).toBe(0);
  });

  const people: [what: string, fields: Record<string, unknown>, code: ErrorCode][] = [
    ['a short nickname', { nickname: 'ab' }, 'invalid_input'],
    ['a nickname with forbidden characters', { nickname: 'a:b}c' }, 'invalid_input'],
    ['the nickname __proto__', { nickname: '__proto__' }, 'invalid_input'],
    ['a short password', { password: '1234567' }, 'invalid_input'],
    ['a long password', { password: 'x'.repeat(129) }, 'invalid_input'],
    ['an unknown region', { region_id: 'nowhere' }, 'unknown_region'],
    ['a nickname that is taken', { nickname: 'SELLER' }, 'nickname_taken'],
  ];
  test.each(people)('a registration with %s is refused', async (_what, fields, code) => {
    const form = { nickname: 'newcomer', password: 'long enough', region_id: 'ny-albany' };
    expect(problemIn(await stranger.post('/api/register', { ...form, ...fields }))).toBe(code);
    expect((await stranger.get('/api/session')).body['user']).toBeNull();
  });

  const comments: [what: string, fields: unknown][] = [
    ['a rating of 6', { rating: 6, text: 'x' }],
    ['a rating of 0.5', { rating: 0.5, text: 'x' }],
    ['no text', { rating: 5, text: '' }],
    ['a text of spaces', { rating: 5, text: ' \n ' }],
    ['a long text', { rating: 5, text: 'x'.repeat(501) }],
    ['a malformed id', { rating: 5, text: 'x', about_user_id: 'a b' }],
  ];
  test.each(comments)('a comment with %s is refused', async (_what, fields) => {
    expect(problemIn(await buyer.post(`/api/items/${closed}/comments`, fields))).toBe('invalid_input');
  });

  test('a body that is not JSON, not an object, or too long is refused', async () => {
    const json = { [CSRF_HEADER]: '1', 'content-type': 'application/json' };
    expect(problemIn(await buyer.send('POST', '/api/login', '{"nickname":', json))).toBe('invalid_input');
    expect(problemIn(await buyer.send('POST', '/api/login', '[]', json))).toBe('invalid_input');
    expect(problemIn(await buyer.send('POST', '/api/login', '{"__proto__":{"x":1}}', json))).toBe('invalid_input');
    expect(problemIn(await buyer.send('POST', '/api/login', 'x=1', { ...json, 'content-type': 'text/plain' }))).toBe(
      'unsupported_media_type',
    );
    expect(problemIn(await buyer.post('/api/items', { title: 'x'.repeat(70_000) }))).toBe('body_too_large');
  });
});

describe('Addresses', () => {
  const urls: [url: string, code: ErrorCode][] = [
    ['/api/items/unknown', 'unknown_item'],
    ['/api/items/unknown/bids', 'unknown_item'],
    ['/api/users/unknown', 'unknown_user'],
    ['/api/items?category=unknown', 'unknown_category'],
    ['/api/items?region=unknown', 'unknown_region'],
    ['/api/items?cursor=xyz', 'invalid_cursor'],
    ['/api/items?cursor=~', 'invalid_cursor'],
    [`/api/search?q=${'x'.repeat(81)}`, 'invalid_input'],
    ['/api/search', 'invalid_input'],
    ['/api/live?items=a%7Db', 'invalid_input'],
    [`/api/live?items=${Array.from({ length: 161 }, (_, i) => `x${i}`).join(',')}`, 'invalid_input'],
    ['/api/nothing', 'unknown_route'],
  ];
  test.each(urls)('%s is answered with %s', async (url, code) => {
    expect(problemIn(await stranger.get(url))).toBe(code);
  });
});

describe('Texts', () => {
  test('with markup are stored unchanged, and answered as JSON that no browser takes for a page', async () => {
    const markup = '<script>alert(1)</script> & "quotes" ‮';
    const item_id = await seller.sell({ title: markup, description: `${markup}\r\nsecond line\u0000` });
    const answer = await stranger.get(`/api/items/${item_id}`);
    expect(answer.body['item']).toMatchObject({
      title: '<script>alert(1)</script> & "quotes"',
      description: '<script>alert(1)</script> & "quotes" \nsecond line',
    });
    expect(answer.raw.headers['content-type']).toContain('application/json');
    expect(answer.raw.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.raw.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('with an unpaired surrogate do no harm', async () => {
    const item_id = await seller.sell({ title: 'broken \ud800 title' });
    expect((await stranger.get(`/api/items/${item_id}`)).status).toBe(200);
    expect((await stranger.get('/api/search?q=%ED%A0%80')).status).toBeLessThan(500);
  });
});
