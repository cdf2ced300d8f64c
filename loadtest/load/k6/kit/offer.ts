// The offer of a visitor who has seen an auction's page. Pure: no k6 here.

import type { LedgerOutcome } from '../storm.ts';
import type { ItemSeen } from './item-seen.ts';
import { geometric } from '../../../kit/random.ts';

export type Seen = Pick<ItemSeen, 'price_cents' | 'min_next_bid_cents' | 'bid_count'>;

export interface Offer {
  amount_cents: number;
  /** secret maximum; null: the visitor offers only the amount */
  max_cents: number | null;
}

/** Last-minute bidders exceed the minimum, because others bid at the same time. */
const MORE_AGAIN = 0.6;
const WITH_MAXIMUM = 0.2;
const MAXIMUM_AGAIN = 0.8;
/** The site's limit (apps/rubis/server/api.ts). */
export const AMOUNT_CENTS_MAX = 1_000_000_000;

/** The site's own increment; a twentieth of the price if there are no bids and the page shows none. */
export function stepOf({ price_cents, min_next_bid_cents, bid_count }: Seen): number {
  return Math.max(1, bid_count === 0 ? Math.round(min_next_bid_cents / 20) : min_next_bid_cents - price_cents);
}

/** In steps of the site's own increment. Null: no higher offer is possible. */
export function offerFor(seen: Seen, random: () => number): Offer | null {
  const { min_next_bid_cents } = seen;
  if (min_next_bid_cents > AMOUNT_CENTS_MAX) return null;
  const step_cents = stepOf(seen);
  const amount_cents = Math.min(AMOUNT_CENTS_MAX, min_next_bid_cents + step_cents * geometric(random, MORE_AGAIN));
  if (random() >= WITH_MAXIMUM) return { amount_cents, max_cents: null };
  return { amount_cents, max_cents: Math.min(AMOUNT_CENTS_MAX, amount_cents + step_cents * (1 + geometric(random, MAXIMUM_AGAIN))) };
}

const LEAST = /"min_next_bid_cents":(\d+)/;

/** The new minimum, from the refusal of a bid that was too low. Null: it was not refused for that reason. */
export function leastNow({ outcome, body }: { outcome: LedgerOutcome; body: string | null }): number | null {
  if (outcome !== 'refused:amount_below_minimum' || body === null) return null;
  const found = LEAST.exec(body);
  return found === null ? null : Number(found[1]);
}
