// The Dict `{item:I}:info`: its fields, and what they say.
import type { BidView, UserRef } from '../api.ts';
import type { AuctionState } from '../standing.ts';

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
  // null while open, and when nobody bid
  winner: UserRef | null;
  final_price_cents: number | null;
  closed_at_ms: number | null;
};

export type Scalar = string | number | bigint | boolean;

const text = (value: Scalar | null | undefined): string => (value === null || value === undefined ? '' : String(value));
const integerOrNull = (value: Scalar | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

// From the values of ITEM_FIELDS, in that order. Null: there is no such item.
export function parseItemInfo(values: readonly (Scalar | null)[]): ItemInfo | null {
  const [title, description, category, region, seller, sellerNickname, startPrice, openedAt, closesAt, status, ...end] = values;
  if (status === null || status === undefined) return null;
  const [winner, winnerNickname, finalPrice, closedAt] = end;
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
    winner: winner === null || winner === undefined ? null : { id: text(winner), nickname: text(winnerNickname) },
    final_price_cents: integerOrNull(finalPrice),
    closed_at_ms: integerOrNull(closedAt),
  };
}

// What opening an auction writes.
export type OpeningFields = Omit<ItemInfo, 'status' | 'winner' | 'final_price_cents' | 'closed_at_ms'>;

export function openingFields(item: OpeningFields): Record<string, Scalar> {
  return {
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
}

// What closing it writes.
export function closingFields(winner: UserRef | null, final_price_cents: number | null, closed_at_ms: number) {
  const fields: Record<string, Scalar> = { status: 'closed', closed_at_ms };
  if (winner !== null && final_price_cents !== null) {
    fields['winner'] = winner.id;
    fields['winner_nickname'] = winner.nickname;
    fields['final_price_cents'] = final_price_cents;
  }
  return fields;
}

// What a standing follows from, of the item as it was read.
export function auctionState(info: ItemInfo, bids: readonly BidView[]): AuctionState {
  const { seller, status, start_price_cents, winner, final_price_cents } = info;
  return { seller, status, start_price_cents, winner, final_price_cents, bids };
}
