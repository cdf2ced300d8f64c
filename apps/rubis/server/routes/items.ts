// One auction: look, bid, sell, comment.
import type { Claret } from '@claret/client';
import type { App } from '@claret/site/http.ts';
import { plainLine, plainText } from '@claret/site/text.ts';
import type { FastifyRequest } from 'fastify';

import { bid, newBidId } from '../actions/bid.ts';
import type { Person } from '../actions/find-account.ts';
import { hasBid, mayCommentOn, stateOf } from '../actions/my-page.ts';
import { newComment } from '../actions/new-comment.ts';
import { openAuction } from '../actions/open-auction.ts';
import { viewAuction, type Auction } from '../actions/view-auction.ts';
import {
  BidAccepted,
  BidHistory,
  BidRequest,
  CommentRequest,
  CommentStored,
  ItemOpened,
  ItemParams,
  ItemView,
  LIMITS,
  SellRequest,
} from '../api.ts';
import { isCategory } from '../data/categories.ts';
import { liveItem } from '../live/items.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';
import { minNextBidOf, myBid, standingOf } from '../standing.ts';

export function itemRoutes(app: App, services: Services): void {
  app.get('/items/:item_id', { schema: { params: ItemParams, response: { 200: ItemView } } }, async (request) => {
    const { item_id } = request.params;
    const [viewed, person] = await Promise.all([viewAuction(request.claret, { item_id }), sessions.personOf(request)]);
    if (viewed.refused !== null) throw new RequestProblem(viewed.refused);
    const { auction } = viewed;
    const { title, description, category_id, region_id, seller, start_price_cents, opened_at_ms } = auction.info;
    return {
      item: { id: item_id, title, description, category_id, region_id, seller, start_price_cents, opened_at_ms, quantity: 1 },
      live: liveItem({ ...stateOf(auction), id: item_id, info: auction.info, bid_count: auction.bid_count }),
      viewer: person === null ? null : await viewerOf(request.claret, auction, person),
      server_time_ms: Date.now(),
    };
  });

  app.get('/items/:item_id/bids', { schema: { params: ItemParams, response: { 200: BidHistory } } }, async (request) => {
    const { item_id } = request.params;
    const viewed = await viewAuction(request.claret, { item_id });
    if (viewed.refused !== null) throw new RequestProblem(viewed.refused);
    const { info, bid_count, bids } = viewed.auction;
    return { item_id, title: info.title, bid_count, bids, server_time_ms: Date.now() };
  });

  app.post(
    '/items/:item_id/bids',
    { schema: { params: ItemParams, body: BidRequest, response: { 201: BidAccepted } } },
    async (request, reply) => reply.code(201).send(await placeBid(services, request)),
  );

  app.post('/items', { schema: { body: SellRequest, response: { 201: ItemOpened } } }, async (request, reply) => {
    const person = await sessions.requirePerson(request);
    const { body } = request;
    if (!isCategory(body.category_id)) throw new RequestProblem('unknown_category', { field: 'category_id' });
    const opened_at_ms = Date.now();
    const closes_at_ms = opened_at_ms + durationSeconds(body, services.auction_seconds_min) * 1_000;
    const { item_id } = await openAuction(request.claret, {
      title: plainLine('title', body.title, LIMITS.title_length_min),
      description: plainText('description', body.description, 0),
      category_id: body.category_id,
      region_id: person.region_id,
      seller: { id: person.id, nickname: person.nickname },
      start_price_cents: body.start_price_cents,
      opened_at_ms,
      closes_at_ms,
    });
    return reply.code(201).send({ item_id, closes_at_ms });
  });

  app.post(
    '/items/:item_id/comments',
    { schema: { params: ItemParams, body: CommentRequest, response: { 201: CommentStored } } },
    async (request, reply) => {
      const person = await sessions.requirePerson(request);
      const stored = await newComment(request.claret, {
        item_id: request.params.item_id,
        from: { id: person.id, nickname: person.nickname },
        rating: request.body.rating,
        text: plainText('text', request.body.text, LIMITS.comment_length_min),
        created_at_ms: Date.now(),
        about: 'other_party',
      });
      if (stored.refused !== null) throw new RequestProblem(stored.refused);
      return reply.code(201).send({ comment_id: stored.comment_id, about: stored.about });
    },
  );
}

async function viewerOf(claret: Claret, auction: Auction, person: Person) {
  const { item_id } = auction;
  const user_id = person.id;
  const [bidder, may_comment_on] = await Promise.all([
    hasBid(claret, { item_id, user_id }),
    mayCommentOn(claret, { item_id, user_id }),
  ]);
  return {
    standing: standingOf(stateOf(auction), user_id, bidder),
    my_bid_cents: myBid(auction.bids, user_id),
    my_max_cents: myBid(auction.bids, user_id),
    watching: false,
    bought_quantity: 0,
    may_comment_on: may_comment_on === null ? [] : [may_comment_on],
  };
}

type BidCall = FastifyRequest<{ Params: ItemParams; Body: BidRequest }>;

// The amount is compared with the price that this server saw last, here and not inside the transaction: to read the
// highest bid there would make every Bid wait for every other. See actions/bid.ts.
async function placeBid({ items }: Services, request: BidCall): Promise<BidAccepted> {
  const { item_id } = request.params;
  const { amount_cents } = request.body;
  const person = await sessions.requirePerson(request);
  if (amount_cents > LIMITS.amount_cents_max) throw new RequestProblem('amount_too_large', { field: 'amount_cents' });
  const seen = await items.peek(item_id);
  if (seen === null) throw new RequestProblem('unknown_item');
  if (seen.seller.id === person.id) throw new RequestProblem('own_item');
  const placed_at_ms = Date.now();
  if (seen.status === 'closed' || placed_at_ms >= seen.info.closes_at_ms) throw new RequestProblem('auction_closed');
  const min_next_bid_cents = minNextBidOf(seen);
  if (amount_cents < min_next_bid_cents) throw belowMinimum(min_next_bid_cents);

  const bidder = { id: person.id, nickname: person.nickname };
  const placed = await bid(request.claret, { item_id, bidder, amount_cents, placed_at_ms, bid_id: newBidId() });
  if (placed.refused === 'amount_below_minimum') throw belowMinimum(min_next_bid_cents);
  if (placed.refused !== null) throw new RequestProblem(placed.refused);
  return { accepted: true, bid_id: placed.bid_id, amount_cents, server_time_ms: Date.now() };
}

function belowMinimum(min_next_bid_cents: number): RequestProblem {
  const least = `$${(min_next_bid_cents / 100).toFixed(2)}`;
  const detail = `The next bid must be at least ${least}. The price may have just gone up.`;
  return new RequestProblem('amount_below_minimum', { detail, field: 'amount_cents', min_next_bid_cents });
}

function durationSeconds(body: SellRequest, least_seconds: number): number {
  const { duration_minutes, duration_seconds } = body;
  const problem = (field: string, detail: string) => new RequestProblem('invalid_input', { field, detail });
  if ((duration_minutes === undefined) === (duration_seconds === undefined)) {
    throw problem('duration_minutes', 'Please say how long the auction runs.');
  }
  const seconds = duration_seconds ?? (duration_minutes ?? 0) * 60;
  if (seconds < least_seconds) {
    throw problem('duration_minutes', `An auction runs for at least ${least_seconds} seconds.`);
  }
  return seconds;
}
