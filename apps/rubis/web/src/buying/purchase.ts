// A purchase on its way, as plain functions. The page chooses its id and keeps it until the server has said what became of
// it: asking again with the same id buys nothing twice, also after the page was loaded again.
import { isSurelyUndone } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';

export interface PendingPurchase {
  purchase_id: string;
  quantity: number;
}

type Reading = Pick<Storage, 'getItem'>;
type Writing = Pick<Storage, 'setItem' | 'removeItem'>;

const QUANTITY_MAX: typeof api.LIMITS.quantity_max = 10;
const ID_BYTES = 16;
const key = (user_id: string, item_id: string) => `claret-purchase:${user_id}:${item_id}`;

export function newPurchaseId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The purchase of this auction whose answer this person is still owed; null: none is. */
export function readPending(user_id: string, item_id: string, storage: Reading = localStorage): PendingPurchase | null {
  try {
    const kept = JSON.parse(storage.getItem(key(user_id, item_id)) ?? 'null') as Partial<PendingPurchase> | null;
    const { purchase_id, quantity } = kept ?? {};
    const isWhole = typeof purchase_id === 'string' && Number.isInteger(quantity) && quantity! >= 1 && quantity! <= QUANTITY_MAX;
    return isWhole ? { purchase_id, quantity: quantity! } : null;
  } catch {
    return null;
  }
}

/** Null: what became of it is known. Without storage it is kept as long as the page. */
export function keepPending(user_id: string, item_id: string, pending: PendingPurchase | null, storage: Writing = localStorage): void {
  try {
    if (pending) storage.setItem(key(user_id, item_id), JSON.stringify(pending));
    else storage.removeItem(key(user_id, item_id));
  } catch {
    // Full or forbidden storage: a page that is loaded again does not know of it.
  }
}

/** What the server says of a purchase only when it has looked it up and it has not happened. */
const REFUSALS: readonly string[] = [
  'sold_out',
  'not_enough_left',
  'no_buy_now',
  'buy_now_withdrawn',
  'auction_closed',
  'own_item',
  'unknown_item',
  'purchase_id_taken',
  'invalid_input',
];

/**
 * Whether the purchase has certainly not happened. Once an answer was lost, only a refusal of the purchase itself says so:
 * that the next try did not get through says nothing of the first.
 */
export function isRefused(code: string, wasUnknown: boolean): boolean {
  return wasUnknown ? REFUSALS.includes(code) : isSurelyUndone(code);
}

/** What a purchase means for the bids: said before it is made. */
export function purchaseTerms(quantity: number, left: number): string {
  if (left === 1) return 'This is the last piece. Buying it ends the auction, and no bid wins.';
  if (quantity >= left) return 'These are the last pieces. Buying them ends the auction, and no bid wins.';
  return 'Any bids you have placed here still stand. The highest bidder gets one piece, if there is one left at the end.';
}

/** How many pieces one may buy at once. */
export function quantityChoices(left: number): number[] {
  return Array.from({ length: Math.min(left, QUANTITY_MAX) }, (_, at) => at + 1);
}
