// OpenAuction: puts an item on sale and into every index that lists it.
//
// No operation returns anything: concurrent openings add different items to the same indexes, which commutes.
import type { Claret, Tx } from '@claret/client';
import type { Once } from '@claret/site/once.ts';

import { openIndexes, wordsOf } from './indexes.ts';
import { key } from '../model.ts';
import { openingFields, type Opening } from './item-info.ts';

type Opened = { refused: null; item_id: string; closes_at_ms: number };
export type Sale = Omit<Opening, 'opened_at_ms' | 'closes_at_ms'> & { duration_ms: number };

// It begins now, by the clock of the item's shard. `once`: options of the transaction; sent again with the same id, it is the same auction.
export function openAuctionNow(claret: Claret, { duration_ms, ...item }: Sale, once: Once = {}): Promise<Opened> {
  const opening = (item_id: string, tx: Tx): Opening => {
    const opened_at_ms = tx.once(() => claret.clock.nowMs(key.item_info(item_id)));
    return { ...item, opened_at_ms, closes_at_ms: opened_at_ms + duration_ms };
  };
  return claret.transaction('OpenAuction', (tx) => open(tx, opening), once);
}

// With given times.
export function openAuction(claret: Claret, item: Opening): Promise<Opened> {
  return claret.transaction('OpenAuction', (tx) => open(tx, () => item));
}

function open(tx: Tx, opening: (item_id: string, tx: Tx) => Opening): Opened {
  const item_id = tx.newId();
  const item = opening(item_id, tx);
  tx.dict(key.item_info(item_id)).set(openingFields(item));
  if (hasStock(item)) tx.boundedCounter(key.item_stock(item_id)).increment(item.quantity ?? 1);
  tx.scoredSet(key.selling(item.seller.id)).add(item_id, item.closes_at_ms);
  for (const index of openIndexes(item)) tx.scoredSet(index).add(item_id, item.closes_at_ms);
  for (const word of wordsOf(item.title)) tx.scoredSet(key.words).add(word, 0);
  return { refused: null, item_id, closes_at_ms: item.closes_at_ms };
}

// Only items with Buy now have counted pieces. Other items have one piece, which goes to the winner.
export function hasStock(item: { buy_now_price_cents?: number | null }): boolean {
  return (item.buy_now_price_cents ?? null) !== null;
}
