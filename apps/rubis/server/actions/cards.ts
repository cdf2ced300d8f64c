// Tiles for lists of auctions: each item in its own one-shot transaction on its own shard.
//
// A list needs no common moment for the prices of different auctions, and one transaction over twenty hot items would
// hold them all until the slowest is free.
import type { Claret } from '@claret/client';

import type { BidView, ItemCard } from '../api.ts';
import { key } from '../model.ts';
import { ITEM_FIELDS, parseItemInfo, type ItemInfo, type Scalar } from './item-info.ts';
import { bidView } from './view-auction.ts';

export type Listed = { card: ItemCard; info: ItemInfo; top: BidView | null };

// In the order asked; items that do not exist are left out. `label` names the transaction that wants them.
export async function readListed(claret: Claret, label: string, item_ids: readonly string[]): Promise<Listed[]> {
  const listed = await Promise.all(item_ids.map((item_id) => readOne(claret, label, item_id)));
  return listed.filter((one) => one !== null);
}

async function readOne(claret: Claret, label: string, item_id: string): Promise<Listed | null> {
  const [fields, max, bidCount] = await claret.transact(label, [
    claret.on.dict(key.item_info(item_id)).get(...ITEM_FIELDS),
    claret.on.topK(key.item_bids(item_id)).max(),
    claret.on.counter(key.item_bid_count(item_id)).value(),
  ]);
  return listedOf(item_id, fields, max, Number(bidCount));
}

// From what is stored: the values of ITEM_FIELDS, the highest bid, the number of bids. Null: there is no such item.
export function listedOf(
  item_id: string,
  fields: readonly (Scalar | null)[],
  max: readonly [string, number] | null,
  bid_count: number,
): Listed | null {
  const info = parseItemInfo(fields);
  if (info === null) return null;
  const top = max === null ? null : bidView(max);
  const card: ItemCard = {
    id: item_id,
    title: info.title,
    category_id: info.category_id,
    region_id: info.region_id,
    seller: info.seller,
    status: info.status,
    start_price_cents: info.start_price_cents,
    price_cents: top?.amount_cents ?? info.start_price_cents,
    bid_count,
    opened_at_ms: info.opened_at_ms,
    closes_at_ms: info.closes_at_ms,
    reserve: 'none',
    buy_now_price_cents: null,
  };
  return { card, info, top };
}
