// A pending purchase, as pure functions. The page keeps the key of its request until the server has stated the outcome: a retry with the same key
// does not buy twice, also after a reload, and days later it tells whether the purchase was made.
import type { Failure } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';

export interface PendingPurchase {
  /** of the request */
  key: string;
  quantity: number;
}

type Reading = Pick<Storage, 'getItem'>;
type Writing = Pick<Storage, 'setItem' | 'removeItem'>;

const QUANTITY_MAX: typeof api.LIMITS.quantity_max = 10;
const entry = (user_id: string, item_id: string) => `claret-purchase:${user_id}:${item_id}`;

/** This person's purchase at this auction whose outcome is unknown; null: there is none. */
export function readPending(user_id: string, item_id: string, storage: Reading = localStorage): PendingPurchase | null {
  try {
    const kept = JSON.parse(storage.getItem(entry(user_id, item_id)) ?? 'null') as Partial<PendingPurchase> | null;
    const { key, quantity } = kept ?? {};
    const isWhole = typeof key === 'string' && Number.isInteger(quantity) && quantity! >= 1 && quantity! <= QUANTITY_MAX;
    return isWhole ? { key, quantity: quantity! } : null;
  } catch {
    return null;
  }
}

/** Null: the outcome is known. Without storage the purchase is kept as long as the page. */
export function keepPending(user_id: string, item_id: string, pending: PendingPurchase | null, storage: Writing = localStorage): void {
  try {
    if (pending) storage.setItem(entry(user_id, item_id), JSON.stringify(pending));
    else storage.removeItem(entry(user_id, item_id));
  } catch {
    // Full or forbidden storage: after a reload the page does not know of the purchase.
  }
}

/**
 * Whether the purchase has certainly not happened. After a lost answer only a refusal of the purchase itself proves this, or of its expired
 * key, since the server knows each purchase by its request: a later attempt that failed otherwise says nothing about the first.
 */
export function isRefused(failure: Failure, wasUnknown: boolean): boolean {
  return failure === 'refused' || failure === 'expired' || (failure === 'undone' && !wasUnknown);
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
