// ViewStock: the rest of an auction's page: how many people watch it, and how many pieces are left.
//
// Separate from ViewAuction, since reading a stock waits for purchases in flight, and reading the number of watchers for people who begin
// to watch. It may be slightly newer than the auction it is shown with.
import type { Claret } from '@claret/client';

import { key } from '../model.ts';
import type { ItemInfo } from './item-info.ts';
import { hasStock } from './open-auction.ts';

// `left`: null without Buy now.
export type Stock = { watchers: number; left: number | null };

export async function viewStock(claret: Claret, input: { item_id: string; info: ItemInfo }): Promise<Stock> {
  const { item_id, info } = input;
  const watchers = claret.on.set(key.item_watchers(item_id)).size();
  if (!hasStock(info) || info.status === 'closed') {
    const [count] = await claret.transact('ViewStock', [watchers]);
    return { watchers: Number(count), left: hasStock(info) ? info.left : null };
  }
  const [count, left] = await claret.transact('ViewStock', [watchers, claret.on.boundedCounter(key.item_stock(item_id)).value()]);
  return { watchers: Number(count), left: Number(left) };
}
