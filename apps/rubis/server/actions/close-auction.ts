// CloseAuction: settles an auction that is over, once.
//
// An auction is over at its end, or when all pieces have been bought; in both cases no bid wins a piece that is not there. Several app
// servers try. The first to commit sets the status to closed; the others read that and change nothing. Reading the highest bid waits for
// Bids in flight; setting the status makes later Bids see "closed": so each bid is either counted here or refused. The same holds for
// purchases and the stock.
import type { Claret, Tx } from '@claret/client';

import type { EndedBy, UserRef } from '../api.ts';
import { openIndexes } from './indexes.ts';
import { key } from '../model.ts';
import { priceOf, reserveOf } from '../price.ts';
import { PRICE_PREFIXES, readPrice, type Scored } from './highest-bids.ts';
import { ITEM_FIELDS, closingFields, parseItemInfo, type Ending, type ItemInfo } from './item-info.ts';
import { hasStock } from './open-auction.ts';
import { refuse, type Outcome } from './outcome.ts';

export type CloseAuctionInput = { item_id: string; now_ms: number };
export type Closed = { winner: UserRef | null; final_price_cents: number | null; ended_by: EndedBy };
export type CloseRefusal = 'unknown_item' | 'auction_closed' | 'auction_open';

const SOLD_OUT: Ending = { winner: null, final_price_cents: null, stock: { ended_by: 'sold_out', left: 0 } };

// Refused with auction_closed if another server was faster, with auction_open before the end.
export function closeAuction(claret: Claret, input: CloseAuctionInput): Promise<Outcome<Closed, CloseRefusal>> {
  const { item_id, now_ms } = input;
  return claret.transaction('CloseAuction', async (tx) => {
    const info = tx.dict(key.item_info(item_id));
    const bids = tx.topK(key.item_bids(item_id));
    const [fields, top] = await Promise.all([info.get(...ITEM_FIELDS), bids.top(PRICE_PREFIXES[0])]);
    const item = parseItemInfo(fields);
    if (item === null) return refuse('unknown_item');
    if (item.status === 'closed') return refuse('auction_closed');

    const left = hasStock(item) ? Number(await tx.boundedCounter(key.item_stock(item_id)).value()) : null;
    if (now_ms < item.closes_at_ms && left !== 0) return refuse('auction_open');

    const read = async (asked: number) => (asked === PRICE_PREFIXES[0] ? top : bids.top(asked));
    const ending = await endingOf(tx, item_id, item, left, read);
    info.set(closingFields(ending, now_ms));
    for (const index of openIndexes(item)) tx.scoredSet(index).remove(item_id);
    const { winner, final_price_cents, stock } = ending;
    if (winner !== null) tx.scoredSet(key.won(winner.id)).add(item_id, now_ms);
    return { refused: null, winner, final_price_cents, ended_by: stock?.ended_by ?? 'time' };
  });
}

// Takes the winner's piece off the stock. `left`: the present stock; null: there is a single piece.
async function endingOf(
  tx: Tx,
  item_id: string,
  item: ItemInfo,
  left: number | null,
  read: (asked: number) => Promise<readonly Scored[]>,
): Promise<Ending> {
  if (left === 0) return SOLD_OUT;
  const bids = await readPrice(read);
  const [leader] = bids;
  if (leader === undefined || reserveOf(item, bids) === 'not_met') {
    return { winner: null, final_price_cents: null, stock: left === null ? null : { ended_by: 'time', left } };
  }
  const won = { winner: leader.bidder, final_price_cents: priceOf(item, bids) };
  if (left === null) return { ...won, stock: null };
  const taken = await tx.boundedCounter(key.item_stock(item_id)).tryDecrement(1);
  return taken ? { ...won, stock: { ended_by: 'time', left: left - 1 } } : SOLD_OUT;
}
