// The page of one auction: all its data in one answer.
import { AuctionPage, AuctionPageQuery, ItemParams, LIMITS } from '../../apps/rubis/server/api.ts';
import { CATEGORIES } from '../../apps/rubis/server/data/categories.ts';
import { REGIONS } from '../../apps/rubis/server/data/regions.ts';
import { INCREMENTS } from '../../apps/rubis/server/model.ts';
import { isOwnRequest } from '../../apps/site/auth/origin.ts';
import type { App } from '../../apps/site/http.ts';
import { inboxOf, sessionOf } from './people-routes.ts';
import { Refused } from './problems.ts';
import type { AuctionStore } from './store.ts';
import { NO_RATING, viewOf } from './views.ts';
import { personOf } from './visitors.ts';

export function pageRoute(app: App, store: AuctionStore): void {
  const schema = { params: ItemParams, querystring: AuctionPageQuery, response: { 200: AuctionPage } };

  // The person first, since their bid is read with the auction; then all at the same time.
  app.get('/items/:item_id/page', { schema }, async (request) => {
    const { item_id } = request.params;
    const { opened, visit } = request.query;
    if (opened !== undefined && !isOwnRequest(request)) throw new Refused('csrf_missing');
    const viewer = await personOf(store, request);
    const viewer_id = viewer?.id ?? null;
    const [auction, views, inbox] = await Promise.all([
      store.auction(item_id, LIMITS.top_bids_live, viewer_id),
      opened === undefined ? null : store.countView(item_id),
      visit === undefined || viewer === null ? null : inboxOf(store, viewer),
    ]);
    if (auction === null) throw new Refused('unknown_item');
    return {
      ...viewOf(auction, viewer_id, Date.now()),
      seller: { rating: NO_RATING, comments: [] },
      catalogue: {
        categories: CATEGORIES.filter(({ id }) => id === auction.category_id),
        regions: REGIONS.filter(({ id }) => id === auction.region_id),
        increments: [...INCREMENTS],
      },
      views,
      visit: visit === undefined ? null : { session: sessionOf(viewer), unusual: null, inbox },
    };
  });
}
