// The sale of an auction: the purchases of its pieces, and the comments about it. Both lists are short: there are at most as many purchases
// as pieces, and at most two comments for each purchase and for the winner.
import type { Claret } from '@claret/client';

import { LIMITS, type Sale, type UserRef } from '../api.ts';
import { key, parsePurchaseItem, purchaseItem } from '../model.ts';
import type { ItemInfo } from './item-info.ts';
import { hasStock } from './open-auction.ts';

export type SoldPieces = { purchase_id: string; buyer: UserRef; quantity: number; bought_at_ms: number };

// `purchases`: newest first. `commented`: the commentPair of each comment.
export type SaleRecords = { purchases: SoldPieces[]; commented: ReadonlySet<string> };

const NOTHING_YET: SaleRecords = { purchases: [], commented: new Set() };
const COMMENTS_MAX = 2 * (LIMITS.quantity_max + 1);

// Whether there may be a sale yet, and so comments about it.
export const mayBeSold = (info: ItemInfo): boolean => info.status !== 'open' || hasStock(info);

export async function viewSale(claret: Claret, input: { item_id: string; info: ItemInfo }): Promise<SaleRecords> {
  const { item_id, info } = input;
  if (!mayBeSold(info)) return NOTHING_YET;
  const [bought, commented] = await claret.transact('ViewSale', [...saleReads(claret, item_id)]);
  return saleOf(bought, commented);
}

// The reads of ViewSale, and the parser of their answers.
export function saleReads({ on }: Claret, item_id: string) {
  return [on.scoredSet(key.item_purchases(item_id)).range(0, -1), on.set(key.item_commented(item_id)).members(COMMENTS_MAX, null)] as const;
}

export const saleOf = (bought: readonly (readonly [string, number | bigint])[], commented: readonly string[]): SaleRecords => ({
  purchases: bought.map(soldPieces).toReversed(),
  commented: new Set(commented),
});

export function soldPieces([item, bought_at_ms]: readonly [string, number | bigint]): SoldPieces {
  const { purchase_id, buyer_id, buyer_nickname, quantity } = parsePurchaseItem(item);
  return { purchase_id, buyer: { id: buyer_id, nickname: buyer_nickname }, quantity, bought_at_ms: Number(bought_at_ms) };
}

// The inverse: the purchase as an item of `{item:I}:purchases`, with its time.
export function scoredSale({ purchase_id, buyer, quantity, bought_at_ms }: SoldPieces): [item: string, bought_at_ms: number] {
  return [purchaseItem({ purchase_id, buyer_id: buyer.id, buyer_nickname: buyer.nickname, quantity }), bought_at_ms];
}

// A comment's author and subject as a member of `{item:I}:commented`: each pair and direction once.
export const commentPair = (from_id: string, about_id: string): string => `${from_id}:${about_id}`;

type Parties = { seller: UserRef; winner: UserRef | null };

// The other parties of this sale: for the seller the winner and the buyers, for each of these the seller.
export function partnersOf({ seller, winner }: Parties, purchases: readonly SoldPieces[], user_id: string): UserRef[] {
  const buyers = new Map(purchases.map(({ buyer }) => [buyer.id, buyer]));
  if (winner !== null) buyers.set(winner.id, winner);
  if (user_id === seller.id) return [...buyers.values()];
  return buyers.has(user_id) ? [seller] : [];
}

export function mayCommentOn(parties: Parties, { purchases, commented }: SaleRecords, user_id: string): UserRef[] {
  return partnersOf(parties, purchases, user_id).filter(({ id }) => !commented.has(commentPair(user_id, id)));
}

export function boughtQuantity({ purchases }: Pick<SaleRecords, 'purchases'>, user_id: string): number {
  return purchases.reduce((sum, one) => sum + (one.buyer.id === user_id ? one.quantity : 0), 0);
}

// newest first
export function salesOf(info: ItemInfo, { purchases }: SaleRecords): Sale[] {
  const price_cents = info.buy_now_price_cents ?? 0;
  const sales = purchases.map(({ buyer, quantity, bought_at_ms }) => ({
    buyer,
    quantity,
    total_cents: quantity * price_cents,
    at_ms: bought_at_ms,
  }));
  const { winner, final_price_cents, closed_at_ms } = info;
  if (winner === null || final_price_cents === null || closed_at_ms === null) return sales;
  return [{ buyer: winner, quantity: 1, total_cents: final_price_cents, at_ms: closed_at_ms }, ...sales];
}
