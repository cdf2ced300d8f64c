import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { bidLabel, buyNowInstead, bidOutcome, checkBid, incrementAt, standingIn, suggestBids } from './bidding.ts';

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
  closed_at_ms: null,
  ended_by: null,
  reserve: 'none',
  buy_now: null,
  watchers: 0,
  ...more,
});

describe('suggesting bids', () => {
  it('starts at the minimum and grows by the increment of that price', () => {
    expect(suggestBids(900, increments)).toEqual([900, 1_000, 1_150]);
    expect(suggestBids(10_000, increments)).toEqual([10_000, 11_000, 12_500]);
  });
  it('has the increment of each price', () => {
    expect(incrementAt(increments, 999)).toBe(50);
    expect(incrementAt(increments, 1_000)).toBe(100);
    expect(incrementAt(increments, 99_999_999)).toBe(500);
    expect(incrementAt([], 5)).toBe(1);
  });
});

const base = { price_cents: 150, min_next_bid_cents: 200, isLeading: false, my_max_cents: null };
const leading = { ...base, isLeading: true, my_max_cents: 500 };

describe('checking a bid', () => {
  it('accepts the minimum', () => {
    expect(checkBid({ amount: '$2.00', max: null }, base)).toEqual({ offer: { amount_cents: 200, max_cents: null }, errors: null });
  });
  it('says what to type when it is empty, not a number, too low or too high', () => {
    const wrong = (amount: string) => checkBid({ amount, max: null }, base).errors?.amount;
    expect(wrong(' ')).toContain('Enter your bid');
    expect(wrong('ten')).toContain('“ten” isn’t an amount');
    expect(wrong('1.99')).toContain('too low');
    expect(wrong('10000000.01')).toContain('The highest bid allowed is');
  });
  it('takes the minimum if only a maximum was typed', () => {
    expect(checkBid({ amount: '', max: '5' }, base).offer).toEqual({ amount_cents: 200, max_cents: 500 });
    expect(checkBid({ amount: '3', max: '5' }, base).offer).toEqual({ amount_cents: 300, max_cents: 500 });
  });
  it('lets the leader raise their maximum at the present price, but not lower it', () => {
    expect(checkBid({ amount: '', max: '6' }, leading).offer).toEqual({ amount_cents: 150, max_cents: 600 });
    expect(checkBid({ amount: '', max: '5' }, leading).errors?.max).toContain('Your maximum is already $5');
    expect(checkBid({ amount: '', max: '5' }, { ...leading, my_max_cents: null }).offer).not.toBeNull();
  });
  it('explains a wrong maximum at its field', () => {
    const wrong = (amount: string, max: string) => checkBid({ amount, max }, base).errors;
    expect(wrong('', '')).toEqual({ max: 'Enter the most you would pay.' });
    expect(wrong('', 'lots')?.max).toContain('isn’t an amount');
    expect(wrong('4', '3')?.max).toContain('can’t be below your bid of $4');
    expect(wrong('1', '1.50')).toEqual({ amount: expect.stringContaining('too low'), max: expect.stringContaining('can’t be below') });
  });
  it('names the action on the button', () => {
    expect(bidLabel({ amount: '', max: null }, base)).toBe('Place bid');
    expect(bidLabel({ amount: '3', max: null }, base)).toBe('Bid $3');
    expect(bidLabel({ amount: '', max: '5' }, base)).toBe('Bid $2, up to $5');
    expect(bidLabel({ amount: '', max: '6' }, leading)).toBe('Raise your maximum to $6');
  });
});

describe('a bid that reaches the Buy now price', () => {
  const buy_now = { price_cents: 2_000, left: 1, withdrawn: false };
  it('could buy instead, by its amount or by its maximum', () => {
    expect(buyNowInstead({ amount_cents: 2_000, max_cents: null }, buy_now)).toBe(2_000);
    expect(buyNowInstead({ amount_cents: 1_000, max_cents: 3_000 }, buy_now)).toBe(2_000);
  });
  it('could not buy if it is lower, or without Buy now', () => {
    const offer = { amount_cents: 2_500, max_cents: null };
    expect(buyNowInstead({ amount_cents: 1_000, max_cents: 1_999 }, buy_now)).toBeNull();
    for (const none of [null, { ...buy_now, left: 0 }, { ...buy_now, withdrawn: true }]) expect(buyNowInstead(offer, none)).toBeNull();
  });
});

describe('the outcome of a bid', () => {
  const mine = { bid_id: 'b2', amount_cents: 500, max_cents: null };
  it('is unseen until the live view has caught up', () => {
    expect(bidOutcome(live([bid('b1', 'ada', 400)]), mine, 'me')).toBe('unseen');
    expect(bidOutcome(live([bid('b1', 'ada', 500)]), mine, 'me')).toBe('unseen');
  });
  it('is leading if it is the highest', () => {
    expect(bidOutcome(live([bid('b2', 'me', 500), bid('b1', 'ada', 400)]), mine, 'me')).toBe('leads');
  });
  it('is leading as well if an earlier bid of the same person is higher', () => {
    expect(bidOutcome(live([bid('b1', 'me', 500), bid('b2', 'me', 500)]), mine, 'me')).toBe('leads');
  });
  it('is overtaken by a higher bid, and by an earlier one of the same amount', () => {
    expect(bidOutcome(live([bid('b3', 'ada', 600), bid('b2', 'me', 500)]), mine, 'me')).toBe('overtaken');
    expect(bidOutcome(live([bid('b3', 'ada', 600)]), mine, 'me')).toBe('overtaken');
    expect(bidOutcome(live([bid('b1', 'ada', 500), bid('b2', 'me', 500)]), mine, 'me')).toBe('overtaken');
  });
  it('is not overtaken by a price that its maximum still covers', () => {
    expect(bidOutcome(live([bid('b3', 'ada', 600)]), { ...mine, max_cents: 900 }, 'me')).toBe('unseen');
    expect(bidOutcome(live([bid('b3', 'ada', 1_000)]), { ...mine, max_cents: 900 }, 'me')).toBe('overtaken');
  });
});

describe('a person’s standing', () => {
  const open = live([bid('b2', 'ben', 500), bid('b1', 'ada', 400)]);
  const won = live(open.top_bids, { status: 'closed', winner: { id: 'ben', nickname: 'ben' } });
  it('follows the highest bids while the auction is open', () => {
    expect(standingIn(open, 'sam', 'ben', null)).toBe('leading');
    expect(standingIn(open, 'sam', 'ada', 'leading')).toBe('outbid');
    expect(standingIn(open, 'sam', 'eve', null)).toBeNull();
    expect(standingIn(open, 'sam', null, null)).toBeNull();
  });
  it('remembers a bidder whose bid is no longer among the highest', () => {
    expect(standingIn(open, 'sam', 'eve', 'outbid')).toBe('outbid');
    expect(standingIn(won, 'sam', 'eve', 'outbid')).toBe('lost');
  });
  it('is the result once the auction is over', () => {
    expect(standingIn(won, 'sam', 'ben', null)).toBe('won');
    expect(standingIn(won, 'sam', 'ada', null)).toBe('lost');
    expect(standingIn(won, 'sam', 'ada', 'outbid', 1)).toBe('bought');
    expect(standingIn(won, 'sam', 'ben', null, 1)).toBe('won');
    expect(standingIn(won, 'sam', 'sam', null)).toBe('sold');
    expect(standingIn(live([], { status: 'closed' }), 'sam', 'sam', null)).toBe('unsold');
    expect(standingIn(live([], { status: 'closed', ended_by: 'sold_out' }), 'sam', 'sam', null)).toBe('sold');
    expect(standingIn(live([], { status: 'closed', ended_by: 'time' }), 'sam', 'sam', 'sold')).toBe('sold');
    expect(standingIn(open, 'sam', 'sam', null)).toBe('selling');
  });
});
