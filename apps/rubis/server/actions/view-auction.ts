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

export type AuctionAnswers = readonly [fields: readonly (Scalar | null)[], top: readonly Scored[], bid_count: number | bigint];

export function auctionOf(item_id: string, ...[fields, top, bid_count]: AuctionAnswers): Auction | null {
  const info = parseItemInfo(fields);
  return info === null ? null : { item_id, info, bids: top.map(parseBid), bid_count: Number(bid_count) };
}

// How many bids a page of the auction reads; more only if these do not determine the price.
export const PAGE_PREFIXES = [LIMITS.bid_history_max, BIDS_KEPT_MAX] as const;

// The auction with as many of its highest bids as determine the price. `ask(n)` answers auctionReads with n bids.
export async function auctionAsked(
  item_id: string,
  prefixes: readonly number[],
  ask: (asked: number) => Promise<AuctionAnswers>,
): Promise<Auction | null> {
  let auction: Auction | null = null;
  for (const asked of prefixes) {
    auction = auctionOf(item_id, ...(await ask(asked)));
    if (auction === null || determinesPrice(auction.bids, asked)) break;
  }
  return auction;
}

// Null: there is no such item.
export function readAuction(claret: Claret, item_id: string): Promise<Auction | null> {
  return auctionAsked(item_id, PAGE_PREFIXES, (asked) => claret.transact('ViewAuction', [...auctionReads(claret, item_id, asked)]));
}

export async function viewAuction(claret: Claret, input: { item_id: string }): Promise<Outcome<{ auction: Auction }, 'unknown_item'>> {
  const auction = await readAuction(claret, input.item_id);
  return auction === null ? refuse('unknown_item') : { refused: null, auction };
}
