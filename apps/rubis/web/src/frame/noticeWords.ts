// What a notice says to a person, in one place for the toast and the list.
import { formatMoney } from '@claret/ui/kit';
import type * as api from '../../../server/api.ts';

export interface NoticeWords {
  tone: 'good' | 'warn' | 'plain';
  title: string;
  text: string;
  action: string;
}

export function noticeWords(notice: api.LiveNotice): NoticeWords {
  const price = formatMoney(notice.price_cents);
  switch (notice.kind) {
    case 'outbid':
      return {
        tone: 'warn',
        title: 'You’ve been outbid',
        text: `${notice.title} is at ${price} now.`,
        action: `Bid ${formatMoney(notice.min_next_bid_cents)} or more`,
      };
    case 'won':
      return { tone: 'good', title: 'You won!', text: `${notice.title} is yours for ${price}.`, action: 'See the result' };
    case 'lost':
      return {
        tone: 'plain',
        title: 'The auction has ended',
        text: `${notice.title} went to somebody else for ${price}.`,
        action: 'See the result',
      };
    case 'sold':
      return { tone: 'good', title: 'Sold!', text: `${notice.title} sold for ${price}.`, action: 'See who won' };
    case 'unsold':
      return {
        tone: 'plain',
        title: 'Your auction has ended',
        text: `Nobody bid on ${notice.title} this time.`,
        action: 'See the result',
      };
  }
}
