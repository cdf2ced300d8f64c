// ViewAuction: an auction with its highest bids, as of one moment.
//
// All three records carry the item's tag: one message to one shard, executed and committed there.
import type { Claret } from '@claret/client';

import { LIMITS, type BidView } from '../api.ts';
import { key, parseBidItem } from '../model.ts';
import { ITEM_FIELDS, parseItemInfo, type ItemInfo } from './item-info.ts';
import { refuse, type Outcome } from './outcome.ts';

export type Auction = { item_id: string; info: ItemInfo; bids: BidView[]; bid_count: number };

export const bidView = ([item, amount]: readonly [string, number]): BidView => {
  const bid = parseBidItem(item);
  return {
    id: bid.id,
    amount_cents: amount,
    bidder: { id: bid.bidder_id, nickname: bid.bidder_nickname },
    placed_at_ms: bid.placed_at_ms,
  };
};

export async function viewAuction(
  claret: Claret,
  input: { item_id: string },
): Promise<Outcome<{ auction: Auction }, 'unknown_item'>> {
  const { item_id } = input;
  const [fields, top, bid_count] = await claret.transact('ViewAuction', [
    claret.on.dict(key.item_info(item_id)).get(...ITEM_FIELDS),
    claret.on.topK(key.item_bids(item_id)).top(LIMITS.bid_history_max),
    claret.on.counter(key.item_bid_count(item_id)).value(),
  ]);
  const info = parseItemInfo(fields);
  if (info === null) return refuse('unknown_item');
  return { refused: null, auction: { item_id, info, bids: top.map(bidView), bid_count: Number(bid_count) } };
}
