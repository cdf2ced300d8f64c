import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { bidOutcome, checkAmount, incrementAt, standingIn, suggestBids } from './bidding.ts';

const increments = [
  { below_cents: 1_000, increment_cents: 50 },
  { below_cents: 10_000, increment_cents: 100 },
  { below_cents: null, increment_cents: 500 },
];
const bid = (id: string, who: string, amount_cents: number): api.BidView => ({
  id,
  amount_cents,
  bidder: { id: who, nickname: who },
  placed_at_ms: 0,
});
const live = (top_bids: api.BidView[], more: Partial<api.LiveItem> = {}): api.LiveItem => ({
  id: '7',
  status: 'open',
  closes_at_ms: 0,
  price_cents: top_bids[0]?.amount_cents ?? 100,
  bid_count: top_bids.length,
  min_next_bid_cents: 200,
  top_bids,
  winner: null,
  closed_at_ms: null, ended_by: null, reserve: 'none', buy_now: null, watchers: 0,
  ...more,
});

describe('suggesting bids', () => {
  it('starts at the least bid and grows by the step of that price', () => {
    expect(suggestBids(900, increments)).toEqual([900, 1_000, 1_150]);
    expect(suggestBids(10_000, increments)).toEqual([10_000, 11_000, 12_500]);
  });
  it('knows the step at each price', () => {
    expect(incrementAt(increments, 999)).toBe(50);
    expect(incrementAt(increments, 1_000)).toBe(100);
    expect(incrementAt(increments, 99_999_999)).toBe(500);
    expect(incrementAt([], 5)).toBe(1);
  });
});

describe('checking an amount', () => {
  it('accepts the least bid', () => {
    expect(checkAmount('$2.00', 200)).toEqual({ amount_cents: 200, error: null });
  });
  it('says what to type when it is empty, no number, too low or too high', () => {
    expect(checkAmount(' ', 200).error).toContain('Type how much');
    expect(checkAmount('ten', 200).error).toContain('“ten” is not an amount');
    expect(checkAmount('1.99', 200).error).toContain('too low');
    expect(checkAmount('10000000.01', 200).error).toContain('the most is');
  });
});

describe('how a bid turned out', () => {
  const mine = { bid_id: 'b2', amount_cents: 500 };
  it('is unseen until the live view has caught up', () => {
    expect(bidOutcome(live([bid('b1', 'ada', 400)]), mine)).toBe('unseen');
    expect(bidOutcome(live([bid('b1', 'ada', 500)]), mine)).toBe('unseen');
  });
  it('leads when it is the first of the highest', () => {
    expect(bidOutcome(live([bid('b2', 'me', 500), bid('b1', 'ada', 400)]), mine)).toBe('leads');
  });
  it('is overtaken by a higher bid, and by an earlier one of the same amount', () => {
    expect(bidOutcome(live([bid('b3', 'ada', 600), bid('b2', 'me', 500)]), mine)).toBe('overtaken');
    expect(bidOutcome(live([bid('b3', 'ada', 600)]), mine)).toBe('overtaken');
    expect(bidOutcome(live([bid('b1', 'ada', 500), bid('b2', 'me', 500)]), mine)).toBe('overtaken');
  });
});

describe('how one stands', () => {
  const open = live([bid('b2', 'ben', 500), bid('b1', 'ada', 400)]);
  const won = live(open.top_bids, { status: 'closed', winner: { id: 'ben', nickname: 'ben' } });
  it('follows the highest bids while the auction is open', () => {
    expect(standingIn(open, 'sam', 'ben', null)).toBe('leading');
    expect(standingIn(open, 'sam', 'ada', 'leading')).toBe('outbid');
    expect(standingIn(open, 'sam', 'eve', null)).toBeNull();
    expect(standingIn(open, 'sam', null, null)).toBeNull();
  });
  it('remembers a bidder whose bid is not among the highest any more', () => {
    expect(standingIn(open, 'sam', 'eve', 'outbid')).toBe('outbid');
    expect(standingIn(won, 'sam', 'eve', 'outbid')).toBe('lost');
  });
  it('names the result once it is over', () => {
    expect(standingIn(won, 'sam', 'ben', null)).toBe('won');
    expect(standingIn(won, 'sam', 'ada', null)).toBe('lost');
    expect(standingIn(won, 'sam', 'sam', null)).toBe('sold');
    expect(standingIn(live([], { status: 'closed' }), 'sam', 'sam', null)).toBe('unsold');
    expect(standingIn(open, 'sam', 'sam', null)).toBe('selling');
  });
});
