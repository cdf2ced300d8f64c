// BuyNow: buys pieces of an item at once, at the price its seller set.
//
// It takes from the stock by escrow and never reads it: while there is enough, buyers do not wait for each other. So it knows neither how
// many pieces are left nor whether it took the last one: a server that sees an open auction with nothing left closes it (live/sold-out.ts).
//
// It reads the highest bids, since Buy now is withdrawn once the price has reached it (price.ts). So a purchase waits for bids that would
// change them, and such bids wait for the purchase; Bid itself reads nothing more.
//
// The page chooses the purchase's id. The same purchase again, after a lost answer, finds its own record: it is answered the same and
// applied once.
import type { Claret } from '@claret/client';

import type { UserRef } from '../api.ts';
import { key, purchaseItem } from '../model.ts';
import { isBuyNowOpen, priceOf } from '../price.ts';
import { PRICE_PREFIXES, readPrice } from './highest-bids.ts';
import { integerOrNull, type Scalar } from './item-info.ts';
import { refuse, type Outcome } from './outcome.ts';

export type BuyNowInput = {
  item_id: string;
  buyer: UserRef;
  quantity: number;
  // unique among all purchases of all people
  purchase_id: string;
  bought_at_ms: number;
};

export type PurchaseFacts = {
  item_id: string;
  buyer_id: string;
  quantity: number;
  // per piece
  price_cents: number;
  bought_at_ms: number;
};

export type BuyNowRefusal =
  | 'unknown_item'
  | 'auction_closed'
  | 'own_item'
  | 'no_buy_now'
  | 'buy_now_withdrawn'
  | 'not_enough_left'
  | 'purchase_id_taken';

// `repeated`: an earlier call with the same id made the purchase.
export type BoughtNow = { purchase: PurchaseFacts; repeated: boolean };

const ITEM_READ = ['status', 'seller', 'closes_at_ms', 'buy_now_price_cents', 'start_price_cents', 'reserve_price_cents'] as const;

export function buyNow(claret: Claret, input: BuyNowInput): Promise<Outcome<BoughtNow, BuyNowRefusal>> {
  const { item_id, buyer, quantity, purchase_id, bought_at_ms } = input;
  return claret.transaction('BuyNow', async (tx) => {
    const record = tx.dict(key.purchase(purchase_id));
    const bids = tx.topK(key.item_bids(item_id));
    const [[status, seller, closesAt, price, startPrice, reservePrice], values, top] = await Promise.all([
      tx.dict(key.item_info(item_id)).get(...ITEM_READ),
      record.get(...PURCHASE_FIELDS),
      bids.top(PRICE_PREFIXES[0]),
    ]);
    const before = parsePurchase(values);
    if (before !== null) {
      const same = before.buyer_id === buyer.id && before.item_id === item_id && before.quantity === quantity;
      return same ? { refused: null, purchase: before, repeated: true } : refuse('purchase_id_taken');
    }
    if (status === null || status === undefined) return refuse('unknown_item');
    if (status !== 'open' || bought_at_ms >= Number(closesAt)) return refuse('auction_closed');
    if (seller === buyer.id) return refuse('own_item');
    if (price === null || price === undefined) return refuse('no_buy_now');
    const highest = await readPrice(async (asked) => (asked === PRICE_PREFIXES[0] ? top : bids.top(asked)));
    const terms = { start_price_cents: Number(startPrice), reserve_price_cents: integerOrNull(reservePrice) };
    if (!isBuyNowOpen(Number(price), priceOf(terms, highest))) return refuse('buy_now_withdrawn');
    if (!(await tx.boundedCounter(key.item_stock(item_id)).tryDecrement(quantity))) return refuse('not_enough_left');

    const purchase = { item_id, buyer_id: buyer.id, quantity, price_cents: Number(price), bought_at_ms };
    record.set(purchaseFields(purchase));
    tx.scoredSet(key.bought(buyer.id)).add(purchase_id, bought_at_ms);
    const item = purchaseItem({ purchase_id, buyer_id: buyer.id, buyer_nickname: buyer.nickname, quantity });
    tx.scoredSet(key.item_purchases(item_id)).add(item, bought_at_ms);
    return { refused: null, purchase, repeated: false };
  });
}

// ---- The Dict `purchase:P` -----------------------------------------------------------------------------------------------

export const PURCHASE_FIELDS = ['item', 'buyer', 'quantity', 'price_cents', 'bought_at_ms'] as const;

export function purchaseFields(purchase: PurchaseFacts): Record<string, Scalar> {
  const { item_id, buyer_id, quantity, price_cents, bought_at_ms } = purchase;
  return { item: item_id, buyer: buyer_id, quantity, price_cents, bought_at_ms };
}

// Parses the values of PURCHASE_FIELDS, in that order. Null: there is no such purchase.
export function parsePurchase(values: readonly (Scalar | null)[]): PurchaseFacts | null {
  const [item, buyer, quantity, price, boughtAt] = values;
  if (item === null || item === undefined) return null;
  return {
    item_id: String(item),
    buyer_id: String(buyer),
    quantity: Number(quantity),
    price_cents: Number(price),
    bought_at_ms: Number(boughtAt),
  };
}
