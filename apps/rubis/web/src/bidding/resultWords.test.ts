import { describe, expect, it } from 'vitest';
import { resultWords } from './resultWords.ts';

const ended = { winner: null, ended_by: 'time', reserve: 'none', bid_count: 0, buy_now: null } as const;
const winner = { id: 'ben', nickname: 'ben' };

describe('the words for an auction’s result', () => {
  it('address people who took part', () => {
    const won = { ...ended, winner, bid_count: 3 };
    expect(resultWords(won, 'won', 1).headline).toBe('You won!');
    expect(resultWords(won, 'lost', 1).headline).toBe('Someone else won');
    expect(resultWords(won, 'sold', 1).headline).toBe('Your item sold');
    expect(resultWords(won, null, 1).headline).toBe('Auction ended');
  });
  it('say why nobody won', () => {
    const bids = { ...ended, bid_count: 3 };
    expect(resultWords(ended, null, 1).headline).toBe('Ended without bids');
    expect(resultWords({ ...bids, reserve: 'not_met' }, 'lost', 1).headline).toBe('Reserve not met');
    expect(resultWords({ ...bids, reserve: 'not_met' }, 'unsold', 1).headline).toBe('Your reserve wasn’t met');
    expect(resultWords({ ...bids, ended_by: 'sold_out' }, 'lost', 1).headline).toBe('Sold out');
    expect(resultWords({ ...bids, ended_by: 'sold_out' }, 'lost', 1).reason).toMatch(/^It was bought/);
    expect(resultWords({ ...bids, ended_by: 'sold_out' }, 'sold', 3).reason).toMatch(/^Every piece/);
    expect(resultWords(bids, 'lost', 1).reason).toContain('last piece was bought');
  });
  it('tell a buyer what they bought, not that they lost', () => {
    const sold_out = { ...ended, ended_by: 'sold_out', bid_count: 3 } as const;
    expect(resultWords(sold_out, 'bought', 1).headline).toBe('You bought it');
    expect(resultWords({ ...ended, winner, bid_count: 3 }, 'bought', 3).headline).toBe('You bought it');
    expect(resultWords(ended, 'bought', 3).headline).toBe('You bought it');
  });
  it('tell a seller without bids that nobody bid, whatever the reserve', () => {
    expect(resultWords({ ...ended, reserve: 'not_met' }, 'unsold', 1).headline).toBe('Your auction ended without bids');
  });
  it('count the pieces bought in addition to the one that was won', () => {
    const pieces = { ...ended, buy_now: { price_cents: 100, left: 2, withdrawn: false } };
    expect(resultWords({ ...pieces, winner, bid_count: 1 }, 'won', 5).bought).toBe('2 of 5 pieces were sold with Buy now.');
    expect(resultWords(pieces, 'sold', 5)).toMatchObject({
      headline: 'Your auction has ended',
      bought: '3 of 5 pieces were sold with Buy now.',
    });
    expect(resultWords({ ...pieces, buy_now: { price_cents: 100, left: 5, withdrawn: false } }, 'unsold', 5).bought).toBe('');
  });
});
