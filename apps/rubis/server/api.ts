// The HTTP interface of the auction site: every request, response, error and live event, once.
//
// The server validates and serializes with these schemas; the browser takes the types (`import type`). All money is in
// integer cents, all times are milliseconds since 1970 by the server's clock, all ids are opaque text. `null` means
// "there is none"; no field is ever left out. API.md beside this file lists the routes.
import { Type, type Static, type TSchema } from 'typebox';

export const LIMITS = {
  nickname_length_min: 3,
  nickname_length_max: 20,
  password_length_min: 8,
  password_length_max: 128,
  title_length_min: 3,
  title_length_max: 80,
  description_length_max: 4_000,
  comment_length_min: 1,
  comment_length_max: 500,
  rating_min: -5,
  rating_max: 5,
  // $10,000,000
  amount_cents_max: 1_000_000_000,
  start_price_cents_min: 1,
  duration_minutes_min: 1,
  duration_minutes_max: 7 * 24 * 60,
  page_size: 20,
  search_length_max: 80,
  search_words_max: 6,
  // The highest bids of an auction that its pages show.
  bid_history_max: 50,
  top_bids_live: 10,
  // Items that one live stream may follow by name, and items of one's own followed beside them.
  live_items_max: 40,
  live_own_items_max: 100,
  comments_shown_max: 50,
  my_items_max: 100,
  // Won, bought and sold on one's own page reach back so long.
  my_items_days: 30,
  quantity_max: 10,
  watching_max: 200,
  inbox_max: 100,
} as const;

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const closed = { additionalProperties: false } as const;

// ---- Parts ---------------------------------------------------------------------------------------------------------------

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
  // null: pieces cannot be bought. `left`: pieces that nobody has bought or won yet.
  buy_now: nullable(Type.Object({ price_cents: Cents, left: Type.Integer() })),
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
  // null: pieces cannot be bought
  buy_now_price_cents: nullable(Cents),
});
export type ItemCard = Static<typeof ItemCard>;

// How a person stands in an auction they take part in.
export const StandingName = Type.Union([
  Type.Literal('leading'),
  Type.Literal('outbid'),
  Type.Literal('won'),
  Type.Literal('lost'),
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
  // Their highest bid; null when it is not among the highest LIMITS.bid_history_max, and for the seller.
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

// ---- Errors: application/problem+json ------------------------------------------------------------------------------------

export const ERROR_STATUS = {
  // the request
  invalid_input: 400, // `field` names what is wrong
  amount_not_a_number: 400,
  amount_too_large: 400,
  amount_below_minimum: 409, // `min_next_bid_cents` tells the least
  max_below_amount: 400,
  max_not_raised: 409, // who leads may raise their maximum, not lower it
  reserve_below_start: 400,
  buy_now_too_low: 400, // below the start price or the reserve
  quantity_needs_buy_now: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_cursor: 400,
  // the person
  not_logged_in: 401,
  wrong_credentials: 401,
  too_many_attempts: 429, // Retry-After
  csrf_missing: 403, // no CSRF_HEADER, or another site's Origin
  nickname_taken: 409,
  // the thing
  unknown_route: 404,
  unknown_item: 404,
  unknown_user: 404,
  unknown_category: 404,
  unknown_region: 404,
  auction_closed: 409,
  auction_open: 409, // comments come after the end
  own_item: 403,
  no_buy_now: 409, // its pieces cannot be bought
  sold_out: 409,
  not_enough_left: 409, // `left` tells how many
  purchase_id_taken: 409, // by another purchase, or another person's
  watch_list_full: 409,
  not_a_party: 403, // only the seller and who won or bought comment on each other
  about_missing: 400, // more than one person could be meant
  already_commented: 409,
  // the site
  busy: 503, // the store could not do it now: nothing happened, try again; Retry-After
  overloaded: 503, // more requests came than this server can serve: nothing happened, try again; Retry-After
  outcome_unknown: 503, // the answer was lost on the way: look before trying again
  too_many_streams: 503,
  internal: 500,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export const Problem = Type.Object({
  type: Type.String(), // '/problems/<code>'
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String(),
  // One friendly sentence for the page.
  detail: Type.String(),
  field: Type.Optional(Type.String()),
  min_next_bid_cents: Type.Optional(Type.Integer()),
  left: Type.Optional(Type.Integer()),
  retry_after_s: Type.Optional(Type.Integer()),
});
export type Problem = Omit<Static<typeof Problem>, 'code'> & { code: ErrorCode };

// ---- Routes --------------------------------------------------------------------------------------------------------------

// GET /api/catalogue: changes only with a release.
export const Category = Type.Object({ id: Id, name: Type.String(), group: Type.String() });
export type Category = Static<typeof Category>;
export const Region = Type.Object({ id: Id, name: Type.String(), state: Type.String() });
export type Region = Static<typeof Region>;
export const Catalogue = Type.Object({
  categories: Type.Array(Category), // 40; two share each `group`
  regions: Type.Array(Region), // 62
  // A bid raises the price by at least `increment_cents` while the price is below `below_cents` (null: any higher).
  increments: Type.Array(Type.Object({ below_cents: nullable(Type.Integer()), increment_cents: Type.Integer() })),
  // Accounts that anybody may try the site with; empty when the data set without them is loaded.
  demo_accounts: Type.Array(Type.Object({ nickname: Type.String(), password: Type.String() })),
});
export type Catalogue = Static<typeof Catalogue>;

// GET /api/session
export const Session = Type.Object({
  user: nullable(Type.Object({ id: Id, nickname: Type.String(), region_id: Id })),
  // where this cluster can be watched at work; null: nowhere
  dashboard_url: nullable(Type.String()),
  server_time_ms: TimeMs,
});
export type Session = Static<typeof Session>;

// POST /api/register, answers Session (201) and sets the cookie
export const Nickname = Type.String({
  minLength: LIMITS.nickname_length_min,
  maxLength: LIMITS.nickname_length_max,
  pattern: '^[A-Za-z][A-Za-z0-9_]*$',
});
export const RegisterRequest = Type.Object(
  {
    nickname: Nickname,
    password: Type.String({ minLength: LIMITS.password_length_min, maxLength: LIMITS.password_length_max }),
    region_id: Id,
  },
  closed,
);
export type RegisterRequest = Static<typeof RegisterRequest>;

// POST /api/login, answers Session and sets the cookie. POST /api/logout: no body, answers Session.
export const LoginRequest = Type.Object(
  {
    nickname: Type.String({ minLength: 1, maxLength: LIMITS.nickname_length_max }),
    password: Type.String({ minLength: 1, maxLength: LIMITS.password_length_max }),
  },
  closed,
);
export type LoginRequest = Static<typeof LoginRequest>;

// GET /api/items?category=&region=&cursor=   open auctions, ending soonest first; all parameters optional
export const BrowseQuery = Type.Object(
  {
    category: Type.Optional(Id),
    region: Type.Optional(Id),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
);
export type BrowseQuery = Static<typeof BrowseQuery>;

// GET /api/popular   how many auctions are open in each category, most first; the counts may be some seconds old
export const Popular = Type.Object({
  categories: Type.Array(Type.Object({ category_id: Id, open_count: Type.Integer() })),
  server_time_ms: TimeMs,
});
export type Popular = Static<typeof Popular>;

// GET /api/search?q=&cursor=   open auctions whose titles have all the words, ending soonest first
export const SearchQuery = Type.Object(
  {
    q: Type.String({ maxLength: LIMITS.search_length_max }),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
);
export type SearchQuery = Static<typeof SearchQuery>;

export const ItemPage = Type.Object({
  items: Type.Array(ItemCard),
  // pass it on as `cursor`; null on the last page
  next_cursor: nullable(Type.String()),
  // auctions open in this category and region; null for a search
  total: nullable(Type.Integer()),
  server_time_ms: TimeMs,
});
export type ItemPage = Static<typeof ItemPage>;

export const ItemParams = Type.Object({ item_id: Id });
export type ItemParams = Static<typeof ItemParams>;
export const UserParams = Type.Object({ user_id: Id });

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
    // pieces on sale when it was opened; more than one only where they can be bought
    quantity: Type.Integer(),
  }),
  live: LiveItem,
  // null when nobody is logged in
  viewer: nullable(
    Type.Object({
      // null: neither seller nor bidder
      standing: nullable(StandingName),
      my_bid_cents: nullable(Cents),
      // up to what it goes; told to nobody else
      my_max_cents: nullable(Cents),
      watching: Type.Boolean(),
      bought_quantity: Type.Integer(),
      // whom the viewer may still leave a comment on, about this sale
      may_comment_on: Type.Array(UserRef),
    }),
  ),
  server_time_ms: TimeMs,
});
export type ItemView = Static<typeof ItemView>;

// GET /api/items/:item_id/bids   the highest LIMITS.bid_history_max bids, highest first
export const BidHistory = Type.Object({
  item_id: Id,
  title: Type.String(),
  bid_count: Type.Integer(),
  bids: Type.Array(BidView),
  server_time_ms: TimeMs,
});
export type BidHistory = Static<typeof BidHistory>;

// POST /api/items/:item_id/bids   Accepted says that the bid stands, not that it leads: that is pushed on the live stream.
// `max_cents`: bid for me, as little as it takes, up to that; left out: the amount. Who leads may raise their maximum with
// any amount from the price up, which leaves the price as it is (price.ts).
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

// POST /api/items/:item_id/buy   201; 200 where it is the same purchase again, which is answered as it was and applied once
export const BuyRequest = Type.Object(
  {
    // Chosen by the page, new for each purchase: a UUID, or anything as unlikely to be chosen twice.
    purchase_id: Type.String({ pattern: '^[0-9A-Za-z-]{16,40}$' }),
    quantity: Type.Integer({ minimum: 1, maximum: LIMITS.quantity_max }),
  },
  closed,
);
export type BuyRequest = Static<typeof BuyRequest>;
export const Bought = Type.Object({
  purchase_id: Type.String(),
  item_id: Id,
  quantity: Type.Integer(),
  price_cents: Cents, // of one piece
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
    // Pieces; more than one only with a price to buy at. Left out: 1.
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.quantity_max })),
    // Below it no bid wins; secret; at least the start price. Left out: there is none.
    reserve_price_cents: Type.Optional(Type.Integer({ minimum: LIMITS.start_price_cents_min, maximum: LIMITS.amount_cents_max })),
    // Pieces can be bought for it at once; at least the start price and the reserve. Left out: they cannot.
    buy_now_price_cents: Type.Optional(Type.Integer({ minimum: LIMITS.start_price_cents_min, maximum: LIMITS.amount_cents_max })),
    duration_minutes: Type.Optional(
      Type.Integer({ minimum: LIMITS.duration_minutes_min, maximum: LIMITS.duration_minutes_max }),
    ),
    // Instead of minutes, where the server was started with --auction-seconds-min below 60 (browser tests are).
    duration_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.duration_minutes_max * 60 })),
  },
  closed,
);
export type SellRequest = Static<typeof SellRequest>;
export const ItemOpened = Type.Object({ item_id: Id, closes_at_ms: TimeMs });
export type ItemOpened = Static<typeof ItemOpened>;

// POST /api/items/:item_id/comments   the winner and each buyer on the seller, the seller on each of them, each once (201).
// Buyers and their seller need not wait for the auction's end.
export const CommentRequest = Type.Object(
  {
    // Needed only where the seller could mean more than one.
    about_user_id: Type.Optional(Id),
    rating: Type.Integer({ minimum: LIMITS.rating_min, maximum: LIMITS.rating_max }),
    text: Type.String({ minLength: LIMITS.comment_length_min, maxLength: LIMITS.comment_length_max }),
  },
  closed,
);
export type CommentRequest = Static<typeof CommentRequest>;
export const CommentStored = Type.Object({ comment_id: Type.String(), about: UserRef });
export type CommentStored = Static<typeof CommentStored>;

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

// PUT, DELETE /api/items/:item_id/watch   no body; doing it twice is doing it once
export const WatchAnswer = Type.Object({ watching: Type.Boolean(), watchers: Type.Integer() });
export type WatchAnswer = Static<typeof WatchAnswer>;

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
  // Of one's own auctions: who bought or won pieces, newest first. Empty for others'.
  sales: Type.Array(Sale),
  // whom one may still leave a comment on, about this sale
  may_comment_on: Type.Array(UserRef),
});
export type MyEntry = Static<typeof MyEntry>;
export const Purchase = Type.Object({
  purchase_id: Type.String(),
  item: ItemCard,
  quantity: Type.Integer(),
  price_cents: Cents, // of one piece
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

// GET /api/me/inbox   what has happened in the auctions one takes part in, newest first, at most LIMITS.inbox_max. It is read
// from the auctions themselves: an auction that one leads again is no longer listed as outbid.
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
  // what the live notice of the same has
  id: Type.String(),
  kind: InboxKind,
  item_id: Id,
  title: Type.String(),
  // outbid: what it costs now; bought and sold: of one piece; else the price at the end
  price_cents: Cents,
  // pieces bought or sold; 1 else
  quantity: Type.Integer(),
  // who bought or won what one sold; null else
  buyer: nullable(UserRef),
  at_ms: TimeMs,
});
export type InboxNotice = Static<typeof InboxNotice>;
export const Inbox = Type.Object({
  notices: Type.Array(InboxNotice),
  unread: Type.Integer(), // of the notices listed
  seen_until_ms: TimeMs, // 0: never opened
  server_time_ms: TimeMs,
});
export type Inbox = Static<typeof Inbox>;

// POST /api/me/inbox/seen   all up to that time has been read; an earlier time changes nothing
export const InboxSeenRequest = Type.Object({ until_ms: Type.Integer({ minimum: 0 }) }, closed);
export type InboxSeenRequest = Static<typeof InboxSeenRequest>;
export const InboxSeen = Type.Object({ seen_until_ms: TimeMs, server_time_ms: TimeMs });
export type InboxSeen = Static<typeof InboxSeen>;

// ---- Live: GET /api/live?items=<id>,<id>,...   text/event-stream ------------------------------------------------------------
//
// One EventSource per page. `items` are the auctions the page shows (at most LIMITS.live_items_max, may be left out); a
// logged-in person's own standings and notices come on the same stream. Each event's `data` is one JSON object as below;
// its `event` is the name. Event ids are the server's time in ms: after a reconnect (Last-Event-ID) every state is sent
// again, and the notices that were missed. A viewer that reads slowly gets the newest states, not every one.

export const LiveQuery = Type.Object({ items: Type.Optional(Type.String({ maxLength: 4_000 })) }, closed);

// event: hello, first on every connection. Items named in the query that do not exist are in `unknown_items`.
export type LiveHello = { server_time_ms: number; user: UserRef | null; items: string[]; unknown_items: string[] };
// event: item, at once for every item and after each change
export type LiveItemEvent = { server_time_ms: number; item: LiveItem };
// event: standing, at once for each auction the person takes part in and that has not ended, and after each change
export type LiveStandingEvent = { server_time_ms: number; standing: Standing };
// event: notice, once, when it happens
export type LiveNotice = {
  server_time_ms: number;
  // the same notice has the same id, also after a reconnect
  id: string;
  kind: 'outbid' | 'won' | 'lost' | 'sold' | 'unsold';
  item_id: string;
  title: string;
  price_cents: number;
  min_next_bid_cents: number;
  at_ms: number;
};
// event: connection, when the store cannot be reached (what was sent may be old) and when it can again
export type LiveConnection = { server_time_ms: number; connected: boolean };

export type LiveEvents = {
  hello: LiveHello;
  item: LiveItemEvent;
  standing: LiveStandingEvent;
  notice: LiveNotice;
  connection: LiveConnection;
};
