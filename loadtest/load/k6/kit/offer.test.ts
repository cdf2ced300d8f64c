import { expect, it } from 'vitest';
import { LIMITS } from '../../../../apps/rubis/server/api.ts';
import { AMOUNT_CENTS_MAX, leastNow, offerFor, type Offer } from './offer.ts';
import { streams } from '../../../kit/random.ts';

const SEEN = { price_cents: 10_000, min_next_bid_cents: 10_250, bid_count: 3 };
const random = streams(5, 'offers')(0);
const offers = (seen: typeof SEEN) =>
  Array.from({ length: 2_000 }, () => offerFor(seen, random)).filter((offer): offer is Offer => offer !== null);

it("is never below the page's minimum, in whole steps of its increment", () => {
  for (const { amount_cents } of offers(SEEN)) {
    expect(amount_cents).toBeGreaterThanOrEqual(10_250);
    expect((amount_cents - 10_250) % 250).toBe(0);
  }
});

it('sometimes has a maximum above the amount', () => {
  const all = offers(SEEN);
  const secret = all.filter(({ max_cents }) => max_cents !== null);
  expect(secret.length / all.length).toBeCloseTo(0.2, 1);
  expect(secret.every(({ amount_cents, max_cents }) => max_cents! > amount_cents)).toBe(true);
});

it('starts an auction at the start price or a little above it', () => {
  for (const { amount_cents } of offers({ price_cents: 500, min_next_bid_cents: 500, bid_count: 0 }))
    expect(amount_cents).toBeGreaterThanOrEqual(500);
});

it("stays within the site's limit", () => {
  expect(AMOUNT_CENTS_MAX).toBe(LIMITS.amount_cents_max);
  const rich = { price_cents: AMOUNT_CENTS_MAX - 100, min_next_bid_cents: AMOUNT_CENTS_MAX, bid_count: 9 };
  for (const { amount_cents, max_cents } of offers(rich))
    expect([amount_cents, max_cents ?? amount_cents]).toEqual([AMOUNT_CENTS_MAX, AMOUNT_CENTS_MAX]);
  expect(offerFor({ ...rich, min_next_bid_cents: AMOUNT_CENTS_MAX + 1 }, random)).toBeNull();
});

it('learns the new minimum only from a refusal for a low amount', () => {
  const body = JSON.stringify({ code: 'amount_below_minimum', min_next_bid_cents: 7_300, status: 409 });
  expect(leastNow({ outcome: 'refused:amount_below_minimum', body })).toBe(7_300);
  expect(leastNow({ outcome: 'accepted', body })).toBeNull();
  expect(leastNow({ outcome: 'refused:amount_below_minimum', body: '' })).toBeNull();
});
