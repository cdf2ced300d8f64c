// One auction: view, sell, comment.
import type { App } from '@claret/site/http.ts';
import { once } from '@claret/site/once.ts';
import { withinScope } from '@claret/site/overload/natives.ts';
import { plainLine, plainText } from '@claret/site/text.ts';

import { countView } from '../actions/count-view.ts';
import { newComment } from '../actions/new-comment.ts';
import { openAuctionNow } from '../actions/open-auction.ts';
import { BidHistory, CommentRequest, CommentStored, ItemOpened, ItemParams, ItemView, ItemViews, LIMITS, SellRequest } from '../api.ts';
import { isCategory } from '../data/categories.ts';
import { keptReads } from '../kept-reads.ts';
import { key } from '../model.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';
import { publicBids } from '../standing.ts';
import { askedFor, itemView } from './item-view.ts';

export function itemRoutes(app: App, services: Services): void {
  const { computations } = services;

  app.get('/items/:item_id', { schema: { params: ItemParams, response: { 200: ItemView } } }, async (request) =>
    itemView(request, services, await askedFor(request, services, request.params.item_id)),
  );

  app.get('/items/:item_id/bids', { schema: { params: ItemParams, response: { 200: BidHistory } } }, async (request) => {
    const { item_id } = request.params;
    const auction = await keptReads(request, computations).auction(item_id);
    if (auction === null) throw new RequestProblem('unknown_item');
    const { info, bid_count } = auction;
    const bids = publicBids(auction, LIMITS.bid_history_max);
    return { item_id, title: info.title, bid_count, bids, server_time_ms: request.claret.clock.nowMs() };
  });

  app.post('/items/:item_id/views', { schema: { params: ItemParams, response: { 200: ItemViews } } }, async (request) => {
    const { item_id } = request.params;
    const counted = await withinScope(request.scope!, true, () => countView(request.claret, { item_id }));
    if (counted.refused !== null) throw new RequestProblem(counted.refused);
    return { views: counted.views };
  });

  app.post('/items', { schema: { body: SellRequest, response: { 201: ItemOpened } } }, async (request, reply) => {
    const { person, claret } = await sessions.act(request);
    const { body } = request;
    if (!isCategory(body.category_id)) throw new RequestProblem('unknown_category', { field: 'category_id' });
    const { item_id, closes_at_ms } = await openAuctionNow(
      claret,
      {
        title: plainLine('title', body.title, LIMITS.title_length_min),
        description: plainText('description', body.description, 0),
        category_id: body.category_id,
        region_id: person.region_id,
        seller: { id: person.id, nickname: person.nickname },
        ...pricesOf(body),
        duration_ms: durationSeconds(body, services.auction_seconds_min) * 1_000,
      },
      once(request, person.id, key.selling(person.id)),
    );
    return reply.code(201).send({ item_id, closes_at_ms });
  });

  app.post(
    '/items/:item_id/comments',
    { schema: { params: ItemParams, body: CommentRequest, response: { 201: CommentStored } } },
    async (request, reply) => {
      const { item_id } = request.params;
      const { person, claret } = await sessions.act(request);
      const seen = services.items.known(item_id);
      const stored = await newComment(
        claret,
        {
          item_id,
          from: { id: person.id, nickname: person.nickname },
          rating: request.body.rating,
          text: plainText('text', request.body.text, LIMITS.comment_length_min),
          created_at_ms: request.claret.clock.nowMs(key.item_info(item_id)),
          about: { party_id: request.body.about_user_id ?? null },
          ...(seen && { seen }),
        },
        once(request, person.id, key.item_info(item_id)),
      );
      if (stored.refused === 'about_missing') throw new RequestProblem(stored.refused, { field: 'about_user_id' });
      if (stored.refused !== null) throw new RequestProblem(stored.refused);
      return reply.code(201).send({ comment_id: stored.comment_id, about: stored.about });
    },
  );
}

// The seller's terms, after checking that they are consistent.
function pricesOf(body: SellRequest) {
  const { start_price_cents, quantity = 1, reserve_price_cents = null, buy_now_price_cents = null } = body;
  if (reserve_price_cents !== null && reserve_price_cents < start_price_cents) {
    throw new RequestProblem('reserve_below_start', { field: 'reserve_price_cents' });
  }
  // At the starting price Buy now would be withdrawn from the beginning (price.ts).
  if (buy_now_price_cents !== null && (buy_now_price_cents <= start_price_cents || buy_now_price_cents < (reserve_price_cents ?? 0))) {
    throw new RequestProblem('buy_now_too_low', { field: 'buy_now_price_cents' });
  }
  if (quantity > 1 && buy_now_price_cents === null) throw new RequestProblem('quantity_needs_buy_now', { field: 'quantity' });
  return { start_price_cents, quantity, reserve_price_cents, buy_now_price_cents };
}

function durationSeconds(body: SellRequest, least_seconds: number): number {
  const { duration_minutes, duration_seconds } = body;
  const problem = (field: string, detail: string) => new RequestProblem('invalid_input', { field, detail });
  if ((duration_minutes === undefined) === (duration_seconds === undefined)) {
    throw problem('duration_minutes', 'Choose how long the auction runs.');
  }
  const seconds = duration_seconds ?? (duration_minutes ?? 0) * 60;
  if (seconds < least_seconds) {
    throw problem('duration_minutes', `The auction must run for at least ${least_seconds} seconds.`);
  }
  return seconds;
}
