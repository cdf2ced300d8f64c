// How an auction ended, in words: for somebody who took part, and for everybody.
import type * as api from '../../../server/api.ts';

type Ended = Pick<api.LiveItem, 'winner' | 'ended_by' | 'reserve' | 'bid_count'>;

export interface ResultWords {
  headline: string;
  /** why no bid won; empty where one did */
  reason: string;
}

export function resultWords(live: Ended, standing: api.StandingName | null): ResultWords {
  if (live.winner) return { headline: (standing && WITH_WINNER[standing]) ?? 'The auction has ended', reason: '' };
  const isSeller = standing === 'sold' || standing === 'unsold';
  if (live.ended_by === 'sold_out')
    return { headline: isSeller ? 'You sold out!' : 'Sold out', reason: 'Every piece was bought before the time was up, so no bid won.' };
  if (live.bid_count === 0)
    return { headline: isSeller ? 'Your auction ended without a bid' : 'Ended without a bid', reason: 'Nobody bid this time.' };
  if (live.reserve === 'not_met')
    return {
      headline: isSeller ? 'Your reserve was not met' : 'Reserve not met',
      reason: 'The bids did not reach the seller’s lowest price, so nobody won.',
    };
  return { headline: 'The auction has ended', reason: 'The last piece was bought before the bids were counted.' };
}

const WITH_WINNER: Partial<Record<api.StandingName, string>> = {
  won: 'You won!',
  lost: 'Somebody else won',
  sold: 'Your auction sold',
};
