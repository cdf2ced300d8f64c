// The words of notices, shared by the toast, the bell and the inbox.
import { formatMoney } from '@claret/ui/kit';
import type * as api from '../../../server/api.ts';

export type NoticeFacts = Pick<api.InboxNotice, 'kind' | 'title' | 'price_cents' | 'quantity' | 'buyer' | 'tied'>;

export interface NoticeWords {
  tone: 'good' | 'warn' | 'plain';
  headline: string;
  text: string;
  /** label of the link to the auction */
  action: string;
}

export function noticeWords({ kind, title, price_cents, quantity, buyer, tied }: NoticeFacts): NoticeWords {
  const price = formatMoney(price_cents);
  const total = formatMoney(price_cents * quantity);
  const item = `“${title}”`;
  const pieces = quantity > 1 ? `${quantity} pieces of ${item}` : item;
  switch (kind) {
    case 'outbid':
      return {
        tone: 'warn',
        headline: 'You’ve been outbid',
        text: tied ? `Someone bid ${price} on ${item} before you.` : `${item} is now at ${price}.`,
        action: 'Bid again',
      };
    case 'won':
      return { tone: 'good', headline: 'You won!', text: `${item} is yours for ${price}.`, action: 'See result' };
    case 'lost':
      return {
        tone: 'plain',
        headline: 'You didn’t win',
        text: tied ? `Someone bid ${price} on ${item} before you.` : `${item} ended at ${price}.`,
        action: 'See result',
      };
    case 'bought':
      return { tone: 'good', headline: 'You bought it', text: `${pieces} for ${total}.`, action: 'See auction' };
    case 'sold':
      return {
        tone: 'good',
        headline: 'Sold!',
        text: `${pieces} sold ${buyer ? `to ${buyer.nickname} ` : ''}for ${total}.`,
        action: buyer ? 'See auction' : 'See who won',
      };
    case 'unsold':
      return {
        tone: 'plain',
        headline: 'Your auction has ended',
        text: `${item} didn’t sell this time.`,
        action: 'See result',
      };
  }
}
