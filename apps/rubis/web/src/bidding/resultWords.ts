// The words for an auction's result: for people who took part, and for others.
import type * as api from '../../../server/api.ts';

type Ended = Pick<api.LiveItem, 'winner' | 'ended_by' | 'reserve' | 'bid_count' | 'buy_now'>;

export interface ResultWords {
  headline: string;
  /** why no bid won; empty if one did */
  reason: string;
  /** how many pieces were bought, if some were left; otherwise empty */
  bought: string;
}

/** `quantity`: pieces that were on sale. */
export function resultWords(live: Ended, standing: api.StandingName | null, quantity: number): ResultWords {
  const pieces = live.buy_now && quantity > 1 ? quantity - live.buy_now.left - (live.winner ? 1 : 0) : 0;
  const bought = pieces > 0 && live.ended_by === 'time' ? `${pieces} of ${quantity} pieces were sold with Buy now.` : '';
  if (live.winner) return { headline: (standing && WITH_WINNER[standing]) ?? 'Auction ended', reason: '', bought };
  return { ...withoutWinner(live, standing, quantity), bought };
}

const WITH_WINNER: Partial<Record<api.StandingName, string>> = {
  won: 'You won!',
  lost: 'Someone else won',
  bought: 'You bought it',
  sold: 'Your item sold',
};

function withoutWinner(live: Ended, standing: api.StandingName | null, quantity: number): Omit<ResultWords, 'bought'> {
  const isSeller = standing === 'sold' || standing === 'unsold';
  if (live.ended_by === 'sold_out') {
    const reason =
      quantity > 1 ? 'Every piece was bought before time ran out, so no bid won.' : 'It was bought before time ran out, so no bid won.';
    if (standing === 'bought')
      return { headline: 'You bought it', reason: quantity > 1 ? 'Every piece was sold.' : 'The auction ended with your purchase.' };
    return { headline: isSeller ? 'All sold!' : 'Sold out', reason };
  }
  if (standing === 'bought') return { headline: 'You bought it', reason: 'The auction has ended.' };
  if (live.bid_count === 0) {
    const headline = isSeller ? 'Your auction ended without bids' : 'Ended without bids';
    return { headline: standing === 'sold' ? 'Your auction has ended' : headline, reason: 'No one bid this time.' };
  }
  if (live.reserve === 'not_met') {
    const reason = 'The bids didn’t reach the seller’s reserve price, so no one won.';
    return { headline: isSeller ? 'Your reserve wasn’t met' : 'Reserve not met', reason };
  }
  return { headline: 'Auction ended', reason: 'The last piece was bought just before the end, so no bid won.' };
}
