// The Dict `{item:I}:info`: its fields and their meaning.
import type { EndedBy, UserRef } from '../api.ts';

export const ITEM_FIELDS = [
  'title',
  'description',
  'category',
  'region',
  'seller',
  'seller_nickname',
  'start_price_cents',
  'opened_at_ms',
  'closes_at_ms',
  'status',
  'winner',
  'winner_nickname',
  'final_price_cents',
  'closed_at_ms',
  'quantity',
  'reserve_price_cents',
  'buy_now_price_cents',
  'ended_by',
  'left',
] as const;

export type ItemInfo = {
  title: string;
  description: string;
  category_id: string;
  region_id: string;
  seller: UserRef;
  start_price_cents: number;
  opened_at_ms: number;
  closes_at_ms: number;
  status: 'open' | 'closed';
  // null while open, and if no bid won
  winner: UserRef | null;
  final_price_cents: number | null;
  closed_at_ms: number | null;
  quantity: number;
  // secret
  reserve_price_cents: number | null;
  // per piece; null: no Buy now
  buy_now_price_cents: number | null;
  // null while open
  ended_by: EndedBy | null;
  // pieces neither bought nor won; null while open: then the stock counts them
  left: number | null;
};

export type Scalar = string | number | bigint | boolean;

const text = (value: Scalar | null | undefined): string => (value === null || value === undefined ? '' : String(value));
export const integerOrNull = (value: Scalar | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

const winnerOf = ([id, nickname]: readonly (Scalar | null | undefined)[]): UserRef | null =>
  id === null || id === undefined ? null : { id: text(id), nickname: text(nickname) };

// Parses the values of ITEM_FIELDS, in that order. Null: there is no such item.
export function parseItemInfo(values: readonly (Scalar | null)[]): ItemInfo | null {
  const [title, description, category, region, seller, sellerNickname, startPrice, openedAt, closesAt, status, ...end] = values;
  if (status === null || status === undefined) return null;
  const [winner, winnerNickname, finalPrice, closedAt, quantity, reservePrice, buyNowPrice, endedBy, left] = end;
  return {
    title: text(title),
    description: text(description),
    category_id: text(category),
    region_id: text(region),
    seller: { id: text(seller), nickname: text(sellerNickname) },
    start_price_cents: Number(startPrice),
    opened_at_ms: Number(openedAt),
    closes_at_ms: Number(closesAt),
    status: status === 'closed' ? 'closed' : 'open',
    winner: winnerOf([winner, winnerNickname]),
    final_price_cents: integerOrNull(finalPrice),
    closed_at_ms: integerOrNull(closedAt),
    quantity: integerOrNull(quantity) ?? 1,
    reserve_price_cents: integerOrNull(reservePrice),
    buy_now_price_cents: integerOrNull(buyNowPrice),
    // Without Buy now these two are not written.
    ended_by: status !== 'closed' ? null : endedBy === 'sold_out' ? 'sold_out' : 'time',
    left: status !== 'closed' ? null : (integerOrNull(left) ?? (typeof winner === 'string' ? 0 : 1)),
  };
}

// The fields that a comment on a sale rests on, and the parser of their values. Null: there is no such item.
export const SALE_FIELDS = ['status', 'title', 'seller', 'seller_nickname', 'winner', 'winner_nickname'] as const;
export type SaleInfo = Pick<ItemInfo, 'status' | 'title' | 'seller' | 'winner'>;

export function parseSaleInfo([status, title, seller, sellerNickname, ...won]: readonly (Scalar | null)[]): SaleInfo | null {
  if (status === null || status === undefined) return null;
  return {
    status: status === 'closed' ? 'closed' : 'open',
    title: text(title),
    seller: { id: text(seller), nickname: text(sellerNickname) },
    winner: winnerOf(won),
  };
}

export const saleValues = ({ status, title, seller, winner }: SaleInfo): (Scalar | null)[] => [
  status,
  title,
  seller.id,
  seller.nickname,
  winner?.id ?? null,
  winner?.nickname ?? null,
];

// The fields that open an auction. Missing or null fields are not written.
type OpeningKeys = 'title' | 'description' | 'category_id' | 'region_id' | 'seller' | 'start_price_cents' | 'opened_at_ms' | 'closes_at_ms';
export type Opening = Pick<ItemInfo, OpeningKeys> & {
  // more than 1 requires a Buy now price
  quantity?: number;
  reserve_price_cents?: number | null;
  buy_now_price_cents?: number | null;
};

export function openingFields(item: Opening): Record<string, Scalar> {
  const fields: Record<string, Scalar> = {
    title: item.title,
    description: item.description,
    category: item.category_id,
    region: item.region_id,
    seller: item.seller.id,
    seller_nickname: item.seller.nickname,
    start_price_cents: item.start_price_cents,
    opened_at_ms: item.opened_at_ms,
    closes_at_ms: item.closes_at_ms,
    status: 'open',
  };
  const { quantity = 1, reserve_price_cents = null, buy_now_price_cents = null } = item;
  if (quantity > 1) fields['quantity'] = quantity;
  if (reserve_price_cents !== null) fields['reserve_price_cents'] = reserve_price_cents;
  if (buy_now_price_cents !== null) fields['buy_now_price_cents'] = buy_now_price_cents;
  return fields;
}

// The end of an auction. `winner` and `final_price_cents`: both or none. `stock`: null without Buy now.
export type Ending = Pick<ItemInfo, 'winner' | 'final_price_cents'> & { stock: { ended_by: EndedBy; left: number } | null };

// The fields that closing writes.
export function closingFields({ winner, final_price_cents, stock }: Ending, closed_at_ms: number) {
  const fields: Record<string, Scalar> = { status: 'closed', closed_at_ms, ...stock };
  if (winner !== null && final_price_cents !== null) {
    fields['winner'] = winner.id;
    fields['winner_nickname'] = winner.nickname;
    fields['final_price_cents'] = final_price_cents;
  }
  return fields;
}
