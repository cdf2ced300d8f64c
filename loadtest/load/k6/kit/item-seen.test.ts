import { expect, it } from 'vitest';
import type { ItemView } from '../../../../apps/rubis/server/api.ts';
import { itemSeen } from './item-seen.ts';

const view = (description: string, live: Partial<ItemView['live']> = {}): ItemView => ({
  item: {
    id: 'i5',
    title: 'A lamp',
    description,
    category_id: 'c',
    region_id: 'r',
    seller: { id: 'u7', nickname: 'seven' },
    start_price_cents: 11,
    opened_at_ms: 1,
    quantity: 3,
  },
  live: {
    id: 'i5',
    status: 'open',
    closes_at_ms: 9,
    price_cents: 1_200,
    bid_count: 4,
    min_next_bid_cents: 1_250,
    top_bids: [{ id: 'b1', amount_cents: 1_200, bidder: { id: 'u8', nickname: 'eight' }, placed_at_ms: 2 }],
    winner: null,
    closed_at_ms: null,
    ended_by: null,
    reserve: 'not_met',
    buy_now: null,
    watchers: 2,
    ...live,
  },
  viewer: { standing: 'outbid', my_bid_cents: 1, my_max_cents: 2, watching: false, bought_quantity: 0, may_comment_on: [] },
  server_time_ms: 3,
});
const SEEN = { id: 'i5', seller_id: 'u7', open: true, price_cents: 1_200, min_next_bid_cents: 1_250, bid_count: 4, left: 0 };

it("reads the JSON's values, whatever text the seller wrote", () => {
  for (const description of [
    '',
    '"live":{"status":"closed","price_cents":1',
    '"seller":{"id":"forged"',
    '\\',
    '\\"live":{',
    'two\nlines',
  ]) {
    expect(itemSeen(JSON.stringify(view(description)))).toEqual(SEEN);
  }
});

it('recognises buyable pieces, and ended auctions', () => {
  expect(itemSeen(JSON.stringify(view('', { buy_now: { price_cents: 9_000, left: 2, withdrawn: false } })))).toEqual({ ...SEEN, left: 2 });
  expect(itemSeen(JSON.stringify(view('', { status: 'closed', ended_by: 'time' })))).toEqual({ ...SEEN, open: false });
});

it('returns null for anything but an auction', () => {
  expect(itemSeen(JSON.stringify({ code: 'unknown_item' }))).toBeNull();
  expect(itemSeen('')).toBeNull();
});
