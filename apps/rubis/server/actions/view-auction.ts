// ViewAuction: a consistent snapshot of an auction with its highest bids.
//
// All three records carry the item's tag: one message to one shard, executed and committed there. The result includes secrets and stays on
// the server: standing.ts and live/items.ts derive what pages may see.
import type { Claret } from '@claret/client';

import { LIMITS } from '../api.ts';
import { BIDS_KEPT_MAX, key } from '../model.ts';
import { determinesPrice } from '../price.ts';
import type { AuctionState } from '../standing.ts';
import { parseBid, type Scored } from './highest-bids.ts';
import { ITEM_FIELDS, parseItemInfo, type Scalar } from './item-info.ts';
import { refuse, type Outcome } from './outcome.ts';

export type Auction = AuctionState & { item_id: string; bid_count: number };

// The reads of ViewAuction, with the `asked` highest bids, and the parser of their answers. Null: there is no such item.
export function auctionReads({ on }: Claret, item_id: string, asked: number) {
  return [
    on.dict(key.item_info(item_id)).get(...ITEM_FIELDS),
    on.topK(key.item_bids(item_id)).top(asked),
    on.counter(key.item_bid_count(item_id)).value(),
  ] as const;
}

export function auctionOf(
  item_id: string,
  fields: readonly (Scalar | null)[],
  top: readonly Scored[],
  bid_count: number | bigint,
): Auction | null {
  const info = parseItemInfo(fields);
  return info === null ? null : { item_id, info, bids: top.map(parseBid), bid_count: Number(bid_count) };
}

// Reads LIMITS.bid_history_max bids; more if these do not determine the price.
export async function viewAuction(claret: Claret, input: { item_id: string }): Promise<Outcome<{ auction: Auction }, 'unknown_item'>> {
  const auction = await readAuction(claret, input.item_id, LIMITS.bid_history_max);
  if (auction === null) return refuse('unknown_item');
  if (determinesPrice(auction.bids, LIMITS.bid_history_max)) return { refused: null, auction };
  return { refused: null, auction: (await readAuction(claret, input.item_id, BIDS_KEPT_MAX)) ?? auction };
}

async function readAuction(claret: Claret, item_id: string, asked: number): Promise<Auction | null> {
  const [fields, top, bid_count] = await claret.transact('ViewAuction', [...auctionReads(claret, item_id, asked)]);
  return auctionOf(item_id, fields, top, bid_count);
}
