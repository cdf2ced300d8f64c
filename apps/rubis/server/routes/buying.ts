// Bid, and buy now.
import type { App } from '@claret/site/http.ts';
import { namedRequest, once, type Once } from '@claret/site/once.ts';
import type { FastifyRequest } from 'fastify';

import { bid, newBidId, refuseBid, type BidOutcome } from '../actions/bid.ts';
import { boughtBefore, buyNow } from '../actions/buy-now.ts';
import { BidAccepted, BidRequest, Bought, BuyRequest, ItemParams, LIMITS } from '../api.ts';
import type { SeenAuction } from '../live/items.ts';
import { key } from '../model.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';
import { currentPrice, minNextBidOf } from '../standing.ts';

const NOT_BOUGHT = 'It didn’t arrive in time. You haven’t bought anything.';

export function buyingRoutes(app: App, services: Services): void {
  app.post(
    '/items/:item_id/bids',
    { schema: { params: ItemParams, body: BidRequest, response: { 201: BidAccepted } } },
    async (request, reply) => reply.code(201).send(await placeBid(services, request)),
  );

  app.post('/items/:item_id/buy', { schema: { params: ItemParams, body: BuyRequest, response: { 201: Bought } } }, async (request, reply) =>
    reply.code(201).send(await buy(services, request)),
  );
}

type BidCall = FastifyRequest<{ Params: ItemParams; Body: BidRequest }>;
type BuyCall = FastifyRequest<{ Params: ItemParams; Body: BuyRequest }>;

// The amount is compared here with the price that this server saw last, not within the transaction: reading the highest bid there would
// make every Bid wait for every other (actions/bid.ts). What refuses a repeated bid, such as the price that the first one has raised, does not
// count: it is answered as before.
async function placeBid({ items }: Services, request: BidCall): Promise<BidAccepted> {
  const { item_id } = request.params;
  const { amount_cents, max_cents = amount_cents } = request.body;
  const { person, claret } = await sessions.act(request);
  if (amount_cents > LIMITS.amount_cents_max) throw new RequestProblem('amount_too_large', { field: 'amount_cents' });
  if (max_cents > LIMITS.amount_cents_max) throw new RequestProblem('amount_too_large', { field: 'max_cents' });
  if (max_cents < amount_cents) throw new RequestProblem('max_below_amount', { field: 'max_cents' });
  const placed_at_ms = claret.clock.nowMs(key.item_info(item_id));
  const options = once(request, person.id, key.item_info(item_id));
  const seen = await items.peek(item_id);
  const problem = problemOf(seen, person.id, { amount_cents, max_cents, placed_at_ms });
  const bidder = { id: person.id, nickname: person.nickname };
  const input = { item_id, bidder, amount_cents, max_cents, placed_at_ms, bid_id: newBidId(), ...(seen && { seen: seen.info }) };
  const placed = problem === null ? await bid(claret, input, options) : await refused(request, problem, options);
  if (placed.refused === 'amount_below_minimum') {
    const now = await items.peek(item_id);
    throw now === null ? new RequestProblem('unknown_item') : belowMinimum(minNextBidOf(now));
  }
  if (placed.refused !== null) throw new RequestProblem(placed.refused);
  return { accepted: true, bid_id: placed.bid_id, amount_cents, max_cents, server_time_ms: claret.clock.nowMs() };
}

// Most bids of a spike are refused. What is thrown on a guess has to be proved by another attempt, so the session is read beside.
async function refused(request: BidCall, problem: RequestProblem, options: Once): Promise<BidOutcome> {
  const answer = refuseBid(request.claret, problem, options);
  answer.catch(() => undefined);
  await sessions.requirePerson(request);
  return answer;
}

type Offer = { amount_cents: number; max_cents: number; placed_at_ms: number };

// Why the bid is refused by what this server has seen of the auction; null: it is not.
function problemOf(seen: SeenAuction | null, user_id: string, offer: Offer): RequestProblem | null {
  if (seen === null) return new RequestProblem('unknown_item');
  if (seen.info.seller.id === user_id) return new RequestProblem('own_item');
  if (seen.info.status === 'closed' || offer.placed_at_ms >= seen.info.closes_at_ms) return new RequestProblem('auction_closed');
  return problemOfAmount(seen, user_id, offer);
}

// The leader may raise their own maximum with any amount from the price up; all other bids need the minimum.
function problemOfAmount(seen: SeenAuction, user_id: string, { amount_cents, max_cents }: Offer): RequestProblem | null {
  const least_cents = minNextBidOf(seen);
  if (amount_cents >= least_cents) return null;
  const [leader] = seen.bids;
  if (leader === undefined || leader.bidder.id !== user_id || amount_cents < currentPrice(seen)) return belowMinimum(least_cents);
  return max_cents <= leader.max_cents ? new RequestProblem('max_not_raised', { field: 'max_cents' }) : null;
}

function belowMinimum(min_next_bid_cents: number): RequestProblem {
  const least = `$${(min_next_bid_cents / 100).toFixed(2)}`;
  const detail = `The minimum bid is now ${least}. The price may have just gone up.`;
  return new RequestProblem('amount_below_minimum', { detail, field: 'amount_cents', min_next_bid_cents });
}

// A purchase has the name of its request. So a request whose key has expired is told what it has done, for certain: it buys nothing now.
async function buy({ items, sold_out }: Services, request: BuyCall): Promise<Bought> {
  const { item_id } = request.params;
  const { quantity } = request.body;
  const { person, claret } = await sessions.act(request);
  const { name, once: options, expired } = namedRequest(request, person.id, key.item_info(item_id));
  const buyer = { id: person.id, nickname: person.nickname };
  const bought_at_ms = claret.clock.nowMs(key.item_info(item_id));
  const seen = items.known(item_id);
  const input = { item_id, buyer, quantity, purchase_id: name, bought_at_ms, ...(seen && { seen }) };
  const bought = expired === null ? await buyNow(claret, input, options) : await boughtBefore(claret, input, options);
  if (bought.refused === 'key_expired') {
    throw new RequestProblem('key_expired', { ...expired?.extras, detail: NOT_BOUGHT });
  }
  if (bought.refused === 'not_enough_left') {
    const [value] = await request.claret.transact('ViewStock', [claret.on.boundedCounter(key.item_stock(item_id)).value()]);
    const left = Number(value);
    if (left > 0) throw notEnough(left);
    sold_out.seen(item_id);
    throw new RequestProblem('sold_out', { left });
  }
  if (bought.refused !== null) throw new RequestProblem(bought.refused);
  items.lookAgain(item_id);
  const { price_cents, bought_at_ms: at_ms } = bought.purchase;
  const total_cents = price_cents * quantity;
  return { purchase_id: name, item_id, quantity, price_cents, total_cents, bought_at_ms: at_ms, server_time_ms: claret.clock.nowMs() };
}

function notEnough(left: number): RequestProblem {
  const detail = left === 1 ? 'There’s only one piece left.' : `There are only ${left} pieces left.`;
  return new RequestProblem('not_enough_left', { detail, field: 'quantity', left });
}
