import { describe, expect, test } from 'vitest';

import { ITEM_FIELDS, parseItemInfo, type ItemInfo, type Scalar } from './actions/item-info.ts';
import { INCREMENTS, bidItem, minNextBid, parseBidItem } from './model.ts';
import type { Bid } from './price.ts';
import { isTied, outbidAt, standingOf, type AuctionState } from './standing.ts';

describe('Increments', () => {
  test('the first bid may be the start price, each later one raises by the increment of its price', () => {
    expect(minNextBid(5_00, null)).toBe(5_00);
    expect(minNextBid(5_00, 5_00)).toBe(5_50);
    expect(minNextBid(1, 99)).toBe(1_04);
    expect(minNextBid(1, 1_00)).toBe(1_25);
    expect(minNextBid(1, 10_000_00)).toBe(10_100_00);
  });

  test('do not shrink as the price grows', () => {
    const steps = INCREMENTS.map((row) => row.increment_cents);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(INCREMENTS.at(-1)?.below_cents).toBeNull();
  });
});

describe('A bid in the TopK', () => {
  const bid = { id: 'a1', bidder_id: '1c-4f', bidder_nickname: 'anna', placed_at_ms: 1_700_000_000_000, amount_cents: null };

  test('is parsed as it was written', () => {
    expect(parseBidItem(bidItem(bid))).toEqual(bid);
    expect(parseBidItem(bidItem({ ...bid, amount_cents: 12_34 }))).toEqual({ ...bid, amount_cents: 12_34 });
  });

  test('sorts before a later bid, which decides between equal amounts', () => {
    const later = bidItem({ ...bid, id: 'a0', placed_at_ms: bid.placed_at_ms + 1 });
    expect(bidItem(bid) < later).toBe(true);
    expect(bidItem({ ...bid, placed_at_ms: 1 }) < bidItem(bid)).toBe(true);
  });
});

describe('Standing', () => {
  const person = (id: string) => ({ id, nickname: id });
  const placed = (id: string, amount_cents: number): Bid => ({
    id: '',
    amount_cents,
    max_cents: amount_cents,
    bidder: person(id),
    placed_at_ms: 0,
  });
  const info = (fields: Record<string, Scalar>): ItemInfo => {
    const all: Record<string, Scalar> = { seller: 's', start_price_cents: 100, status: 'open', ...fields };
    const parsed = parseItemInfo(ITEM_FIELDS.map((name) => all[name] ?? null));
    if (parsed === null) throw new Error('no info');
    return parsed;
  };
  const bids = [placed('a', 300), placed('b', 200)];
  const open: AuctionState = { info: info({}), bids };
  const ended = { status: 'closed', closed_at_ms: 1 };
  const closed: AuctionState = { info: info({ ...ended, winner: 'a', winner_nickname: 'a', final_price_cents: 300 }), bids };
  const unsold: AuctionState = { info: info(ended), bids };
  const [BIDDER, STRANGER] = [
    { bidder: true, bought_quantity: 0 },
    { bidder: false, bought_quantity: 0 },
  ];

  test.each([
    ['s', open, 'selling'],
    ['a', open, 'leading'],
    ['b', open, 'outbid'],
    ['s', closed, 'sold'],
    ['a', closed, 'won'],
    ['b', closed, 'lost'],
    ['s', unsold, 'unsold'],
    ['a', unsold, 'lost'],
  ] as const)('of %s is as it is', (id, auction, standing) => {
    expect(standingOf(auction, id, BIDDER)).toBe(standing);
  });

  test('of a seller is sold if pieces were bought, though no bid won', () => {
    const pieces = { quantity: 3, buy_now_price_cents: 500, ...ended };
    expect(standingOf({ info: info({ ...pieces, left: 1, ended_by: 'time' }), bids: [] }, 's', STRANGER)).toBe('sold');
    expect(standingOf({ info: info({ ...pieces, left: 3, ended_by: 'time' }), bids: [] }, 's', STRANGER)).toBe('unsold');
  });

  test('of a stranger is null', () => {
    expect(standingOf(open, 'x', STRANGER)).toBeNull();
    expect(standingOf(closed, 'x', STRANGER)).toBeNull();
  });

  test('of a buyer is bought after the end, whether they bid or not, unless they won as well', () => {
    const bought = (bidder: boolean) => ({ bidder, bought_quantity: 1 });
    expect(standingOf(open, 'b', bought(true))).toBe('outbid');
    expect(standingOf(open, 'x', bought(false))).toBeNull();
    expect(standingOf(unsold, 'b', bought(true))).toBe('bought');
    expect(standingOf(unsold, 'x', bought(false))).toBe('bought');
    expect(standingOf(closed, 'a', bought(true))).toBe('won');
  });

  test('is a tie only behind a bid with the same maximum', () => {
    const tied: AuctionState = { info: info({}), bids: [placed('a', 300), placed('b', 300), placed('c', 200)] };
    expect(['a', 'b', 'c', 'x'].map((id) => isTied(tied, id))).toEqual([false, true, false, false]);
    expect(isTied({ info: info({}), bids: [] }, 'b')).toBe(false);
  });

  test('of a bidder is null while their bid is not visible yet, and outbid if it is too low to be visible', () => {
    expect(standingOf(open, 'x', BIDDER)).toBeNull();
    const crowd = Array.from({ length: 50 }, (_, i) => placed('a', 300 - i));
    expect(standingOf({ ...open, bids: crowd }, 'x', BIDDER)).toBe('outbid');
    expect(standingOf({ ...closed, bids: crowd }, 'x', BIDDER)).toBe('lost');
  });

  test('is outbid since the later of the two bids', () => {
    const at = (id: string, amount: number, placed_at_ms: number): Bid => ({ ...placed(id, amount), placed_at_ms });
    expect(outbidAt([at('a', 300, 7), at('c', 250, 5), at('b', 200, 1)], 'b')).toBe(5);
    expect(outbidAt([at('a', 300, 1), at('b', 200, 4)], 'b')).toBe(4);
    expect(outbidAt([at('a', 300, 1), at('b', 200, 4)], 'a')).toBeNull();
    expect(outbidAt([], 'a')).toBeNull();
  });
});
