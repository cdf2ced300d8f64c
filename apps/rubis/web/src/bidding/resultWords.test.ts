import { describe, expect, it } from 'vitest';
import { resultWords } from './resultWords.ts';

const ended = { winner: null, ended_by: 'time', reserve: 'none', bid_count: 0 } as const;
const winner = { id: 'ben', nickname: 'ben' };

describe('how an auction ended, in words', () => {
  it('is about oneself for those who took part', () => {
    expect(resultWords({ ...ended, winner, bid_count: 3 }, 'won').headline).toBe('You won!');
    expect(resultWords({ ...ended, winner, bid_count: 3 }, 'lost').headline).toBe('Somebody else won');
    expect(resultWords({ ...ended, winner, bid_count: 3 }, 'sold').headline).toBe('Your auction sold');
    expect(resultWords({ ...ended, winner, bid_count: 3 }, null).headline).toBe('The auction has ended');
  });
  it('says why nobody won', () => {
    expect(resultWords(ended, null).headline).toBe('Ended without a bid');
    expect(resultWords({ ...ended, reserve: 'not_met', bid_count: 3 }, 'lost').headline).toBe('Reserve not met');
    expect(resultWords({ ...ended, reserve: 'not_met', bid_count: 3 }, 'unsold').headline).toBe('Your reserve was not met');
    expect(resultWords({ ...ended, ended_by: 'sold_out', bid_count: 3 }, 'lost').headline).toBe('Sold out');
    expect(resultWords({ ...ended, bid_count: 3 }, 'lost').reason).toContain('last piece was bought');
  });
  it('tells a seller whose reserve nobody tried that nobody bid', () => {
    expect(resultWords({ ...ended, reserve: 'not_met' }, 'unsold').headline).toBe('Your auction ended without a bid');
  });
});
