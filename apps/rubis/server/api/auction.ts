// One auction: view, bid, buy, sell, comment, watch.
import { Type, type Static } from 'typebox';

import { LIMITS } from './limits.ts';
import { BidView, Cents, closed, Id, LiveItem, nullable, StandingName, TimeMs, UserRef } from './common.ts';

// GET /api/items/:item_id
export const ItemView = Type.Object({
  item: Type.Object({
    id: Id,
    title: Type.String(),
    description: Type.String(),
    category_id: Id,
    region_id: Id,
    seller: UserRef,
    start_price_cents: Cents,
    opened_at_ms: TimeMs,
    // pieces on sale at the opening; more than one only with Buy now
    quantity: Type.Integer(),
  }),
  live: LiveItem,
  // null if logged out
  viewer: nullable(
    Type.Object({
      // null: neither seller nor bidder
      standing: nullable(StandingName),
      my_bid_cents: nullable(Cents),
      // their highest maximum; no one else sees it
      my_max_cents: nullable(Cents),
      watching: Type.Boolean(),
      bought_quantity: Type.Integer(),
      // whom the viewer may still comment on, about this sale
      may_comment_on: Type.Array(UserRef),
    }),
  ),
  server_time_ms: TimeMs,
});
export type ItemView = Static<typeof ItemView>;

// GET /public/items/:item_id   the same for everybody, so that caches may keep it while nothing changes it
export const PublicItem = Type.Object({ item: ItemView.properties.item, live: LiveItem });
export type PublicItem = Static<typeof PublicItem>;

// GET /api/items/:item_id/bids   the highest LIMITS.bid_history_max bids, highest first
export const BidHistory = Type.Object({
  item_id: Id,
  title: Type.String(),
  bid_count: Type.Integer(),
  bids: Type.Array(BidView),
  server_time_ms: TimeMs,
});
export type BidHistory = Static<typeof BidHistory>;

// GET /api/items/:item_id/past?at_ms=   the auction as it was at the beginning of that millisecond, with its LIMITS.bid_history_max highest bids
export const PastQuery = Type.Object({ at_ms: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) }, closed);
export const PastItem = Type.Object({
  item_id: Id,
  at_ms: TimeMs,
  status: LiveItem.properties.status,
  price_cents: Cents,
  bid_count: Type.Integer(),
  bids: Type.Array(BidView),
  server_time_ms: TimeMs,
});
export type PastItem = Static<typeof PastItem>;

// POST /api/items/:item_id/bids "Accepted" means that the bid is placed, not that it leads: that is pushed on the live stream. `max_cents`:
// the highest price to bid up to, as little as necessary; omitted: the amount. The leader may raise their maximum with any amount from the
// price up, which leaves the price as it is (price.ts).
export const BidRequest = Type.Object({ amount_cents: Type.Integer(), max_cents: Type.Optional(Type.Integer()) }, closed);
export type BidRequest = Static<typeof BidRequest>;
export const BidAccepted = Type.Object({
  accepted: Type.Literal(true),
  bid_id: Type.String(),
  amount_cents: Cents,
  max_cents: Cents,
  server_time_ms: TimeMs,
});
export type BidAccepted = Static<typeof BidAccepted>;

// POST /api/items/:item_id/buy (201)
export const BuyRequest = Type.Object({ quantity: Type.Integer({ minimum: 1, maximum: LIMITS.quantity_max }) }, closed);
export type BuyRequest = Static<typeof BuyRequest>;
export const Bought = Type.Object({
  purchase_id: Type.String(),
  item_id: Id,
  quantity: Type.Integer(),
  price_cents: Cents, // per piece
  total_cents: Type.Integer(),
  bought_at_ms: TimeMs,
  server_time_ms: TimeMs,
});
export type Bought = Static<typeof Bought>;

// POST /api/items   opens an auction in the seller's region (201)
export const SellRequest = Type.Object(
  {
    title: Type.String({ minLength: LIMITS.title_length_min, maxLength: LIMITS.title_length_max }),
    description: Type.String({ maxLength: LIMITS.description_length_max }),
    category_id: Id,
    start_price_cents: Type.Integer({ minimum: LIMITS.start_price_cents_min, maximum: LIMITS.amount_cents_max }),
    // Pieces; more than one requires a Buy now price. Omitted: 1.
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.quantity_max })),
    // Secret; below it no bid wins; at least the start price. Omitted: none.
    reserve_price_cents: Type.Optional(Type.Integer({ minimum: LIMITS.start_price_cents_min, maximum: LIMITS.amount_cents_max })),
    // Pieces can be bought at once for it; at least the start price and the reserve. Omitted: no Buy now.
    buy_now_price_cents: Type.Optional(Type.Integer({ minimum: LIMITS.start_price_cents_min, maximum: LIMITS.amount_cents_max })),
    duration_minutes: Type.Optional(Type.Integer({ minimum: LIMITS.duration_minutes_min, maximum: LIMITS.duration_minutes_max })),
    // Replaces minutes if the server was started with --auction-seconds-min below 60 (for browser tests).
    duration_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.duration_minutes_max * 60 })),
  },
  closed,
);
export type SellRequest = Static<typeof SellRequest>;
export const ItemOpened = Type.Object({ item_id: Id, closes_at_ms: TimeMs });
export type ItemOpened = Static<typeof ItemOpened>;

// POST /api/items/:item_id/comments the winner and each buyer on the seller, the seller on each of them, each once (201). Buyers and their
// seller need not wait for the auction's end.
export const CommentRequest = Type.Object(
  {
    // Required only if the seller could mean more than one person.
    about_user_id: Type.Optional(Id),
    rating: Type.Integer({ minimum: LIMITS.rating_min, maximum: LIMITS.rating_max }),
    text: Type.String({ minLength: LIMITS.comment_length_min, maxLength: LIMITS.comment_length_max }),
  },
  closed,
);
export type CommentRequest = Static<typeof CommentRequest>;
export const CommentStored = Type.Object({ comment_id: Type.String(), about: UserRef });
export type CommentStored = Static<typeof CommentStored>;

// PUT, DELETE /api/items/:item_id/watch no body; idempotent
export const WatchAnswer = Type.Object({ watching: Type.Boolean(), watchers: Type.Integer() });
export type WatchAnswer = Static<typeof WatchAnswer>;

// POST /api/items/:item_id/views no body; the page was opened. `views`: how often, this time included
export const ItemViews = Type.Object({ views: Type.Integer() });
export type ItemViews = Static<typeof ItemViews>;
