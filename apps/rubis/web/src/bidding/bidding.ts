// The logic of a bid form as pure functions: validation, suggestions, and the outcome of a bid.
import { formatMoney, parseMoney } from '@claret/ui/kit';
import type * as api from '../../../server/api.ts';

export type Increments = api.Catalogue['increments'];

/** the increment at this price */
export function incrementAt(increments: Increments, price_cents: number): number {
  return increments.find(({ below_cents }) => below_cents === null || price_cents < below_cents)?.increment_cents ?? 1;
}

/** The minimum, and two higher amounts. */
export function suggestBids(min_next_bid_cents: number, increments: Increments): number[] {
  const step = incrementAt(increments, min_next_bid_cents);
  return [min_next_bid_cents, min_next_bid_cents + 2 * step, min_next_bid_cents + 5 * step];
}

const AMOUNT_CENTS_MAX: typeof api.LIMITS.amount_cents_max = 1_000_000_000;

/** A bid: the amount is public; the maximum, up to which it goes, is secret. Null: the amount is the maximum. */
export interface Offer {
  amount_cents: number;
  max_cents: number | null;
}

/** the state of the auction against which a bid is checked */
export interface BidBase {
  price_cents: number;
  min_next_bid_cents: number;
  /** the leader may raise their own maximum, at the present price */
  isLeading: boolean;
  /** the viewer's own maximum; null: unknown */
  my_max_cents: number | null;
}

/** the typed text; `max` is null if the maximum is not used */
export interface TypedBid {
  amount: string;
  max: string | null;
}

export type BidErrors = { amount?: string; max?: string };

/** The minimum amount of a bid with a maximum. */
function leastWithMax({ price_cents, min_next_bid_cents, isLeading }: BidBase): number {
  return isLeading ? price_cents : min_next_bid_cents;
}

/** The typed text as a bid, or for each wrong field a friendly sentence on what to type instead. */
export function checkBid({ amount, max }: TypedBid, base: BidBase): { offer: Offer; errors: null } | { offer: null; errors: BidErrors } {
  const least = max === null ? base.min_next_bid_cents : leastWithMax(base);
  const isLeft = max !== null && amount.trim() === ''; // with a maximum the amount defaults to the minimum
  const checked = isLeft ? { cents: least, error: null } : checkAmount(amount, least);
  const checkedMax = max === null ? { cents: null, error: null } : checkMax(max, checked.cents ?? least, base);
  if (checked.error !== null || checkedMax.error !== null) {
    const errors: BidErrors = {};
    if (checked.error !== null) errors.amount = checked.error;
    if (checkedMax.error !== null) errors.max = checkedMax.error;
    return { offer: null, errors };
  }
  return { offer: { amount_cents: checked.cents, max_cents: checkedMax.cents }, errors: null };
}

type Checked = { cents: number; error: null } | { cents: null; error: string };
const refuse = (error: string): Checked => ({ cents: null, error });

function readAmount(typed: string, example_cents: number): Checked {
  const cents = parseMoney(typed);
  if (cents === null) return refuse(`“${typed.trim()}” isn’t an amount. Enter dollars, like ${formatMoney(example_cents)}.`);
  if (cents > AMOUNT_CENTS_MAX) return refuse(`That’s too much. The highest bid allowed is ${formatMoney(AMOUNT_CENTS_MAX)}.`);
  return { cents, error: null };
}

function checkAmount(typed: string, least_cents: number): Checked {
  if (typed.trim() === '') return refuse(`Enter your bid: ${formatMoney(least_cents)} or more.`);
  const read = readAmount(typed, least_cents);
  if (read.cents !== null && read.cents < least_cents) return refuse(`That’s too low. Bid ${formatMoney(least_cents)} or more.`);
  return read;
}

function checkMax(typed: string, amount_cents: number, { min_next_bid_cents, isLeading, my_max_cents }: BidBase): Checked {
  if (typed.trim() === '') return refuse('Enter the most you would pay.');
  const read = readAmount(typed, min_next_bid_cents);
  if (read.cents === null) return read;
  if (read.cents < amount_cents) return refuse(`Your maximum can’t be below your bid of ${formatMoney(amount_cents)}.`);
  const raisesNothing = isLeading && my_max_cents !== null && read.cents <= my_max_cents && amount_cents < min_next_bid_cents;
  return raisesNothing ? refuse(`Your maximum is already ${formatMoney(my_max_cents)}. Enter more to raise it.`) : read;
}

/** The Buy now price if the bid reaches it; otherwise null. */
export function buyNowInstead({ amount_cents, max_cents }: Offer, buy_now: api.LiveItem['buy_now']): number | null {
  if (buy_now === null || buy_now.withdrawn || buy_now.left === 0) return null;
  return (max_cents ?? amount_cents) >= buy_now.price_cents ? buy_now.price_cents : null;
}

/** The button's label: the action, as specifically as the typed text allows. */
export function bidLabel(typed: TypedBid, base: BidBase): string {
  const { offer } = checkBid(typed, base);
  if (offer === null) return 'Place bid';
  const { amount_cents, max_cents } = offer;
  if (max_cents === null) return `Bid ${formatMoney(amount_cents)}`;
  if (amount_cents < base.min_next_bid_cents) return `Raise your maximum to ${formatMoney(max_cents)}`;
  return `Bid ${formatMoney(amount_cents)}, up to ${formatMoney(max_cents)}`;
}

/**
 * The outcome of an accepted bid according to the live view: `unseen` until the view has caught up with the bid. The bid's own answer says
 * only that it was accepted. A person who leads by an earlier bid still leads.
 */
export function bidOutcome(
  live: Pick<api.LiveItem, 'top_bids' | 'price_cents'>,
  bid: Offer & { bid_id: string },
  user_id: string | null,
): 'unseen' | 'leads' | 'overtaken' {
  const leader = live.top_bids[0];
  const isSeen = live.top_bids.some(({ id }) => id === bid.bid_id);
  if (leader && isSeen && (leader.id === bid.bid_id || leader.bidder.id === user_id)) return 'leads';
  return isSeen || live.price_cents > (bid.max_cents ?? bid.amount_cents) ? 'overtaken' : 'unseen';
}

/** A person's standing: from the highest bids if they show it, otherwise as the server last reported it. */
export function standingIn(
  live: api.LiveItem,
  seller_id: string,
  user_id: string | null,
  said: api.StandingName | null,
  bought_quantity = 0,
): api.StandingName | null {
  if (user_id === null) return null;
  const isOver = live.status === 'closed';
  if (user_id === seller_id) {
    if (!isOver) return 'selling';
    return live.winner || live.ended_by === 'sold_out' || said === 'sold' ? 'sold' : 'unsold'; // pieces may have been bought
  }
  if (isOver && live.winner?.id !== user_id && (bought_quantity > 0 || said === 'bought')) return 'bought';
  const hasBid = said !== null || live.top_bids.some(({ bidder }) => bidder.id === user_id);
  if (!hasBid) return null;
  if (isOver) return live.winner?.id === user_id ? 'won' : 'lost';
  return live.top_bids[0]?.bidder.id === user_id ? 'leading' : 'outbid';
}
