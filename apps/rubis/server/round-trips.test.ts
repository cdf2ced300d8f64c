// What each request of the auction site costs between its app server and the shards, as a page sends it: round trips until the answer, and frames
// both ways. Auctions that are asked for are followed by the server already. A change that makes a request dearer has to change this table.
import { asked, FarSite, type Asked, type Costs } from '@claret/site/testing/round-trips.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { buildApp } from './app.ts';
import { Visitor } from './testing/visitor.ts';

let site: FarSite;
let seller: Visitor;
let bidder: Visitor;
let buyer: Visitor;
let stranger: Visitor;
let item = '';
// of another seller, with and without a comment
let commented = '';
let shown = '';

const names = () => ({ ITEM: item, COMMENTED: commented, SHOWN: shown, SELLER: seller.id });
const as = (visitor: Visitor, method: Asked['method'], url: string, payload?: object): Asked =>
  asked(
    visitor,
    method,
    Object.entries(names()).reduce((named, [name, id]) => named.replace(name, id), url),
    payload,
  );
const SALE = { title: 'Red Lamp', description: 'It shines.', category_id: 'home', start_price_cents: 10_00, duration_minutes: 60 };
let amount_cents = 20_00;

const ASKED = {
  bid: () => as(bidder, 'POST', '/api/items/ITEM/bids', { amount_cents: (amount_cents += 100) }),
  'buy now': () => as(buyer, 'POST', '/api/items/ITEM/buy', { quantity: 1 }),
  comment: () => as(buyer, 'POST', '/api/items/ITEM/comments', { rating: 5, text: 'Shines as promised.', about_user_id: seller.id }),
  sell: () => as(seller, 'POST', '/api/items', SALE),
  'watch an auction': () => as(bidder, 'PUT', '/api/items/ITEM/watch'),
  'auction page, first of a visit': () => as(bidder, 'GET', '/api/items/SHOWN/page?opened=1&visit=1'),
  'auction page, from another page': () => as(bidder, 'GET', '/api/items/SHOWN/page?opened=1'),
  'auction page, logged out': () => as(stranger, 'GET', '/api/items/SHOWN/page?opened=1&visit=1'),
  'auction page, of a sale with a comment': () => as(stranger, 'GET', '/api/items/COMMENTED/page?opened=1&visit=1'),
  'auction page: a view of what was read before': () => as(bidder, 'POST', '/api/items/ITEM/views'),
  'any page: inbox': () => as(bidder, 'GET', '/api/me/inbox?unread=1'),
  'page of a person': () => as(bidder, 'GET', '/api/users/SELLER'),
  'own page': () => as(bidder, 'GET', '/api/me'),
  catalogue: () => as(bidder, 'GET', '/api/catalogue'),
};

const COSTS: Costs<keyof typeof ASKED> = {
  bid: { 1: [1, 2], 2: [1, 8] },
  'buy now': { 1: [1, 2], 2: [1, 8] },
  comment: { 1: [1, 2], 2: [1, 8] },
  sell: { 1: [1, 2], 2: [1, 8] },
  'watch an auction': { 1: [2, 4], 2: [2, 10] },
  'auction page, first of a visit': { 1: [2, 6], 2: [2, 10] },
  'auction page, from another page': { 1: [2, 6], 2: [2, 10] },
  'auction page, logged out': { 1: [2, 4], 2: [2, 6] },
  'auction page, of a sale with a comment': { 1: [3, 6], 2: [3, 8] },
  'auction page: a view of what was read before': { 1: [2, 4], 2: [2, 4] },
  'any page: inbox': { 1: [2, 4], 2: [2, 4] },
  'page of a person': { 1: [4, 8], 2: [4, 12] },
  'own page': { 1: [3, 6], 2: [3, 10] },
  catalogue: { 1: [1, 2], 2: [1, 2] },
};

describe.each([1, 2] as const)('over %i shards', (shards) => {
  beforeAll(async () => {
    site = await FarSite.start(shards, (claret) => buildApp({ claret, password_cost: TEST_COST }));
    seller = await new Visitor(site.app).register('seller');
    bidder = await new Visitor(site.app).register('bidder');
    buyer = await new Visitor(site.app).register('buyer');
    stranger = new Visitor(site.app);
    item = await seller.sell({ quantity: 9, buy_now_price_cents: 90_00 });
    const other = await new Visitor(site.app).register('other');
    commented = await other.sell({ quantity: 9, buy_now_price_cents: 90_00 });
    await site.cost(asked(buyer, 'POST', `/api/items/${commented}/buy`, { quantity: 1 }));
    const comment = { rating: 5, text: 'Shines as promised.', about_user_id: other.id };
    expect((await site.cost(asked(buyer, 'POST', `/api/items/${commented}/comments`, comment))).status).toBe(201);
    shown = await other.sell({ quantity: 9, buy_now_price_cents: 90_00 });
    await site.cost(ASKED.bid()); // from now on the server follows the auction
  });
  afterAll(() => site.stop());

  test.each(Object.keys(ASKED) as (keyof typeof ASKED)[])('%s', async (what) => {
    const { status, round_trips, frames } = await site.cost(ASKED[what]());
    const [trips, framesMax] = COSTS[what][shards];
    expect([200, 201]).toContain(status);
    expect(round_trips).toBe(trips);
    expect(frames).toBeLessThanOrEqual(framesMax);
  });

  test('a bid that is too low', async () => {
    const { status, round_trips, frames } = await site.cost(as(bidder, 'POST', '/api/items/ITEM/bids', { amount_cents: 1_00 }));
    expect([status, round_trips]).toEqual([409, 1]);
    expect(frames).toBeLessThanOrEqual(shards === 1 ? 4 : 6);
  });
});
