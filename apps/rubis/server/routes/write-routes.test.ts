// Every route of the auction site that changes something, tried by everyone who may not use it.
import type { App } from '@claret/site/http.ts';
import { writeRoutesOf } from '@claret/site/testing/security/routes.ts';
import { shownTo, writesAreRefused, type Write } from '@claret/site/testing/security/writes.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { newRequestKey } from '@claret/ui/site/api/requestKeys.ts';
import { afterAll, beforeAll } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

const HOUR_MS = 60 * 60_000;
const KEY = newRequestKey(Date.now());

let world: World;
let app: App;
let routes: string[];
let seller: Visitor;
let bidder: Visitor; // leads at `open`
let winner: Visitor; // won `closed`
let buyer: Visitor; // bought two pieces of `open`
let stranger: Visitor;
let open = '';
let closed = '';
let plain = ''; // open, without Buy now

beforeAll(async () => {
  world = await startWorld();
  ({ app, routes } = await writeRoutesOf(() => buildApp({ claret: world.claret, password_cost: TEST_COST })));
  [seller, bidder, winner, buyer, stranger] = (await Promise.all(
    ['seller', 'bidder', 'winner', 'buyer', 'stranger'].map((name) => new Visitor(app).register(name)),
  )) as [Visitor, Visitor, Visitor, Visitor, Visitor];
  open = await seller.sell({ quantity: 9, buy_now_price_cents: 90_00 });
  plain = await seller.sell();
  closed = await seller.sell();
  await bidder.post(`/api/items/${open}/bids`, { amount_cents: 20_00, max_cents: 40_00 });
  await winner.post(`/api/items/${closed}/bids`, { amount_cents: 20_00 });
  await buyer.post(`/api/items/${open}/buy`, { quantity: 2 });
  for (const watcher of [winner, seller]) await watcher.put(`/api/items/${open}/watch`);
  await closeAuction(world.claret, { item_id: closed, now_ms: Date.now() + 2 * HOUR_MS });
});
afterAll(async () => {
  await app.close();
  await world.stop();
});

/** Everything that the site shows to each of them, and logged out. */
async function everything(): Promise<unknown> {
  const people = [seller, bidder, winner, buyer, stranger];
  const items = [open, plain, closed];
  const urls = [
    '/items',
    '/search?q=lamp',
    '/me',
    '/me/inbox',
    ...items.flatMap((id) => [`/items/${id}`, `/items/${id}/bids`]),
    ...people.map(({ id }) => `/users/${id}`),
  ];
  return shownTo([...people, new Visitor(app)], urls);
}

const onItem = (path: string) => ({
  address: (id: string) => `/api/items/${id}/${path}`,
  ids: [KEY, `${open}-1`, `${open}.`, 'item'],
  codes: ['unknown_item'],
});
const people = () => ({
  user_id: stranger.id,
  bidder: { id: stranger.id, nickname: 'stranger' },
  seller: stranger.id,
  buyer_id: stranger.id,
  from: stranger.id,
});

const writes = (): Write[] => [
  {
    method: 'POST',
    route: '/api/items',
    url: '/api/items',
    by: seller,
    again: 'another',
    refused: [],
    body: { title: 'Lamp', description: '', category_id: 'home', start_price_cents: 1_00, duration_minutes: 60 },
    claims: {
      ...people(),
      region_id: 'ca-oakland',
      opened_at_ms: 1,
      closes_at_ms: 1,
      status: 'closed',
      winner: 'x',
      id: open,
      item_id: open,
    },
  },
  {
    method: 'POST',
    route: '/api/items/:item_id/bids',
    url: `/api/items/${open}/bids`,
    by: stranger,
    again: 'refused',
    once_at_a_time: true,
    body: { amount_cents: 50_00 },
    forged: onItem('bids'),
    claims: { ...people(), placed_at_ms: 1, bid_id: 'x', price_cents: 1 },
    refused: [
      [seller, 'own_item'],
      [stranger, 'auction_closed', { url: `/api/items/${closed}/bids` }],
      [stranger, 'max_below_amount', { body: { amount_cents: 50_00, max_cents: 49_99 } }],
      [bidder, 'max_not_raised', { body: { amount_cents: 20_00, max_cents: 39_00 } }],
    ],
  },
  {
    method: 'POST',
    route: '/api/items/:item_id/buy',
    url: `/api/items/${open}/buy`,
    by: stranger,
    again: 'same',
    key: KEY,
    body: { quantity: 1 },
    forged: onItem('buy'),
    claims: { ...people(), price_cents: 1, bought_at_ms: 1, item_id: plain, purchase_id: 'mine' },
    refused: [
      [seller, 'own_item'],
      [stranger, 'no_buy_now', { url: `/api/items/${plain}/buy` }],
      [stranger, 'auction_closed', { url: `/api/items/${closed}/buy` }],
      [stranger, 'not_enough_left', { body: { quantity: 8 } }],
      ...[0, -1, 1.5, 11, '1'].map((quantity): Write['refused'][number] => [stranger, 'invalid_input', { body: { quantity } }]),
    ],
  },
  {
    method: 'POST',
    route: '/api/items/:item_id/comments',
    url: `/api/items/${closed}/comments`,
    by: winner,
    again: 'refused',
    body: { rating: 5, text: 'Shines' },
    forged: onItem('comments'),
    claims: { ...people(), created_at_ms: 1, comment_id: 'x', about: stranger.id },
    refused: [
      [stranger, 'not_a_party'],
      [buyer, 'not_a_party'],
      [winner, 'not_a_party', { body: { rating: 5, text: 'I am great', about_user_id: winner.id } }],
      [seller, 'not_a_party', { body: { rating: -5, text: 'x', about_user_id: stranger.id } }],
      [stranger, 'auction_open', { url: `/api/items/${plain}/comments` }],
      [winner, 'not_a_party', { body: { rating: -5, text: 'x', about_user_id: bidder.id } }],
      [winner, 'invalid_input', { body: { rating: 100, text: 'x' } }],
    ],
  },
  {
    method: 'PUT',
    route: '/api/items/:item_id/watch',
    url: `/api/items/${plain}/watch`,
    by: stranger,
    again: 'same',
    forged: onItem('watch'),
    refused: [],
  },
  {
    // a person who does not watch it removes no watcher
    method: 'DELETE',
    route: '/api/items/:item_id/watch',
    url: `/api/items/${open}/watch`,
    by: winner,
    again: 'same',
    forged: onItem('watch'),
    refused: [[stranger, 'done']],
  },
  {
    method: 'POST',
    route: '/api/me/inbox/seen',
    url: '/api/me/inbox/seen',
    by: seller,
    again: 'same',
    body: { until_ms: Date.now() },
    claims: people(),
    refused: [
      [seller, 'invalid_input', { body: { until_ms: -1 } }],
      [seller, 'invalid_input', { body: { until_ms: 'now' } }],
      [stranger, 'done', { body: { until_ms: 0 } }],
    ],
  },
];

writesAreRefused({
  app: () => app,
  cookie: 'claret_auctions',
  everything,
  writes,
  routes: () => routes,
  open_to_all: ['POST /api/items/:item_id/views', 'POST /api/login', 'POST /api/logout', 'POST /api/register'],
});
