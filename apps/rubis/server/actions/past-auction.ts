// PastAuction: an auction as it was at one moment, with the highest bids of that time. It waits for nobody who bids now.
import { ClaretError, type Claret } from '@claret/client';

import { auctionAsked, auctionReads, PAGE_PREFIXES, type Auction } from './view-auction.ts';
import { refuse, type Outcome } from './outcome.ts';

export type PastRefusal =
  // there was no such item then
  | 'unknown_item'
  // shards no longer know what it was
  | 'past_gone'
  // the moment is yet to come
  | 'past_to_come';

const REFUSALS: Partial<Record<string, PastRefusal>> = { history_gone: 'past_gone', clock_skew: 'past_to_come' };

export async function pastAuction(
  claret: Claret,
  { item_id, at_ms }: { item_id: string; at_ms: number },
): Promise<Outcome<{ auction: Auction }, PastRefusal>> {
  const then = claret.asOf(new Date(at_ms));
  const ask = async (asked: number) => {
    const [fields, top, bid_count] = auctionReads(claret, item_id, asked);
    return Promise.all([then.perform(fields), then.perform(top), then.perform(bid_count)]);
  };
  try {
    const auction = await auctionAsked(item_id, PAGE_PREFIXES, ask);
    return auction === null ? refuse('unknown_item') : { refused: null, auction };
  } catch (error) {
    const refusal = error instanceof ClaretError ? REFUSALS[error.code] : undefined;
    if (refusal === undefined) throw error;
    return refuse(refusal);
  }
}
