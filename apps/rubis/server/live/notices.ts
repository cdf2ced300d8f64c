// Notices: events in an auction for a person who takes part in it, found by comparing their earlier with their present standing.
//
// After a reconnect the earlier standing is not known, but it follows from the auction: the times of the bids determine who led at the time
// of the last event. So app servers keep no state, and a notice missed during a disconnection is still sent.
import { LIMITS, type LiveNotice, type Standing, type StandingName } from '../api.ts';
import { currentPrice, isTied, leaderAt, minNextBidOf, noticeId, outbidAt, ownBid, saleNoticeId, standingOf } from '../standing.ts';
import { boughtQuantity, type SoldPieces } from '../actions/sale.ts';
import type { SeenAuction } from './items.ts';

export function standingEntry(auction: SeenAuction, user_id: string): Standing | null {
  const standing = standingNow(auction, user_id);
  if (standing === null) return null;
  return {
    item_id: auction.item_id,
    title: auction.info.title,
    standing,
    price_cents: currentPrice(auction),
    ...ownBid(auction, user_id),
    min_next_bid_cents: minNextBidOf(auction),
    bid_count: auction.bid_count,
    closes_at_ms: auction.info.closes_at_ms,
  };
}

function standingNow(auction: SeenAuction, user_id: string): StandingName | null {
  return standingOf(auction, user_id, { bidder: true, bought_quantity: boughtQuantity(auction, user_id) });
}

// The person's standing at an earlier time, according to the auction's present bids; null: they took no part yet.
export function standingAt(auction: SeenAuction, user_id: string, time_ms: number): StandingName | null {
  const { closed_at_ms } = auction.info;
  if (closed_at_ms !== null && closed_at_ms <= time_ms) return standingNow(auction, user_id);
  if (auction.info.seller.id === user_id) return 'selling';
  if (leaderAt(auction.bids, time_ms)?.id === user_id) return 'leading';
  const mine = auction.bids.filter((bid) => bid.bidder.id === user_id);
  // Their bids are too low to be among the auction's bids: nothing new.
  if (mine.length === 0 && auction.bids.length >= LIMITS.bid_history_max) return 'outbid';
  return mine.some((bid) => bid.placed_at_ms <= time_ms) ? 'outbid' : null;
}

// The notice for a change of standing; null: none. `before` null: they had not taken part.
export function noticeFor(
  auction: SeenAuction,
  user_id: string,
  before: StandingName | null,
  after: StandingName,
  now_ms: number,
): LiveNotice | null {
  const kind = kindOf(before, after);
  if (kind === null) return null;
  return {
    server_time_ms: now_ms,
    id: noticeId(auction, user_id, kind),
    kind,
    item_id: auction.item_id,
    title: auction.info.title,
    price_cents: currentPrice(auction),
    min_next_bid_cents: minNextBidOf(auction),
    tied: (kind === 'outbid' || kind === 'lost') && isTied(auction, user_id),
    at_ms: (kind === 'outbid' ? outbidAt(auction.bids, user_id) : auction.info.closed_at_ms) ?? now_ms,
  };
}

// the seller's notice of a purchase
export function saleNotice(auction: SeenAuction, { purchase_id, bought_at_ms }: SoldPieces, now_ms: number): LiveNotice {
  return {
    server_time_ms: now_ms,
    id: saleNoticeId(auction.item_id, purchase_id),
    kind: 'sold',
    item_id: auction.item_id,
    title: auction.info.title,
    price_cents: auction.info.buy_now_price_cents ?? 0,
    min_next_bid_cents: minNextBidOf(auction),
    tied: false,
    at_ms: bought_at_ms,
  };
}

// A bid that never led is outbid from the start, which is a notice as well.
function kindOf(before: StandingName | null, after: StandingName): LiveNotice['kind'] | null {
  if (before === after) return null;
  if (after === 'outbid' || after === 'won' || after === 'lost' || after === 'sold' || after === 'unsold') return after;
  return null;
}
