// Types shared by several answers: people, bids, auctions, standings, ratings and comments.
import { Type, type Static, type TSchema } from 'typebox';

import { LIMITS } from './limits.ts';

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
// For requests: unknown fields are refused.
export const closed = { additionalProperties: false } as const;

export const Id = Type.String({ pattern: '^[0-9A-Za-z_.-]{1,64}$' });
export const Cents = Type.Integer({ minimum: 0, maximum: LIMITS.amount_cents_max });
export const TimeMs = Type.Integer({ minimum: 0 });

export const UserRef = Type.Object({ id: Id, nickname: Type.String() });
export type UserRef = Static<typeof UserRef>;

export const ItemStatus = Type.Union([Type.Literal('open'), Type.Literal('closed')]);
export type ItemStatus = Static<typeof ItemStatus>;

// Whether the bids have reached the reserve price, below which the seller keeps the item; the price itself stays secret.
export const Reserve = Type.Union([Type.Literal('none'), Type.Literal('not_met'), Type.Literal('met')]);
export type Reserve = Static<typeof Reserve>;

export const EndedBy = Type.Union([Type.Literal('time'), Type.Literal('sold_out')]);
export type EndedBy = Static<typeof EndedBy>;

export const BidView = Type.Object({
  id: Type.String(),
  // the public part of the bid: never more than the price
  amount_cents: Cents,
  bidder: UserRef,
  placed_at_ms: TimeMs,
});
export type BidView = Static<typeof BidView>;

// The live state of an auction. The live stream sends exactly this object.
export const LiveItem = Type.Object({
  id: Id,
  // An auction past `closes_at_ms` stays `open` until it is settled, a moment later; bids are refused from then on.
  status: ItemStatus,
  closes_at_ms: TimeMs,
  // What the leader would pay now (server/price.ts), or the start price without bids; once closed, what the winner pays.
  price_cents: Cents,
  bid_count: Type.Integer(),
  // the minimum for the next bid
  min_next_bid_cents: Type.Integer(),
  // Highest first, at most LIMITS.top_bids_live; the first one leads. Of equal amounts the earlier leads.
  top_bids: Type.Array(BidView),
  // null while open, and if no bid won: no bids, reserve not met, or all pieces bought
  winner: nullable(UserRef),
  closed_at_ms: nullable(TimeMs),
  // null while open
  ended_by: nullable(EndedBy),
  reserve: Reserve,
  // null: no Buy now. `left`: pieces neither bought nor won yet. `withdrawn`: the price has reached the Buy now price, and purchases are
  // refused from then on (server/price.ts).
  buy_now: nullable(Type.Object({ price_cents: Cents, left: Type.Integer(), withdrawn: Type.Boolean() })),
  // the number of people who watch it
  watchers: Type.Integer(),
});
export type LiveItem = Static<typeof LiveItem>;

// one card of a list
export const ItemCard = Type.Object({
  id: Id,
  title: Type.String(),
  category_id: Id,
  region_id: Id,
  seller: UserRef,
  status: ItemStatus,
  start_price_cents: Cents,
  price_cents: Cents,
  bid_count: Type.Integer(),
  opened_at_ms: TimeMs,
  closes_at_ms: TimeMs,
  reserve: Reserve,
  // null: no Buy now, or withdrawn
  buy_now_price_cents: nullable(Cents),
});
export type ItemCard = Static<typeof ItemCard>;

// A person's standing in an auction that they take part in.
export const StandingName = Type.Union([
  Type.Literal('leading'),
  Type.Literal('outbid'),
  Type.Literal('won'),
  Type.Literal('lost'),
  Type.Literal('bought'), // ended; they bought pieces and did not win
  Type.Literal('selling'),
  Type.Literal('sold'),
  Type.Literal('unsold'),
]);
export type StandingName = Static<typeof StandingName>;

export const Standing = Type.Object({
  item_id: Id,
  title: Type.String(),
  standing: StandingName,
  price_cents: Cents,
  // Their highest bid; null if it is not among the highest LIMITS.bid_history_max (GET /api/me has it), and for the seller.
  my_bid_cents: nullable(Cents),
  // their highest maximum; no one else sees it
  my_max_cents: nullable(Cents),
  min_next_bid_cents: Type.Integer(),
  bid_count: Type.Integer(),
  closes_at_ms: TimeMs,
});
export type Standing = Static<typeof Standing>;

export const RatingSummary = Type.Object({
  count: Type.Integer(),
  // the mean of the ratings, -5 to 5; null if there are none
  mean: nullable(Type.Number()),
  min: nullable(Type.Integer()),
  max: nullable(Type.Integer()),
});
export type RatingSummary = Static<typeof RatingSummary>;

export const CommentView = Type.Object({
  id: Type.String(),
  from: UserRef,
  item_id: Id,
  item_title: Type.String(),
  // the author's rating, -5 to 5
  rating: Type.Integer(),
  text: Type.String(),
  created_at_ms: TimeMs,
});
export type CommentView = Static<typeof CommentView>;

export const ItemParams = Type.Object({ item_id: Id });
export type ItemParams = Static<typeof ItemParams>;
export const UserParams = Type.Object({ user_id: Id });
