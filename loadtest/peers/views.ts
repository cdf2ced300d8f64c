// The answers' parts, in the site's shapes, derived from what a store reads. Pure functions.
import { LIMITS, type InboxNotice, type ItemCard, type ItemView, type LiveItem, type StandingName } from '../../apps/rubis/server/api.ts';
import type { Auction, MyAuction, ViewedAuction } from './store.ts';

/** Here nobody comments on anybody. */
export const NO_RATING = { count: 0, mean: null, min: null, max: null };

export const isClosed = ({ closes_at_ms }: Auction, now_ms: number): boolean => now_ms >= closes_at_ms;

export function cardOf(auction: Auction, now_ms: number): ItemCard {
  const status = isClosed(auction, now_ms) ? 'closed' : 'open';
  return { ...auction, status, reserve: 'none', buy_now_price_cents: null };
}

export function liveItemOf(auction: ViewedAuction, now_ms: number): LiveItem {
  const { id, closes_at_ms, price_cents, bid_count, min_next_bid_cents, bids, leader } = auction;
  const closed = isClosed(auction, now_ms);
  return {
    id,
    status: closed ? 'closed' : 'open',
    closes_at_ms,
    price_cents,
    bid_count,
    min_next_bid_cents,
    top_bids: bids.slice(0, LIMITS.top_bids_live),
    winner: closed ? leader : null,
    closed_at_ms: closed ? closes_at_ms : null,
    ended_by: closed ? 'time' : null,
    reserve: 'none',
    buy_now: null,
    watchers: 0,
  };
}

export function viewOf(auction: ViewedAuction, viewer_id: string | null, now_ms: number): ItemView {
  const { id, title, description, category_id, region_id, seller, start_price_cents, opened_at_ms, my_bid_cents } = auction;
  const standing = viewer_id === null ? null : standingOf(auction, viewer_id, my_bid_cents !== null, now_ms);
  const mine = { my_bid_cents, my_max_cents: my_bid_cents, watching: false, bought_quantity: 0, may_comment_on: [] };
  return {
    item: { id, title, description, category_id, region_id, seller, start_price_cents, opened_at_ms, quantity: 1 },
    live: liveItemOf(auction, now_ms),
    viewer: viewer_id === null ? null : { standing, ...mine },
    server_time_ms: now_ms,
  };
}

function standingOf(auction: Auction, user_id: string, has_bid: boolean, now_ms: number): StandingName | null {
  const closed = isClosed(auction, now_ms);
  const { seller, leader } = auction;
  if (seller.id === user_id) return !closed ? 'selling' : leader === null ? 'unsold' : 'sold';
  if (!has_bid) return null;
  return leader?.id === user_id ? (closed ? 'won' : 'leading') : closed ? 'lost' : 'outbid';
}

/** What has happened in a person's auctions, newest first. */
export function noticesOf(auctions: readonly MyAuction[], user_id: string, now_ms: number): InboxNotice[] {
  const notices = auctions.flatMap((auction): InboxNotice[] => {
    const { id: item_id, title, price_cents, closes_at_ms, leader, my_bid } = auction;
    const kind = standingOf(auction, user_id, my_bid !== null, now_ms);
    if (kind === null || kind === 'selling' || kind === 'leading' || kind === 'bought') return [];
    const id = `${kind}.${item_id}.${kind === 'outbid' ? my_bid?.id : user_id}`;
    const at_ms = kind === 'outbid' ? (my_bid?.outbid_at_ms ?? now_ms) : closes_at_ms;
    return [{ id, kind, item_id, title, price_cents, quantity: 1, buyer: kind === 'sold' ? leader : null, tied: false, at_ms }];
  });
  return notices.sort((a, b) => b.at_ms - a.at_ms).slice(0, LIMITS.inbox_max);
}
