// One auction as it was.
import type { App } from '@claret/site/http.ts';
import { withinScope } from '@claret/site/overload/natives.ts';

import { pastAuction } from '../actions/past-auction.ts';
import { ItemParams, LIMITS, PastItem, PastQuery } from '../api.ts';
import { RequestProblem } from '../problem.ts';
import { currentPrice, publicBids } from '../standing.ts';

export function pastRoutes(app: App): void {
  const schema = { params: ItemParams, querystring: PastQuery, response: { 200: PastItem } };
  app.get('/items/:item_id/past', { schema }, async (request) => {
    const { item_id } = request.params;
    const at_ms = Number(request.query.at_ms);
    const seen = await withinScope(request.scope!, false, () => pastAuction(request.claret, { item_id, at_ms }));
    if (seen.refused !== null) throw new RequestProblem(seen.refused);
    const { info, bid_count } = seen.auction;
    return {
      item_id,
      at_ms,
      status: info.status,
      price_cents: currentPrice(seen.auction),
      bid_count,
      bids: publicBids(seen.auction, LIMITS.bid_history_max),
      server_time_ms: request.claret.clock.nowMs(),
    };
  });
}
