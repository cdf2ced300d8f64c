import { describe, expect, test } from 'vitest';

import type { BidView } from './api.ts';
import { INCREMENTS, bidItem, minNextBid, parseBidItem, titleWords } from './model.ts';
import { standingOf, type AuctionState } from './standing.ts';

describe('Increments', () => {
  test('the first bid may be the start price, each next one raises by the step of its price', () => {
    expect(minNextBid(5_00, null)).toBe(5_00);
    expect(minNextBid(5_00, 5_00)).toBe(5_50);
    expect(minNextBid(1, 99)).toBe(1_04);
    expect(minNextBid(1, 1_00)).toBe(1_25);
    expect(minNextBid(1, 10_000_00)).toBe(10_100_00);
  });

  test('never shrink as the price grows', () => {
    const steps = INCREMENTS.map((row) => row.increment_cents);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(INCREMENTS.at(-1)?.below_cents).toBeNull();
  });
});

describe('A bid in the TopK', () => {
  const bid = { id: 'a1', bidder_id: '1c-4f', bidder_nickname: 'anna', placed_at_ms: 1_700_000_000_000 };

  test('is read as it was written', () => {
    expect(parseBidItem(bidItem(bid))).toEqual(bid);
  });

  test('comes before a later one in the order of texts, which settles equal amounts', () => {
    const later = bidItem({ ...bid, id: 'a0', placed_at_ms: bid.placed_at_ms + 1 });
    expect(bidItem(bid) < later).toBe(true);
    expect(bidItem({ ...bid, placed_at_ms: 1 }) < bidItem(bid)).toBe(true);
  });
});

describe('Words of a title', () => {
  test('are lower case, without accents, plural s and small words, each once', () => {
    expect(titleWords('The Old Clocks of the Café, old GLASS')).toEqual(['old', 'clock', 'cafe', 'glass']);
  });

  test('are bounded', () => {
    const words = titleWords(Array.from({ length: 50 }, (_, i) => `word${i}`).join(' '));
    expect(words).toHaveLength(10);
    expect(titleWords('x'.repeat(100))[0]).toHaveLength(24);
  });
});

describe('Standing', () => {
  const person = (id: string) => ({ id, nickname: id });
  const view = (id: string, amount_cents: number): BidView => ({ id: '', amount_cents, bidder: person(id), placed_at_ms: 0 });
  const open: AuctionState = {
    seller: person('s'),
    status: 'open',
    start_price_cents: 100,
    winner: null,
    final_price_cents: null,
    bids: [view('a', 300), view('b', 200)],
  };
  const closed: AuctionState = { ...open, status: 'closed', winner: person('a'), final_price_cents: 300 };

  test.each([
    ['s', open, 'selling'],
    ['a', open, 'leading'],
    ['b', open, 'outbid'],
    ['s', closed, 'sold'],
    ['a', closed, 'won'],
    ['b', closed, 'lost'],
    ['s', { ...closed, winner: null }, 'unsold'],
  ] as const)('of %s is as it is', (id, auction, standing) => {
    expect(standingOf(auction, id, true)).toBe(standing);
  });

  test('of a stranger is none', () => {
    expect(standingOf(open, 'x', false)).toBeNull();
    expect(standingOf(closed, 'x', false)).toBeNull();
  });

  test('of a bidder whose bid is not seen yet is none, and of one whose bid is too low to be seen is outbid', () => {
    expect(standingOf(open, 'x', true)).toBeNull();
    const crowded = { ...open, bids: Array.from({ length: 50 }, (_, i) => view('a', 300 - i)) };
    expect(standingOf(crowded, 'x', true)).toBe('outbid');
    expect(standingOf({ ...crowded, status: 'closed' }, 'x', true)).toBe('lost');
  });
});
