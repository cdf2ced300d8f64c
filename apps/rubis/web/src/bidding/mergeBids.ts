import type * as api from '../../../server/api.ts';

/**
 * What the stream told and what was read as one list, highest first, each bid once, in the stream's state; of equal bids the
 * earlier stands first.
 */
export function mergeBids(told: readonly api.BidView[], read: readonly api.BidView[]): api.BidView[] {
  const toldIds = new Set(told.map((bid) => bid.id));
  // The stream's order is the server's: whoever leads stands first there, whatever the amounts that may be shown.
  return [...told, ...read.filter((bid) => !toldIds.has(bid.id))]
    .map((bid, at) => ({ bid, place: at < told.length ? at : told.length }))
    .sort(
      (one, other) =>
        other.bid.amount_cents - one.bid.amount_cents || one.place - other.place || one.bid.placed_at_ms - other.bid.placed_at_ms,
    )
    .map(({ bid }) => bid);
}
