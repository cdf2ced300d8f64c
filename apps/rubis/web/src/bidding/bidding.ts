// What a bid form needs to know, as plain functions: is this amount a bid, what to suggest, how did it turn out.
import { formatMoney, parseMoney } from '@claret/ui/kit';
import type * as api from '../../../server/api.ts';

export type Increments = api.Catalogue['increments'];

/** The least step at this price. */
export function incrementAt(increments: Increments, price_cents: number): number {
  return increments.find(({ below_cents }) => below_cents === null || price_cents < below_cents)?.increment_cents ?? 1;
}

/** The least bid, and two a little more determined. */
export function suggestBids(min_next_bid_cents: number, increments: Increments): number[] {
  const step = incrementAt(increments, min_next_bid_cents);
  return [min_next_bid_cents, min_next_bid_cents + 2 * step, min_next_bid_cents + 5 * step];
}

const AMOUNT_CENTS_MAX: typeof api.LIMITS.amount_cents_max = 1_000_000_000;

export type CheckedAmount = { amount_cents: number; error: null } | { amount_cents: null; error: string };

/** What was typed as an amount, or one friendly sentence on what to type instead. */
export function checkAmount(typed: string, min_next_bid_cents: number): CheckedAmount {
  const refuse = (error: string): CheckedAmount => ({ amount_cents: null, error });
  if (typed.trim() === '') return refuse(`Type how much you want to bid: ${formatMoney(min_next_bid_cents)} or more.`);
  const amount_cents = parseMoney(typed);
  if (amount_cents === null)
    return refuse(`“${typed.trim()}” is not an amount. Type a number of dollars, like ${formatMoney(min_next_bid_cents)}.`);
  if (amount_cents < min_next_bid_cents) return refuse(`That is too low: bid ${formatMoney(min_next_bid_cents)} or more.`);
  if (amount_cents > AMOUNT_CENTS_MAX)
    return refuse(`That is more than can be bid here; the most is ${formatMoney(AMOUNT_CENTS_MAX)}.`);
  return { amount_cents, error: null };
}

/**
 * How an accepted bid turned out, as far as the live view tells: `unseen` until the view has caught up with the bid.
 * The bid's own answer says only that it stands.
 */
export function bidOutcome(
  live: Pick<api.LiveItem, 'top_bids' | 'price_cents'>,
  bid: { bid_id: string; amount_cents: number },
): 'unseen' | 'leads' | 'overtaken' {
  if (live.top_bids[0]?.id === bid.bid_id) return 'leads';
  const isSeen = live.top_bids.some(({ id }) => id === bid.bid_id);
  return isSeen || live.price_cents > bid.amount_cents ? 'overtaken' : 'unseen';
}

/** How a person stands: by the highest bids where they tell, else by what the server last said. */
export function standingIn(
  live: api.LiveItem,
  seller_id: string,
  user_id: string | null,
  said: api.StandingName | null,
): api.StandingName | null {
  if (user_id === null) return null;
  const isOver = live.status === 'closed';
  if (user_id === seller_id) return isOver ? (live.winner ? 'sold' : 'unsold') : 'selling';
  const hasBid = said !== null || live.top_bids.some(({ bidder }) => bidder.id === user_id);
  if (!hasBid) return null;
  if (isOver) return live.winner?.id === user_id ? 'won' : 'lost';
  return live.top_bids[0]?.bidder.id === user_id ? 'leading' : 'outbid';
}
