// One auction: view, sell, bid, its bids, the count of its views.
import { createHash } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

import {
  BidAccepted,
  BidHistory,
  BidRequest,
  ItemOpened,
  ItemParams,
  ItemView,
  ItemViews,
  LIMITS,
  SellRequest,
} from '../../apps/rubis/server/api.ts';
import { isCategory } from '../../apps/rubis/server/data/categories.ts';
import { minNextBid } from '../../apps/rubis/server/model.ts';
import type { App } from '../../apps/site/http.ts';
import { REQUEST_KEY_HEADER } from '../../ui/site/api/requestKeys.ts';
import { Refused } from './problems.ts';
import type { AuctionStore } from './store.ts';
import { viewOf } from './views.ts';
import { personOf, requirePerson } from './visitors.ts';

const REQUEST_KEY = /^[0-9A-Za-z-]{16,64}$/;
const AUCTION_SECONDS_MIN = 60;

export function auctionRoutes(app: App, store: AuctionStore): void {
  app.get('/items/:item_id', { schema: { params: ItemParams, response: { 200: ItemView } } }, async (request) => {
    const viewer = await personOf(store, request);
    const viewer_id = viewer?.id ?? null;
    const auction = await store.auction(request.params.item_id, LIMITS.top_bids_live, viewer_id);
    if (auction === null) throw new Refused('unknown_item');
    return viewOf(auction, viewer_id, Date.now());
  });

  app.get('/items/:item_id/bids', { schema: { params: ItemParams, response: { 200: BidHistory } } }, async (request) => {
    const { item_id } = request.params;
    const auction = await store.auction(item_id, LIMITS.bid_history_max, null);
    if (auction === null) throw new Refused('unknown_item');
    const { title, bid_count, bids } = auction;
    return { item_id, title, bid_count, bids, server_time_ms: Date.now() };
  });

  app.post('/items/:item_id/views', { schema: { params: ItemParams, response: { 200: ItemViews } } }, async (request) => {
    const views = await store.countView(request.params.item_id);
    if (views === null) throw new Refused('unknown_item');
    return { views };
  });

  app.post('/items', { schema: { body: SellRequest, response: { 201: ItemOpened } } }, async (request, reply) => {
    const { id, nickname, region_id } = await requirePerson(store, request);
    const { title, description, category_id, start_price_cents, quantity = 1 } = request.body;
    if (!isCategory(category_id)) throw new Refused('unknown_category', { field: 'category_id' });
    for (const field of ['reserve_price_cents', 'buy_now_price_cents'] as const) {
      if (request.body[field] !== undefined) throw new Refused('invalid_input', { field });
    }
    if (quantity > 1) throw new Refused('quantity_needs_buy_now', { field: 'quantity' });
    const opened_at_ms = Date.now();
    const closes_at_ms = opened_at_ms + durationSeconds(request.body) * 1_000;
    const seller = { id, nickname };
    const item = { title, description, category_id, region_id, seller, start_price_cents, opened_at_ms, closes_at_ms };
    return reply.code(201).send({ item_id: await store.openAuction(item), closes_at_ms });
  });

  app.post(
    '/items/:item_id/bids',
    { schema: { params: ItemParams, body: BidRequest, response: { 201: BidAccepted } } },
    async (request, reply) => {
      const { item_id } = request.params;
      const { amount_cents, max_cents = amount_cents } = request.body;
      const { id, nickname } = await requirePerson(store, request);
      if (amount_cents > LIMITS.amount_cents_max) throw new Refused('amount_too_large', { field: 'amount_cents' });
      if (max_cents < amount_cents) throw new Refused('max_below_amount', { field: 'max_cents' });
      if (max_cents > amount_cents) throw new Refused('invalid_input', { field: 'max_cents' });
      const placed = await store.bid({
        item_id,
        bidder: { id, nickname },
        amount_cents,
        min_next_bid_cents: minNextBid(0, amount_cents),
        request: requestHash(request, id),
      });
      if (placed.refused === 'amount_below_minimum') {
        throw new Refused(placed.refused, { field: 'amount_cents', min_next_bid_cents: placed.min_next_bid_cents });
      }
      if (placed.refused !== null) throw new Refused(placed.refused);
      return reply.code(201).send({ accepted: true, bid_id: placed.bid_id, amount_cents, max_cents, server_time_ms: Date.now() });
    },
  );
}

function durationSeconds({ duration_minutes, duration_seconds }: SellRequest): number {
  const seconds = duration_seconds ?? (duration_minutes ?? 0) * 60;
  const isOne = (duration_minutes === undefined) !== (duration_seconds === undefined);
  if (!isOne || seconds < AUCTION_SECONDS_MIN) throw new Refused('invalid_input', { field: 'duration_minutes' });
  return seconds;
}

/** As on the site (apps/site/once.ts), key, person, address and body together tell a request from all others. Null: it has no key. */
function requestHash(request: FastifyRequest, person_id: string): string | null {
  const key = request.headers[REQUEST_KEY_HEADER];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !REQUEST_KEY.test(key)) throw new Refused('invalid_input', { field: REQUEST_KEY_HEADER });
  const asked = JSON.stringify([key, person_id, request.url, request.body]);
  return createHash('sha256').update(asked).digest('base64url').slice(0, 22);
}
