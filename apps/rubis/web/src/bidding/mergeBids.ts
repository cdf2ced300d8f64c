import type * as api from '../../../server/api.ts';

/**
 * Merges the stream's bids and the bids that were read into one list, highest first, each bid once, in the stream's version; of equal bids
 * the earlier comes first.
 */
export function mergeBids(told: readonly api.BidView[], read: readonly api.BidView[]): api.BidView[] {
  const toldIds = new Set(told.map((bid) => bid.id));
  // The stream has the server's order: the leading bid comes first there, whatever its public amount.
  return [...told, ...read.filter((bid) => !toldIds.has(bid.id))]
    .map((bid, at) => ({ bid, place: at < told.length ? at : told.length }))
    .sort(
      (one, other) =>
        other.bid.amount_cents - one.bid.amount_cents || one.place - other.place || one.bid.placed_at_ms - other.bid.placed_at_ms,
    )
    .map(({ bid }) => bid);
}
