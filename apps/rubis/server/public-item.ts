// What everybody may see of an auction: nothing of reserves, and of bids no more than the price.
import type { Auction } from './actions/view-auction.ts';
import type { Stock } from './actions/view-stock.ts';
import type { PublicItem } from './api.ts';
import { liveItem } from './live/items.ts';

export function publicItem(auction: Auction, stock: Stock): PublicItem {
  const { item_id: id, info } = auction;
  const { title, description, category_id, region_id, seller, start_price_cents, opened_at_ms, quantity } = info;
  return {
    item: { id, title, description, category_id, region_id, seller, start_price_cents, opened_at_ms, quantity },
    live: liveItem({ ...auction, ...stock }),
  };
}
