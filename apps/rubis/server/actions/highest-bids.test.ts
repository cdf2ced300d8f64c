import { describe, expect, test } from 'vitest';

import { parseBid, ParsedBids, scoredBid, type Scored } from './highest-bids.ts';

const bid = (id: string, max_cents: number): Scored =>
  scoredBid({ id, bidder: { id: `u-${id}`, nickname: id }, placed_at_ms: 1_700_000_000_000, amount_cents: 100, max_cents });

describe('Parsed bids', () => {
  test('are those that parseBid gives, each parsed once', () => {
    const parsed = new ParsedBids();
    const [high, low] = [bid('a', 900), bid('b', 500)];
    const first = parsed.parse([high, low]);
    expect(first).toEqual([parseBid(high), parseBid(low)]);
    const [, again] = parsed.parse([bid('c', 800), low]);
    expect(again).toBe(first[1]);
  });

  test('are parsed again under another maximum', () => {
    const parsed = new ParsedBids();
    parsed.parse([bid('a', 900)]);
    expect(parsed.parse([bid('a', 950)])).toEqual([parseBid(bid('a', 950))]);
  });
});
