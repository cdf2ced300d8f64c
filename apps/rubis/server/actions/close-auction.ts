// CloseAuction: an auction that is over gets its winner, once.
//
// Several app servers try. The first to commit turns the status to closed; the others read that and change nothing.
// Reading the highest bid waits for the Bids under way; setting the status makes later Bids see "closed": so a bid is
// either counted here or refused.
import type { Claret } from '@claret/client';

import type { UserRef } from '../api.ts';
import { key, openIndexes, parseBidItem } from '../model.ts';
import { ITEM_FIELDS, closingFields, parseItemInfo } from './item-info.ts';
import { refuse, type Outcome } from './outcome.ts';

export type CloseAuctionInput = { item_id: string; now_ms: number };
export type Closed = { winner: UserRef | null; final_price_cents: number | null };
export type CloseRefusal = 'unknown_item' | 'auction_closed' | 'auction_open';

// Refused with auction_closed when another was faster, with auction_open before its time.
export function closeAuction(claret: Claret, input: CloseAuctionInput): Promise<Outcome<Closed, CloseRefusal>> {
  const { item_id, now_ms } = input;
  return claret.transaction('CloseAuction', async (tx) => {
    const info = tx.dict(key.item_info(item_id));
    const [fields, top] = await Promise.all([info.get(...ITEM_FIELDS), tx.topK(key.item_bids(item_id)).max()]);
    const item = parseItemInfo(fields);
    if (item === null) return refuse('unknown_item');
    if (item.status === 'closed') return refuse('auction_closed');
    if (now_ms < item.closes_at_ms) return refuse('auction_open');

    const leading = top === null ? null : parseBidItem(top[0]);
    const winner = leading === null ? null : { id: leading.bidder_id, nickname: leading.bidder_nickname };
    const final_price_cents = top === null ? null : top[1];
    info.set(closingFields(winner, final_price_cents, now_ms));
    for (const index of openIndexes(item)) tx.scoredSet(index).remove(item_id);
    if (winner !== null) tx.scoredSet(key.won(winner.id)).add(item_id, now_ms);
    return { refused: null, winner, final_price_cents };
  });
}
