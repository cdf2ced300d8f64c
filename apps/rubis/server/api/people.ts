// One person: as others see them, and as they see themselves.
import { Type, type Static } from 'typebox';

import { Cents, closed, CommentView, Id, ItemCard, nullable, RatingSummary, StandingName, TimeMs, UserRef } from './common.ts';

// GET /api/users/:user_id
export const UserView = Type.Object({
  user: Type.Object({ id: Id, nickname: Type.String(), region_id: Id, created_at_ms: TimeMs }),
  rating: RatingSummary,
  // newest first, at most LIMITS.comments_shown_max
  comments: Type.Array(CommentView),
  // open auctions, ending soonest first, at most LIMITS.page_size
  selling: Type.Array(ItemCard),
  server_time_ms: TimeMs,
});
export type UserView = Static<typeof UserView>;

// GET /api/me   each list at most LIMITS.my_items_max (watching: LIMITS.watching_max)
export const Sale = Type.Object({ buyer: UserRef, quantity: Type.Integer(), total_cents: Type.Integer(), at_ms: TimeMs });
export type Sale = Static<typeof Sale>;
export const MyEntry = Type.Object({
  item: ItemCard,
  // null: only watched
  standing: nullable(StandingName),
  my_bid_cents: nullable(Cents),
  my_max_cents: nullable(Cents),
  min_next_bid_cents: Type.Integer(),
  winner: nullable(UserRef),
  // For one's own auctions: the buyers and winner of pieces, newest first. Empty for others' auctions.
  sales: Type.Array(Sale),
  // whom one may still comment on, about this sale
  may_comment_on: Type.Array(UserRef),
});
export type MyEntry = Static<typeof MyEntry>;
export const Purchase = Type.Object({
  purchase_id: Type.String(),
  item: ItemCard,
  quantity: Type.Integer(),
  price_cents: Cents, // per piece
  total_cents: Type.Integer(),
  bought_at_ms: TimeMs,
  may_comment_on: Type.Array(UserRef),
});
export type Purchase = Static<typeof Purchase>;
export const MyPage = Type.Object({
  user: Type.Object({ id: Id, nickname: Type.String(), region_id: Id, created_at_ms: TimeMs }),
  rating: RatingSummary,
  bidding: Type.Array(MyEntry), // open, ending soonest first: leading or outbid
  won: Type.Array(MyEntry), // newest first, LIMITS.my_items_days
  bought: Type.Array(Purchase), // newest first, LIMITS.my_items_days
  lost: Type.Array(MyEntry), // newest first
  selling: Type.Array(MyEntry), // open, ending soonest first
  sold: Type.Array(MyEntry), // newest first, LIMITS.my_items_days: sold or unsold
  watching: Type.Array(MyEntry), // open ones, ending soonest first; then those that have ended, newest first
  comments: Type.Array(CommentView),
  server_time_ms: TimeMs,
});
export type MyPage = Static<typeof MyPage>;

// GET /api/me/inbox?unread= with unread=1 only notices newer than `seen_until_ms`, which costs little: the bell requests it on every page.
export const InboxQuery = Type.Object({ unread: Type.Optional(Type.Literal('1')) });
export type InboxQuery = Static<typeof InboxQuery>;

// What has happened in the auctions that one takes part in, newest first, at most LIMITS.inbox_max. It is derived from the auctions: an
// auction that one leads again is no longer listed as outbid.
export const InboxKind = Type.Union([
  Type.Literal('outbid'),
  Type.Literal('won'),
  Type.Literal('lost'),
  Type.Literal('bought'),
  Type.Literal('sold'), // to the winner at the end, or a purchase
  Type.Literal('unsold'),
]);
export type InboxKind = Static<typeof InboxKind>;
export const InboxNotice = Type.Object({
  // the id of the live notice of the same event
  id: Type.String(),
  kind: InboxKind,
  item_id: Id,
  title: Type.String(),
  // outbid: the present price; bought and sold: per piece; otherwise the final price
  price_cents: Cents,
  // pieces bought or sold; otherwise 1
  quantity: Type.Integer(),
  // the buyer or winner of one's own item; otherwise null
  buyer: nullable(UserRef),
  // outbid, lost: an earlier bid had the same maximum
  tied: Type.Boolean(),
  at_ms: TimeMs,
});
export type InboxNotice = Static<typeof InboxNotice>;
export const Inbox = Type.Object({
  notices: Type.Array(InboxNotice),
  unread: Type.Integer(), // of the notices listed; from LIMITS.unread_counted_max on there may be more
  seen_until_ms: TimeMs, // 0: never opened
  server_time_ms: TimeMs,
});
export type Inbox = Static<typeof Inbox>;

// POST /api/me/inbox/seen everything up to that time has been read; an earlier time changes nothing
export const InboxSeenRequest = Type.Object({ until_ms: Type.Integer({ minimum: 0 }) }, closed);
export type InboxSeenRequest = Static<typeof InboxSeenRequest>;
export const InboxSeen = Type.Object({ seen_until_ms: TimeMs, server_time_ms: TimeMs });
export type InboxSeen = Static<typeof InboxSeen>;
