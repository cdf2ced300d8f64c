// The page of one auction: all its data in one answer.
//
// All that does not depend on each other is read at the same time: first the auction and who asks for it, then the rest. Only what was said
// about the sale, and what has ended of the person's auctions and is unread, takes a further round.
import { isOwnRequest } from '@claret/site/auth/origin.ts';
import { unusual } from '@claret/site/conditions.ts';
import type { App } from '@claret/site/http.ts';
import { withinScope } from '@claret/site/overload/natives.ts';
import { unlessLate } from '@claret/site/unless-late.ts';

import { addView } from '../actions/count-view.ts';
import type { ItemInfo } from '../actions/item-info.ts';
import { viewSeller } from '../actions/view-seller.ts';
import { AuctionPage, AuctionPageQuery, ItemParams } from '../api.ts';
import { CATEGORIES } from '../data/categories.ts';
import { REGIONS } from '../data/regions.ts';
import { keptReads } from '../kept-reads.ts';
import { INCREMENTS } from '../model.ts';
import { RequestProblem } from '../problem.ts';
import type { Services } from '../services.ts';
import { askedFor, itemView } from './item-view.ts';
import { sessionOf } from './session.ts';
import { unreadInbox } from './watching.ts';

export function auctionPageRoute(app: App, services: Services): void {
  const schema = { params: ItemParams, querystring: AuctionPageQuery, response: { 200: AuctionPage } };

  app.get('/items/:item_id/page', { schema }, async (request) => {
    const { claret } = request;
    const { item_id } = request.params;
    const isOpened = request.query.opened !== undefined;
    const isVisit = request.query.visit !== undefined;
    if (isOpened && !isOwnRequest(request)) throw new RequestProblem('csrf_missing');
    const asked = await askedFor(request, services, item_id);
    const { auction, person } = asked;
    const viewing = itemView(request, services, asked);
    const beside = <Part>(part: Promise<Part>) =>
      unlessLate(part, viewing, (error) => request.log.warn({ err: error, item_id }, 'the page lacks a part'));
    const [view, seller, views, inbox] = await Promise.all([
      viewing,
      beside(viewSeller(keptReads(request, services.computations), auction)),
      isOpened ? beside(withinScope(request.scope!, true, () => addView(claret, item_id))) : null,
      isVisit && person !== null ? beside(unreadInbox(request, services, person)) : null,
    ]);
    const visit = isVisit ? { session: sessionOf(services, person), unusual: unusual(claret.conditions ?? {}), inbox } : null;
    return { ...view, seller, catalogue: catalogueFor(auction.info), views, visit };
  });
}

const catalogueFor = ({ category_id, region_id }: ItemInfo): AuctionPage['catalogue'] => ({
  categories: CATEGORIES.filter(({ id }) => id === category_id),
  regions: REGIONS.filter(({ id }) => id === region_id),
  increments: [...INCREMENTS],
});
