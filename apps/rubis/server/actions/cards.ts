// Cards for lists of auctions: each item in its own one-shot transaction on its own shard.
//
// A list needs no common snapshot for the prices of different auctions, and one transaction over twenty hot items would lock all of them
// until the slowest is free.
import type { Claret } from '@claret/client';

import type { ItemCard } from '../api.ts';
import { cardOf } from '../standing.ts';
import { PRICE_PREFIXES, type Scored } from './highest-bids.ts';
import type { Scalar } from './item-info.ts';
import { auctionAsked, auctionOf, auctionReads, type AuctionAnswers } from './view-auction.ts';

// Null: there is no such item. `label` names the transaction.
export function readCard(claret: Claret, label: string, item_id: string): Promise<ItemCard | null> {
  return cardAsked(item_id, (asked) => claret.transact(label, [...auctionReads(claret, item_id, asked)]));
}

// Reads more and more bids until they determine the price: mostly the highest two do. `ask(n)` answers auctionReads with n bids.
export async function cardAsked(item_id: string, ask: (asked: number) => Promise<AuctionAnswers>): Promise<ItemCard | null> {
  const auction = await auctionAsked(item_id, PRICE_PREFIXES, ask);
  return auction === null ? null : cardOf(auction);
}

// Takes the values of ITEM_FIELDS, the highest bids, the number of bids. Null: there is no such item.
export function listedOf(item_id: string, fields: readonly (Scalar | null)[], bids: readonly Scored[], bid_count: number): ItemCard | null {
  const auction = auctionOf(item_id, fields, bids, bid_count);
  return auction === null ? null : cardOf(auction);
}
