// Cards for lists of auctions: each item in its own one-shot transaction on its own shard.
//
// A list needs no common snapshot for the prices of different auctions, and one transaction over twenty hot items would lock all of them
// until the slowest is free.
import type { Claret } from '@claret/client';

import type { ItemCard } from '../api.ts';
import { key } from '../model.ts';
import { determinesPrice } from '../price.ts';
import { cardOf } from '../standing.ts';
import { parseBid, PRICE_PREFIXES, type Scored } from './highest-bids.ts';
import { ITEM_FIELDS, parseItemInfo, type Scalar } from './item-info.ts';

// In the given order, without items that do not exist. `label` names the transaction.
export async function readListed(claret: Claret, label: string, item_ids: readonly string[]): Promise<ItemCard[]> {
  const listed = await Promise.all(item_ids.map((item_id) => readOne(claret, label, item_id)));
  return listed.filter((one) => one !== null);
}

// Reads more and more bids until they determine the price: mostly the highest two do.
async function readOne(claret: Claret, label: string, item_id: string): Promise<ItemCard | null> {
  let card: ItemCard | null = null;
  for (const asked of PRICE_PREFIXES) {
    const [fields, bids, bidCount] = await claret.transact(label, [
      claret.on.dict(key.item_info(item_id)).get(...ITEM_FIELDS),
      claret.on.topK(key.item_bids(item_id)).top(asked),
      claret.on.counter(key.item_bid_count(item_id)).value(),
    ]);
    card = listedOf(item_id, fields, bids, Number(bidCount));
    if (determinesPrice(bids.map(parseBid), asked)) break;
  }
  return card;
}

// Takes the values of ITEM_FIELDS, the highest bids, the number of bids. Null: there is no such item.
export function listedOf(item_id: string, fields: readonly (Scalar | null)[], bids: readonly Scored[], bid_count: number): ItemCard | null {
  const info = parseItemInfo(fields);
  return info === null ? null : cardOf({ item_id, info, bids: bids.map(parseBid), bid_count });
}
