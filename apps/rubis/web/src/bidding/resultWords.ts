// How an auction ended, in words: for somebody who took part, and for everybody.
import type * as api from '../../../server/api.ts';

type Ended = Pick<api.LiveItem, 'winner' | 'ended_by' | 'reserve' | 'bid_count' | 'buy_now'>;

export interface ResultWords {
  headline: string;
  /** why no bid won; empty where one did */
  reason: string;
  /** how many pieces were bought, where others were left; else empty */
  bought: string;
}

/** `quantity`: pieces that were on sale. */
export function resultWords(live: Ended, standing: api.StandingName | null, quantity: number): ResultWords {
  const pieces = live.buy_now && quantity > 1 ? quantity - live.buy_now.left - (live.winner ? 1 : 0) : 0;
  const bought = pieces > 0 && live.ended_by === 'time' ? `${pieces} of ${quantity} pieces went by Buy now.` : '';
  if (live.winner) return { headline: (standing && WITH_WINNER[standing]) ?? 'The auction has ended', reason: '', bought };
  return { ...withoutWinner(live, standing, quantity), bought };
}

const WITH_WINNER: Partial<Record<api.StandingName, string>> = {
  won: 'You won!',
  lost: 'Somebody else won',
  sold: 'Your auction sold',
};

function withoutWinner(live: Ended, standing: api.StandingName | null, quantity: number): Omit<ResultWords, 'bought'> {
  const isSeller = standing === 'sold' || standing === 'unsold';
  if (live.ended_by === 'sold_out') {
    const what = quantity > 1 ? 'Every piece was bought' : 'It was bought';
    return { headline: isSeller ? 'You sold out!' : 'Sold out', reason: `${what} before the time was up, so no bid won.` };
  }
  if (live.bid_count === 0) {
    const headline = isSeller ? 'Your auction ended without a bid' : 'Ended without a bid';
    return { headline: standing === 'sold' ? 'Your auction has ended' : headline, reason: 'Nobody bid this time.' };
  }
  if (live.reserve === 'not_met') {
    const reason = 'The bids did not reach the seller’s lowest price, so nobody won.';
    return { headline: isSeller ? 'Your reserve was not met' : 'Reserve not met', reason };
  }
  return { headline: 'The auction has ended', reason: 'The last piece was bought before the bids were counted.' };
}
