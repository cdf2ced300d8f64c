// Public resources of the auction site: what caches may keep (site/public.ts).
import type { Claret, Tx } from '@claret/client';
import type { AddResource } from '@claret/site/public.ts';

import { auctionOf, auctionReads, type Auction } from './actions/view-auction.ts';
import { stockOf, stockReads } from './actions/view-stock.ts';
import { ItemParams, LIMITS, type PublicItem } from './api.ts';
import { liveItem } from './live/items.ts';
import { BIDS_KEPT_MAX } from './model.ts';
import { determinesPrice } from './price.ts';
import { RequestProblem } from './problem.ts';

export function publicItems(add: AddResource, claret: Claret): void {
  add('/items/:item_id', {
    label: 'PublicItem',
    params: ItemParams,
    async read(tx, { item_id }): Promise<PublicItem> {
      const auction = await auctionIn(tx, claret, item_id);
      if (auction === null) throw new RequestProblem('unknown_item');
      const { title, description, category_id, region_id, seller, start_price_cents, opened_at_ms, quantity } = auction.info;
      const stock = stockOf(auction.info, await Promise.all(stockReads(claret, item_id, auction.info).map((read) => tx.perform(read))));
      return {
        item: { id: item_id, title, description, category_id, region_id, seller, start_price_cents, opened_at_ms, quantity },
        live: liveItem({ ...auction, ...stock }),
      };
    },
  });
}

// As viewAuction has it, in the transaction.
async function auctionIn(tx: Tx, claret: Claret, item_id: string): Promise<Auction | null> {
  const read = async (asked: number) => {
    const [fields, top, count] = auctionReads(claret, item_id, asked);
    return auctionOf(item_id, ...(await Promise.all([tx.perform(fields), tx.perform(top), tx.perform(count)])));
  };
  const auction = await read(LIMITS.bid_history_max);
  return auction === null || determinesPrice(auction.bids, LIMITS.bid_history_max) ? auction : read(BIDS_KEPT_MAX);
}
