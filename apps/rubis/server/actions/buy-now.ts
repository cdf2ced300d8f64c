// BuyNow: buys pieces of an item at once, at the price its seller set.
//
// It takes from the stock by escrow and never reads it: while there is enough, buyers do not wait for each other. So it knows neither how
// many pieces are left nor whether it took the last one: a server that sees an open auction with nothing left closes it (live/sold-out.ts).
//
// It reads the highest bids, since Buy now is withdrawn once the price has reached it (price.ts). So a purchase waits for bids that would
// change them, and such bids wait for the purchase; Bid itself reads nothing more. Terms and bids are mostly known from the live view, so
// that everything leaves in one message.
import { ClaretError, type Claret, type Tx } from '@claret/client';
import type { Once } from '@claret/site/once.ts';

import type { UserRef } from '../api.ts';
import { key, purchaseItem } from '../model.ts';
import { isBuyNowOpen, priceOf } from '../price.ts';
import type { AuctionState } from '../standing.ts';
import { PRICE_PREFIXES, readPrice, scoredBid } from './highest-bids.ts';
import { integerOrNull, type ItemInfo, type Scalar } from './item-info.ts';
import { refuse, type Outcome } from './outcome.ts';

export type BuyNowInput = {
  item_id: string;
  buyer: UserRef;
  quantity: number;
  // unique among the buyer's purchases
  purchase_id: string;
  bought_at_ms: number;
  // the auction as the caller has last seen it: the purchase waits for no message that says the same
  seen?: AuctionState;
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
  | 'key_expired';

export type BuyNowOutcome = Outcome<{ purchase: PurchaseFacts }, BuyNowRefusal>;

const ITEM_READ = ['status', 'seller', 'closes_at_ms', 'buy_now_price_cents', 'start_price_cents', 'reserve_price_cents'] as const;

const itemSeen = (info: ItemInfo) => [
  info.status,
  info.seller.id,
  info.closes_at_ms,
  info.buy_now_price_cents,
  info.start_price_cents,
  info.reserve_price_cents,
];

export async function buyNow(claret: Claret, input: BuyNowInput, once: Once = {}): Promise<BuyNowOutcome> {
  try {
    return await claret.transaction('BuyNow', (tx) => buy(tx, claret, input), once);
  } catch (error) {
    if (error instanceof ClaretError && error.code === 'below_bound') return refuse('not_enough_left');
    throw error;
  }
}

async function buy(tx: Tx, { on }: Claret, input: BuyNowInput): Promise<BuyNowOutcome> {
  const { item_id, buyer, quantity, purchase_id, bought_at_ms, seen } = input;
  const highest = (asked: number) =>
    tx.perform(on.topK(key.item_bids(item_id)).top(asked), { guess: seen?.bids.slice(0, asked).map(scoredBid) });
  const [[status, seller, closesAt, price, startPrice, reservePrice], top] = await Promise.all([
    tx.perform(on.dict(key.item_info(item_id)).get(...ITEM_READ), { guess: seen && itemSeen(seen.info) }),
    highest(PRICE_PREFIXES[0]),
  ]);
  if (status === null || status === undefined) return refuse('unknown_item');
  if (status !== 'open' || bought_at_ms >= Number(closesAt)) return refuse('auction_closed');
  if (seller === buyer.id) return refuse('own_item');
  if (price === null || price === undefined) return refuse('no_buy_now');
  const bids = await readPrice(async (asked) => (asked === PRICE_PREFIXES[0] ? top : highest(asked)));
  const terms = { start_price_cents: Number(startPrice), reserve_price_cents: integerOrNull(reservePrice) };
  if (!isBuyNowOpen(Number(price), priceOf(terms, bids))) return refuse('buy_now_withdrawn');

  // If there is not enough, the whole transaction is refused.
  tx.boundedCounter(key.item_stock(item_id)).decrement(quantity);
  const purchase = { item_id, buyer_id: buyer.id, quantity, price_cents: Number(price), bought_at_ms };
  tx.dict(key.purchase(buyer.id, purchase_id)).set(purchaseFields(purchase));
  tx.scoredSet(key.bought(buyer.id)).add(purchase_id, bought_at_ms);
  const item = purchaseItem({ purchase_id, buyer_id: buyer.id, buyer_nickname: buyer.nickname, quantity });
  tx.scoredSet(key.item_purchases(item_id)).add(item, bought_at_ms);
  return { refused: null, purchase };
}

// The purchase with this id, if it was made; refused with key_expired if it was not, and then it never will be under `once`.
export function boughtBefore(claret: Claret, input: Pick<BuyNowInput, 'buyer' | 'purchase_id'>, once: Once): Promise<BuyNowOutcome> {
  const { buyer, purchase_id } = input;
  const body = async (tx: Tx): Promise<BuyNowOutcome> => {
    const purchase = parsePurchase(await tx.dict(key.purchase(buyer.id, purchase_id)).get(...PURCHASE_FIELDS));
    return purchase === null ? refuse('key_expired') : { refused: null, purchase };
  };
  return claret.transaction('BuyNow', body, once);
}

// ---- The Dict `{user:U}:purchase:P` --------------------------------------------------------------------------------------

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
