// What a notice says to a person, in one place for the toast, the bell and the inbox.
import { formatMoney } from '@claret/ui/kit';
import type * as api from '../../../server/api.ts';

export type Told = Pick<api.InboxNotice, 'kind' | 'title' | 'price_cents' | 'quantity' | 'buyer'>;

export interface NoticeWords {
  tone: 'good' | 'warn' | 'plain';
  headline: string;
  text: string;
  /** on the way to the auction */
  action: string;
}

export function noticeWords({ kind, title, price_cents, quantity, buyer }: Told): NoticeWords {
  const price = formatMoney(price_cents);
  const total = formatMoney(price_cents * quantity);
  const pieces = quantity > 1 ? `${quantity} pieces of ${title}` : title;
  switch (kind) {
    case 'outbid':
      return { tone: 'warn', headline: 'You’ve been outbid', text: `${title} is at ${price} now.`, action: 'Bid again' };
    case 'won':
      return { tone: 'good', headline: 'You won!', text: `${title} is yours for ${price}.`, action: 'See the result' };
    case 'lost':
      return {
        tone: 'plain',
        headline: 'The auction has ended',
        text: `You did not win ${title}. It ended at ${price}.`,
        action: 'See the result',
      };
    case 'bought':
      return { tone: 'good', headline: 'You bought it', text: `${pieces} for ${total}.`, action: 'See the auction' };
    case 'sold':
      return {
        tone: 'good',
        headline: 'Sold!',
        text: `${pieces} sold ${buyer ? `to ${buyer.nickname} ` : ''}for ${total}.`,
        action: buyer ? 'See the auction' : 'See who won',
      };
    case 'unsold':
      return {
        tone: 'plain',
        headline: 'Your auction has ended',
        text: `${title} was not sold this time.`,
        action: 'See the result',
      };
  }
}
