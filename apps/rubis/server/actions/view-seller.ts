// ViewSeller: what an auction's page shows of its seller: their rating, and what was said of them about this sale.
import type { SellerView } from '../api.ts';
import type { Reads } from './reads.ts';
import { mayBeSold } from './sale.ts';
import type { Auction } from './view-auction.ts';

export async function viewSeller(reads: Reads, { item_id, info }: Auction): Promise<SellerView> {
  const { rating, comments } = await reads.reputation(info.seller.id, mayBeSold(info) ? info.opened_at_ms : null);
  return { rating, comments: comments.filter((comment) => comment.item_id === item_id) };
}
