// ViewStock: the rest of an auction's page: how many people watch it, and how many pieces are left.
//
// Separate from ViewAuction, since reading a stock waits for purchases in flight, and reading the number of watchers for people who begin
// to watch. It may be slightly newer than the auction it is shown with.
import type { Claret, Integer } from '@claret/client';

import { key } from '../model.ts';
import type { ItemInfo } from './item-info.ts';
import { hasStock } from './open-auction.ts';

// `left`: null without Buy now.
export type Stock = { watchers: number; left: number | null };

// Whether the stock counts the pieces that are left: there are some to buy, and the auction is open.
export const countsStock = (info: ItemInfo): boolean => hasStock(info) && info.status !== 'closed';

// The number of watchers and, if it counts, the stock.
export async function readStock(claret: Claret, item_id: string, counts: boolean): Promise<readonly Integer[]> {
  const watchers = claret.on.set(key.item_watchers(item_id)).size();
  return claret.transact('ViewStock', counts ? [watchers, claret.on.boundedCounter(key.item_stock(item_id)).value()] : [watchers]);
}

// Takes what readStock gives for countsStock(info).
export function stockOf(info: ItemInfo, [watchers, left]: readonly Integer[]): Stock {
  return { watchers: Number(watchers), left: left === undefined ? (hasStock(info) ? info.left : null) : Number(left) };
}

export async function viewStock(claret: Claret, { item_id, info }: { item_id: string; info: ItemInfo }): Promise<Stock> {
  return stockOf(info, await readStock(claret, item_id, countsStock(info)));
}
