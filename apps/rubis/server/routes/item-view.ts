// What pages show of one auction to the person who asks.
import type { Claret } from '@claret/client';
import type { FastifyRequest } from 'fastify';

import type { Person } from '../actions/find-account.ts';
import { ties } from '../actions/my-page.ts';
import { boughtQuantity, mayCommentOn, viewSale } from '../actions/sale.ts';
import type { Auction } from '../actions/view-auction.ts';
import { countsStock, stockOf } from '../actions/view-stock.ts';
import type { ItemView } from '../api.ts';
import { keptReads } from '../kept-reads.ts';
import { RequestProblem } from '../problem.ts';
import { publicItem } from '../public-item.ts';
import type { Services } from '../services.ts';
import { sessions } from '../sessions.ts';
import { ownBid, standingOf } from '../standing.ts';

// `person`: who asks; null: logged out
export type AskedFor = { auction: Auction; person: Person | null };

export async function askedFor(request: FastifyRequest, { computations }: Services, item_id: string): Promise<AskedFor> {
  const [auction, person] = await Promise.all([keptReads(request, computations).auction(item_id), sessions.personOf(request)]);
  if (auction === null) throw new RequestProblem('unknown_item');
  return { auction, person };
}

export async function itemView(request: FastifyRequest, services: Services, { auction, person }: AskedFor): Promise<ItemView> {
  const { item_id, info } = auction;
  const [counted, viewer] = await Promise.all([
    keptReads(request, services.computations).stock(item_id, countsStock(info)),
    person === null ? null : viewerOf(request.claret, auction, person),
  ]);
  const stock = stockOf(info, counted);
  if (info.status === 'open' && stock.left === 0) services.sold_out.seen(item_id);
  return { ...publicItem(auction, stock), viewer, server_time_ms: request.claret.clock.nowMs() };
}

async function viewerOf(claret: Claret, auction: Auction, person: Person) {
  const { item_id, info } = auction;
  const user_id = person.id;
  const [{ bidder, best_cents, watching }, sale] = await Promise.all([
    ties(claret, { item_id, user_id }),
    viewSale(claret, { item_id, info }),
  ]);
  const bought_quantity = boughtQuantity(sale, user_id);
  return {
    standing: standingOf(auction, user_id, { bidder, bought_quantity }),
    ...ownBid(auction, user_id, best_cents),
    watching,
    bought_quantity,
    may_comment_on: mayCommentOn(info, sale, user_id),
  };
}
