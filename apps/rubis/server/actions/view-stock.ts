// ViewStock: the rest of an auction's page: how many people watch it, and how many pieces are left.
//
// Separate from ViewAuction, since reading a stock waits for purchases in flight, and reading the number of watchers for people who begin
// to watch. It may be slightly newer than the auction it is shown with.
import type { Claret, Description, Integer } from '@claret/client';

import { key } from '../model.ts';
import type { ItemInfo } from './item-info.ts';
import { hasStock } from './open-auction.ts';

// `left`: null without Buy now.
export type Stock = { watchers: number; left: number | null };

// The reads of ViewStock, and the parser of their answers.
export function stockReads({ on }: Claret, item_id: string, info: ItemInfo): Description<Integer>[] {
  const watchers = on.set(key.item_watchers(item_id)).size();
  return hasStock(info) && info.status !== 'closed' ? [watchers, on.boundedCounter(key.item_stock(item_id)).value()] : [watchers];
}

export function stockOf(info: ItemInfo, [watchers, left]: readonly Integer[]): Stock {
  return { watchers: Number(watchers), left: left === undefined ? (hasStock(info) ? info.left : null) : Number(left) };
}

export async function viewStock(claret: Claret, input: { item_id: string; info: ItemInfo }): Promise<Stock> {
  const { item_id, info } = input;
  return stockOf(info, await claret.transact('ViewStock', stockReads(claret, item_id, info)));
}
