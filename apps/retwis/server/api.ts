// The HTTP interface of the timelines site: every request, response, error and live event, once.
//
// The server validates and serializes with these schemas; the browser takes the types (`import type`). All times are
// milliseconds since 1970 by the server's clock, all ids are opaque text. `null` means "there is none"; no field is ever
// left out. API.md beside this file lists the routes.
import { Type, type Static, type TSchema } from 'typebox';

export const API_PREFIX = '/api';

export const LIMITS = {
  username_length_min: 3,
  username_length_max: 20,
  password_length_min: 8,
  password_length_max: 128,
  /** characters as people count them: grapheme clusters */
  text_graphemes_max: 280,
  /** some characters take many bytes */
  text_bytes_max: 4_096,
  page_size: 20,
  people_page_size: 30,
  /** newest entries that a live stream tells of a timeline, and of the posts of everybody */
  live_entries_max: 50,
  /** posts and people that one live stream may follow by name */
  live_posts_max: 60,
  live_users_max: 20,
  trending_max: 20,
} as const;

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const closed = { additionalProperties: false } as const;

// ---- Parts ---------------------------------------------------------------------------------------------------------------

export const Id = Type.String({ pattern: '^[0-9A-Za-z_.~-]{1,128}$' });
export const Username = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_]*$',
  minLength: LIMITS.username_length_min,
  maxLength: LIMITS.username_length_max,
});
export const TimeMs = Type.Integer({ minimum: 0 });
const Cursor = Type.Optional(Type.String({ maxLength: 200 }));

/** A person as others see them on a post. Usernames never change. */
export const UserRef = Type.Object({ id: Id, username: Type.String() });
export type UserRef = Static<typeof UserRef>;

export const PostView = Type.Object({
  id: Id,
  author: UserRef,
  /** plain text; lines end with \n */
  text: Type.String(),
  posted_at_ms: TimeMs,
  reposts: Type.Integer(),
  /** has the viewer reposted it? */
  reposted: Type.Boolean(),
});
export type PostView = Static<typeof PostView>;

/** A place on a timeline: a post, there because its author wrote it or because somebody reposted it. */
export const Entry = Type.Object({
  id: Id,
  /** when it came there: the time of the post, or of the repost */
  at_ms: TimeMs,
  reposted_by: nullable(UserRef),
  post: PostView,
});
export type Entry = Static<typeof Entry>;

/** Newest first. A post stands on a page once, where it came last. */
export const EntryPage = Type.Object({
  entries: Type.Array(Entry),
  /** what comes after this page stays so, whatever is posted meanwhile; null: nothing does */
  next_cursor: nullable(Type.String()),
  server_time_ms: TimeMs,
});
export type EntryPage = Static<typeof EntryPage>;

export const PersonCard = Type.Object({
  id: Id,
  username: Type.String(),
  joined_at_ms: TimeMs,
  followers: Type.Integer(),
  /** null: nobody is logged in, or it is the viewer */
  followed: nullable(Type.Boolean()),
});
export type PersonCard = Static<typeof PersonCard>;

export const PeoplePage = Type.Object({
  people: Type.Array(PersonCard),
  next_cursor: nullable(Type.String()),
  server_time_ms: TimeMs,
});
export type PeoplePage = Static<typeof PeoplePage>;

// ---- Errors: application/problem+json -------------------------------------------------------------------------------------

export const ERROR_STATUS = {
  // the request
  invalid_input: 400, // `field` names what is wrong
  text_empty: 400,
  text_too_long: 400,
  text_has_control_characters: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_cursor: 400,
  // the person
  not_logged_in: 401, // also with a forged or expired cookie
  wrong_credentials: 401,
  too_many_attempts: 429, // Retry-After
  csrf_missing: 403, // no CSRF_HEADER, or another site's Origin
  username_taken: 409,
  // the thing
  unknown_route: 404,
  unknown_user: 404,
  unknown_post: 404,
  own_account: 403, // following oneself
  already_following: 409,
  not_following: 409,
  already_reposted: 409,
  not_reposted: 409,
  repost_of_repost: 409, // `post_id` names the post itself
  // the site
  busy: 503, // the store could not do it now: nothing happened, try again; Retry-After
  overloaded: 503, // more requests came than this server can serve: nothing happened, try again; Retry-After
  outcome_unknown: 503, // the answer was lost on the way: look before trying again
  too_many_streams: 503,
  internal: 500,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

// ---- Routes --------------------------------------------------------------------------------------------------------------

// GET /api/session, POST /api/login, POST /api/logout; POST /api/register (201)
export const Session = Type.Object({
  user: nullable(UserRef),
  /** where this cluster can be watched at work; null: nowhere */
  dashboard_url: nullable(Type.String()),
  server_time_ms: TimeMs,
});
export type Session = Static<typeof Session>;

const Password = Type.String({ minLength: LIMITS.password_length_min, maxLength: LIMITS.password_length_max });
export const RegisterRequest = Type.Object({ username: Username, password: Password }, closed);
export type RegisterRequest = Static<typeof RegisterRequest>;
export const LoginRequest = Type.Object({ username: Type.String({ maxLength: 200 }), password: Type.String({ maxLength: 200 }) }, closed);
export type LoginRequest = Static<typeof LoginRequest>;

// GET /api/demo: accounts that anybody may try the site with; empty when the data set without them is loaded
export const Demo = Type.Object({
  accounts: Type.Array(Type.Object({ username: Type.String(), password: Type.String() })),
  server_time_ms: TimeMs,
});
export type Demo = Static<typeof Demo>;

// GET /api/timeline?cursor=                          EntryPage of the person who is logged in
// GET /api/users/:username/posts?cursor=             EntryPage of what they posted and reposted
// GET /api/latest?cursor=                            EntryPage of the newest posts of everybody (the newest 128)
// GET /api/tags/:tag/posts?cursor=                   EntryPage of the newest posts with the hashtag (the newest 128)
export const CursorQuery = Type.Object({ cursor: Cursor }, closed);

export const TagParams = Type.Object({ tag: Type.String({ maxLength: 128 }) });

// GET /api/trending: the posts that are reposted much for their age; hottest first, at most LIMITS.trending_max
export const Trending = Type.Object({ posts: Type.Array(PostView), server_time_ms: TimeMs });
export type Trending = Static<typeof Trending>;

// POST /api/posts (201). The same draft_id again: 200 with the post made the first time, so that a page may repeat a
// request whose answer was lost.
export const PostRequest = Type.Object(
  { text: Type.String({ maxLength: 65_536 }), draft_id: Type.String({ pattern: '^[0-9A-Za-z_-]{8,64}$' }) },
  closed,
);
export type PostRequest = Static<typeof PostRequest>;
export const Posted = Type.Object({
  entry: Entry,
  /** followers to whose timelines it came with this transaction */
  reached: Type.Integer(),
  server_time_ms: TimeMs,
});
export type Posted = Static<typeof Posted>;

// GET /api/posts/:post_id
export const PostParams = Type.Object({ post_id: Id });
export const PostPage = Type.Object({ post: PostView, server_time_ms: TimeMs });
export type PostPage = Static<typeof PostPage>;

// GET /api/posts/:post_id/reposters?cursor=          PeoplePage, in no particular order

// POST /api/posts/:post_id/repost (201), DELETE the same (200)
export const Reposted = Type.Object({ post_id: Id, reached: Type.Integer(), server_time_ms: TimeMs });
export type Reposted = Static<typeof Reposted>;

// GET /api/users/:username
export const UserParams = Type.Object({ username: Type.String({ maxLength: 128 }) });
export const Profile = Type.Object({
  user: Type.Object({ id: Id, username: Type.String(), joined_at_ms: TimeMs }),
  /** posts and reposts */
  posts: Type.Integer(),
  followers: Type.Integer(),
  following: Type.Integer(),
  /** null: nobody is logged in, or it is the viewer */
  viewer: nullable(Type.Object({ follows: Type.Boolean(), followed_by: Type.Boolean() })),
  server_time_ms: TimeMs,
});
export type Profile = Static<typeof Profile>;

// GET /api/users/:username/followers?cursor=, .../following?cursor=       PeoplePage, in no particular order
// GET /api/people: PeoplePage of who joined last (one page)

// POST /api/users/:username/follow (201), DELETE the same (200)
export const Followed = Type.Object({ user: UserRef, server_time_ms: TimeMs });
export type Followed = Static<typeof Followed>;

// ---- Live: GET /api/live   text/event-stream --------------------------------------------------------------------------------
//
// One EventSource per page. The query says what the page shows: `timeline=1` the person's own timeline, `latest=1` the
// posts of everybody, `trending=1`, `posts=<id>,<id>` and `users=<id>,<id>` (at most LIMITS.live_posts_max,
// LIMITS.live_users_max). Each event's `data` is one JSON object as below; its `event` is the name. Every event tells a
// state: the newest replaces the one before, and after a reconnect each is sent again, so that nothing is missed. Its
// `server_time_ms` is when the server saw that state, ten times a second at most; it may have stood unchanged since. Without a
// login there is no timeline; ids that nobody has are passed over, ids that cannot be are refused. A stream ends with the session it
// was opened with, wherever that was ended: the page reconnects and hears who it is. Event ids are the server's time in ms.

const Flag = Type.Optional(Type.Literal('1'));
export const LiveQuery = Type.Object(
  {
    timeline: Flag,
    latest: Flag,
    trending: Flag,
    posts: Type.Optional(Type.String({ maxLength: 8_000 })),
    users: Type.Optional(Type.String({ maxLength: 4_000 })),
  },
  closed,
);

/** event: hello, first on every connection */
export type LiveHello = { server_time_ms: number; user: UserRef | null };
/**
 * events: timeline, latest; at once and after each change. The newest LIMITS.live_entries_max entries, newest first. What is
 * newer than what the page shows is news; one's own entries among them.
 */
export type LiveEntries = { server_time_ms: number; entries: { id: string; at_ms: number }[] };
/** event: trending, at once and after each change */
export type LiveTrending = { server_time_ms: number; post_ids: string[] };
/** event: post, for each named one that there is, at once and after each change */
export type LivePost = { server_time_ms: number; post_id: string; reposts: number };
/** event: user, for each named one, at once and after each change */
export type LiveUser = { server_time_ms: number; user_id: string; followers: number; following: number };
/** event: connection, when the store cannot be reached (what was sent may be old) and when it can again */
export type LiveConnection = { server_time_ms: number; connected: boolean };

export type LiveEvents = {
  hello: LiveHello;
  timeline: LiveEntries;
  latest: LiveEntries;
  trending: LiveTrending;
  post: LivePost;
  user: LiveUser;
  connection: LiveConnection;
};
