// What the peers' app server needs of its database. redis-store.ts and postgres-store.ts implement it.
//
// The auctions are plain English ones: each accepted bid is the highest so far, and the price. An auction is closed from its end on, without
// a record of it. Whether a bid comes in time is decided by the database's clock.
import type { BidView, UserRef } from '../../apps/rubis/server/api.ts';

export type Person = { id: string; nickname: string; region_id: string };
export type User = Person & { created_at_ms: number };
export type Account = { person: Person; credentials: string | null };
/** `credentials`: as passwords.ts makes them; null: logging in by a password is impossible */
export type NewUser = { nickname: string; region_id: string; credentials: string | null };

export type NewAuction = {
  title: string;
  description: string;
  category_id: string;
  region_id: string;
  seller: UserRef;
  start_price_cents: number;
  opened_at_ms: number;
  closes_at_ms: number;
};

export type Auction = Omit<NewAuction, 'description'> & {
  id: string;
  /** the highest bid; the start price without bids */
  price_cents: number;
  min_next_bid_cents: number;
  bid_count: number;
  /** who made the highest bid; null: there are no bids */
  leader: UserRef | null;
};
/** `bids`: highest first */
export type ViewedAuction = Auction & { description: string; bids: BidView[]; my_bid_cents: number | null };
/** An auction that a person takes part in. `my_bid`: their highest, and since when it is outbid; null: they have made none. */
export type MyAuction = Auction & { my_bid: { id: string; outbid_at_ms: number | null } | null };

export type NewBid = {
  item_id: string;
  bidder: UserRef;
  amount_cents: number;
  /** the minimum for the bid after it */
  min_next_bid_cents: number;
  /** tells the request from all others; sent again, it is the same bid. Null: not told apart. */
  request: string | null;
};
export type BidRefusal = 'unknown_item' | 'own_item' | 'auction_closed' | 'amount_below_minimum';
/** `min_next_bid_cents`: with `amount_below_minimum` */
export type BidOutcome = { refused: null; bid_id: string } | { refused: BidRefusal; min_next_bid_cents: number };

/** An accepted bid. The counts of an item's bids have no gaps, and its changes come in the order of their counts. */
export type Change = { bid_count: number; min_next_bid_cents: number; bid: BidView };

export interface AuctionStore {
  /** The person's id. Null: the nickname is taken. */
  addUser(user: NewUser): Promise<string | null>;
  account(nickname: string): Promise<Account | null>;
  openSession(token_hash: string, person: Person): Promise<void>;
  person(token_hash: string): Promise<Person | null>;
  /** With their open auctions, ending soonest first, at most LIMITS.page_size. Null: there is no such person. */
  user(user_id: string): Promise<{ user: User; selling: Auction[] } | null>;
  /** The auctions that the person bids on, and those they sold: at most LIMITS.inbox_auctions_max open ones, and as many of each ended. */
  mine(user_id: string): Promise<MyAuction[]>;
  /** Returns its id. */
  openAuction(auction: NewAuction): Promise<string>;
  /** With at most `bids_max` bids, and the highest bid of the viewer. Null: there is no such item. */
  auction(item_id: string, bids_max: number, viewer_id: string | null): Promise<ViewedAuction | null>;
  /** How often its page was opened, this time included. Null: there is no such item. */
  countView(item_id: string): Promise<number | null>;
  bid(bid: NewBid): Promise<BidOutcome>;
  /** Calls back for each bid that is accepted from now on, by whichever app server; once at a time for each item. Returns its end. */
  follow(item_id: string, listener: (change: Change) => void): Promise<() => void>;
  /** Rejects if the database does not answer. */
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

/** The database could not do it now: nothing happened. */
export class Busy extends Error {}

/** A record of a database. */
export type Row = Record<string, string | number | null | undefined>;

export const personOf = ({ id, nickname, region_id }: Row): Person => ({
  id: String(id),
  nickname: String(nickname),
  region_id: String(region_id),
});

/** Its fields have the names of an Auction's, with those of people as `seller_id`, `seller_nickname`. */
export function auctionOf(row: Row): Auction {
  const text = (field: string): string => String(row[field]);
  const number = (field: string): number => Number(row[field]);
  return {
    id: text('id'),
    title: text('title'),
    category_id: text('category_id'),
    region_id: text('region_id'),
    seller: { id: text('seller_id'), nickname: text('seller_nickname') },
    start_price_cents: number('start_price_cents'),
    opened_at_ms: number('opened_at_ms'),
    closes_at_ms: number('closes_at_ms'),
    price_cents: number('price_cents'),
    min_next_bid_cents: number('min_next_bid_cents'),
    bid_count: number('bid_count'),
    leader: row['leader_id'] == null ? null : { id: text('leader_id'), nickname: text('leader_nickname') },
  };
}

export const SESSION_TTL_S = 30 * 24 * 60 * 60;

/** A bid as text: its id, bidder's id and nickname, cents, and time. None of them has a colon. */
export function bidOf(text: string): BidView {
  const [id = '', bidder_id = '', nickname = '', cents, at_ms] = text.split(':');
  return { id, bidder: { id: bidder_id, nickname }, amount_cents: Number(cents), placed_at_ms: Number(at_ms) };
}

/** A change as a message: the count, the next minimum, and the bid. */
export function changeOf(message: string): Change {
  const [count = '', minimum = ''] = message.split(':', 2);
  const bid = bidOf(message.slice(count.length + minimum.length + 2));
  return { bid_count: Number(count), min_next_bid_cents: Number(minimum), bid };
}
