// A pending purchase, as pure functions. The page chooses its id and keeps it until the server has stated the outcome: a retry with the
// same id does not buy twice, also after a reload.
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

/** This person's purchase at this auction whose outcome is unknown; null: there is none. */
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

/** Null: the outcome is known. Without storage the purchase is kept as long as the page. */
export function keepPending(user_id: string, item_id: string, pending: PendingPurchase | null, storage: Writing = localStorage): void {
  try {
    if (pending) storage.setItem(key(user_id, item_id), JSON.stringify(pending));
    else storage.removeItem(key(user_id, item_id));
  } catch {
    // Full or forbidden storage: after a reload the page does not know of the purchase.
  }
}

/** codes that the server sends only after it has looked the purchase up and not found it */
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
 * Whether the purchase has certainly not happened. After a lost answer only a refusal of the purchase itself proves this: a later attempt
 * that failed otherwise says nothing about the first.
 */
export function isRefused(code: string, wasUnknown: boolean): boolean {
  return wasUnknown ? REFUSALS.includes(code) : isSurelyUndone(code);
}

/** The effect of a purchase on the bids, shown before it is made. */
export function purchaseTerms(quantity: number, left: number): string {
  if (left === 1) return 'This is the last piece. Buying it ends the auction, and no bid wins.';
  if (quantity >= left) return 'These are the last pieces. Buying them ends the auction, and no bid wins.';
  return 'Any bids you have placed here still stand. The highest bidder gets one piece, if there is one left at the end.';
}

/** the quantities that one purchase may have */
export function quantityChoices(left: number): number[] {
  return Array.from({ length: Math.min(left, QUANTITY_MAX) }, (_, at) => at + 1);
}
