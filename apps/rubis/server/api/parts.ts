// What several answers are made of: people, bids, auctions as they stand, standings, ratings and comments.
import { Type, type Static, type TSchema } from 'typebox';

import { LIMITS } from './limits.ts';

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
// Of requests: fields that are not named are refused.
export const closed = { additionalProperties: false } as const;

export const Id = Type.String({ pattern: '^[0-9A-Za-z_.-]{1,64}$' });
export const Cents = Type.Integer({ minimum: 0, maximum: LIMITS.amount_cents_max });
export const TimeMs = Type.Integer({ minimum: 0 });

export const UserRef = Type.Object({ id: Id, nickname: Type.String() });
export type UserRef = Static<typeof UserRef>;

export const ItemStatus = Type.Union([Type.Literal('open'), Type.Literal('closed')]);
export type ItemStatus = Static<typeof ItemStatus>;

// Whether the bids have reached the price below which the seller keeps the item; that price itself is never told.
export const Reserve = Type.Union([Type.Literal('none'), Type.Literal('not_met'), Type.Literal('met')]);
export type Reserve = Static<typeof Reserve>;

export const EndedBy = Type.Union([Type.Literal('time'), Type.Literal('sold_out')]);
export type EndedBy = Static<typeof EndedBy>;

export const BidView = Type.Object({
  id: Type.String(),
  // What everybody may know of it: never more than the price.
  amount_cents: Cents,
  bidder: UserRef,
  placed_at_ms: TimeMs,
});
export type BidView = Static<typeof BidView>;

// What changes while people look at an auction. The live stream sends exactly this.
export const LiveItem = Type.Object({
  id: Id,
  // An auction past `closes_at_ms` is `open` until it has been settled, a moment later; bids are refused from then on.
  status: ItemStatus,
  closes_at_ms: TimeMs,
  // What the leader would pay now (server/price.ts), or the start price while nobody bids; once closed, what the winner pays.
  price_cents: Cents,
  bid_count: Type.Integer(),
  // The least that a bid must be now.
  min_next_bid_cents: Type.Integer(),
  // Highest first, at most LIMITS.top_bids_live; the first one leads. Equal amounts: the earlier leads.
  top_bids: Type.Array(BidView),
  // null while open, and when no bid won: there was none, the reserve was not met, or all was bought
  winner: nullable(UserRef),
  closed_at_ms: nullable(TimeMs),
  // null while open
  ended_by: nullable(EndedBy),
  reserve: Reserve,
  // null: pieces cannot be bought. `left`: pieces that nobody has bought or won yet. `withdrawn`: the price has reached the
  // Buy-now price, and purchases are refused from then on (server/price.ts).
  buy_now: nullable(Type.Object({ price_cents: Cents, left: Type.Integer(), withdrawn: Type.Boolean() })),
  // how many people watch it
  watchers: Type.Integer(),
});
export type LiveItem = Static<typeof LiveItem>;

// One tile of a list.
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
  // null: pieces cannot be bought, or no longer
  buy_now_price_cents: nullable(Cents),
});
export type ItemCard = Static<typeof ItemCard>;

// How a person stands in an auction they take part in.
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
  // Their highest bid; null when it is not among the highest LIMITS.bid_history_max (GET /api/me knows it), and for the seller.
  my_bid_cents: nullable(Cents),
  // Up to what it goes; told to nobody else.
  my_max_cents: nullable(Cents),
  min_next_bid_cents: Type.Integer(),
  bid_count: Type.Integer(),
  closes_at_ms: TimeMs,
});
export type Standing = Static<typeof Standing>;

export const RatingSummary = Type.Object({
  count: Type.Integer(),
  // of ratings from -5 to 5; null while there is none
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
  // What this author gave, -5 to 5.
  rating: Type.Integer(),
  text: Type.String(),
  created_at_ms: TimeMs,
});
export type CommentView = Static<typeof CommentView>;

export const ItemParams = Type.Object({ item_id: Id });
export type ItemParams = Static<typeof ItemParams>;
export const UserParams = Type.Object({ user_id: Id });
