// The HTTP interface of the timelines site: every request, response, error and live event, defined once.
//
// The server validates and serializes with these schemas; the browser uses the types (`import type`). All times are milliseconds since 1970
// by the server's clock; all ids are opaque text. `null` means "there is none"; no field is ever omitted. API.md beside this file lists the
// routes.
import { Type, type Static, type TSchema } from 'typebox';

export const LIMITS = {
  username_length_min: 3,
  username_length_max: 20,
  password_length_min: 8,
  password_length_max: 128,
  /** grapheme clusters */
  text_graphemes_max: 280,
  /** a grapheme may take many bytes */
  text_bytes_max: 4_096,
  page_size: 20,
  people_page_size: 30,
  /** newest entries of a timeline, and of the latest posts, that a live stream carries */
  live_entries_max: 50,
  /** posts and people that one live stream, of all visible pages of a browser, may name */
  live_posts_max: 240,
  live_users_max: 80,
  trending_max: 20,
} as const;

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const closed = { additionalProperties: false } as const;

// ---- Shared types --------------------------------------------------------------------------------------------------------

export const Id = Type.String({ pattern: '^[0-9A-Za-z_.~-]{1,128}$' });
export const Username = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_]*$',
  minLength: LIMITS.username_length_min,
  maxLength: LIMITS.username_length_max,
});
export const TimeMs = Type.Integer({ minimum: 0 });
const Cursor = Type.Optional(Type.String({ maxLength: 200 }));

/** A person as shown on a post. Usernames never change. */
export const UserRef = Type.Object({ id: Id, username: Type.String() });
export type UserRef = Static<typeof UserRef>;

export const PostView = Type.Object({
  id: Id,
  author: UserRef,
  /** plain text; lines end with \n */
  text: Type.String(),
  posted_at_ms: TimeMs,
  reposts: Type.Integer(),
  /** whether the viewer has reposted it */
  reposted: Type.Boolean(),
});
export type PostView = Static<typeof PostView>;

/** An entry of a timeline: a post, listed by its author's Post or by a repost. */
export const Entry = Type.Object({
  id: Id,
  /** the time of the post, or of the repost */
  at_ms: TimeMs,
  reposted_by: nullable(UserRef),
  post: PostView,
});
export type Entry = Static<typeof Entry>;

/** Newest first. A post appears once on a page, at its latest entry. */
export const EntryPage = Type.Object({
  entries: Type.Array(Entry),
  /** later posts do not change the entries after this page; null: this is the last page */
  next_cursor: nullable(Type.String()),
  server_time_ms: TimeMs,
});
export type EntryPage = Static<typeof EntryPage>;

export const PersonCard = Type.Object({
  id: Id,
  username: Type.String(),
  joined_at_ms: TimeMs,
  followers: Type.Integer(),
  /** null: logged out, or the viewer themselves */
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
  overloaded: 503, // more requests than this server can serve: nothing happened, try again; Retry-After
  outcome_unknown: 503, // the answer was lost: check before trying again
  key_expired: 409, // made too long ago, or by a clock that is wrong: `server_time_ms` is the site’s time
  too_many_streams: 503,
  internal: 500,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

// ---- Routes --------------------------------------------------------------------------------------------------------------

// GET /api/session, POST /api/login, POST /api/logout; POST /api/register (201)
export const Session = Type.Object({
  user: nullable(UserRef),
  /** URL of the cluster's dashboard; null: none */
  dashboard_url: nullable(Type.String()),
  server_time_ms: TimeMs,
});
export type Session = Static<typeof Session>;

const Password = Type.String({ minLength: LIMITS.password_length_min, maxLength: LIMITS.password_length_max });
export const RegisterRequest = Type.Object({ username: Username, password: Password }, closed);
export type RegisterRequest = Static<typeof RegisterRequest>;
export const LoginRequest = Type.Object({ username: Type.String({ maxLength: 200 }), password: Type.String({ maxLength: 200 }) }, closed);
export type LoginRequest = Static<typeof LoginRequest>;

// GET /api/demo: accounts for trying the site; empty if no data set with them is loaded
export const Demo = Type.Object({
  accounts: Type.Array(Type.Object({ username: Type.String(), password: Type.String() })),
  server_time_ms: TimeMs,
});
export type Demo = Static<typeof Demo>;

// GET /api/timeline?cursor= EntryPage of the logged-in person
// GET /api/users/:username/posts?cursor= EntryPage of their posts and reposts
// GET /api/latest?cursor= EntryPage of the newest posts of all people (the newest 128)
// GET /api/tags/:tag/posts?cursor= EntryPage of the newest posts with the hashtag (the newest 128)
export const CursorQuery = Type.Object({ cursor: Cursor }, closed);

export const TagParams = Type.Object({ tag: Type.String({ maxLength: 128 }) });

// GET /api/trending: the posts with many reposts for their age; hottest first, at most LIMITS.trending_max
export const Trending = Type.Object({ posts: Type.Array(PostView), server_time_ms: TimeMs });
export type Trending = Static<typeof Trending>;

// POST /api/posts (201)
export const PostRequest = Type.Object({ text: Type.String({ maxLength: 65_536 }) }, closed);
export type PostRequest = Static<typeof PostRequest>;
export const Posted = Type.Object({
  entry: Entry,
  /** the followers whose timelines this transaction wrote to */
  reached: Type.Integer(),
  server_time_ms: TimeMs,
});
export type Posted = Static<typeof Posted>;

// GET /api/posts/:post_id
export const PostParams = Type.Object({ post_id: Id });
export const PostPage = Type.Object({ post: PostView, server_time_ms: TimeMs });
export type PostPage = Static<typeof PostPage>;

// GET /public/posts/:post_id   the same for everybody, so that caches may keep it while nothing changes it
export const PublicPost = Type.Object({ post: Type.Omit(PostView, ['reposted']) });
export type PublicPost = Static<typeof PublicPost>;

// GET /public/trending   as GET /api/trending, the same for everybody
export const PublicTrending = Type.Object({ posts: Type.Array(PublicPost.properties.post) });
export type PublicTrending = Static<typeof PublicTrending>;

// GET /api/posts/:post_id/reposters?cursor=          PeoplePage, in no particular order

// POST /api/posts/:post_id/repost (201), DELETE the same (200)
export const Reposted = Type.Object({ post_id: Id, reached: Type.Integer(), server_time_ms: TimeMs });
export type Reposted = Static<typeof Reposted>;

// GET /api/users/:username
export const UserParams = Type.Object({ username: Type.String({ maxLength: 128 }) });
export type UserParams = Static<typeof UserParams>;
const Counted = {
  user: Type.Object({ id: Id, username: Type.String(), joined_at_ms: TimeMs }),
  /** posts and reposts */
  posts: Type.Integer(),
  followers: Type.Integer(),
  following: Type.Integer(),
};
export const Profile = Type.Object({
  ...Counted,
  /** null: logged out, or the viewer themselves */
  viewer: nullable(Type.Object({ follows: Type.Boolean(), followed_by: Type.Boolean() })),
  server_time_ms: TimeMs,
});
export type Profile = Static<typeof Profile>;

// GET /public/people/:username   the same for everybody, so that caches may keep it while nothing changes it
export const PublicPerson = Type.Object(Counted);
export type PublicPerson = Static<typeof PublicPerson>;

// GET /api/users/:username/followers?cursor=, .../following?cursor=       PeoplePage, in no particular order
// GET /api/people: PeoplePage of the newest people (one page)

// POST /api/users/:username/follow (201), DELETE the same (200)
export const Followed = Type.Object({ user: UserRef, server_time_ms: TimeMs });
export type Followed = Static<typeof Followed>;

// ---- Live: GET /api/live   text/event-stream --------------------------------------------------------------------------------
//
// One stream per browser. The query states what its visible pages show: `timeline=1` the person's own timeline, `latest=1` the latest posts,
// `trending=1`, `posts=<id>,<id>` and `users=<id>,<id>` (at most LIMITS.live_posts_max, LIMITS.live_users_max). Each event's `data` is one
// JSON object as below; its `event` is the name. Every event carries a state: the newest replaces the one before, and after a reconnect
// each is sent again, so that nothing is missed. `server_time_ms` is when the server read that state, ten times a second at most; the state
// may have been unchanged since. Logged out, there is no timeline; unknown ids are ignored, malformed ids are refused. A stream ends with
// the session it was opened with, on whichever server that was ended: the page reconnects and learns who is logged in. Event ids are the
// server's time in ms.

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
 * events: timeline, latest; at once and after each change. The newest LIMITS.live_entries_max entries, newest first, including the viewer's
 * own. Entries newer than those on the page are news.
 */
export type LiveEntries = { server_time_ms: number; entries: { id: string; at_ms: number }[] };
/** event: trending, at once and after each change */
export type LiveTrending = { server_time_ms: number; post_ids: string[] };
/** event: post, for each named post that exists, at once and after each change */
export type LivePost = { server_time_ms: number; post_id: string; reposts: number };
/** event: user, for each named person, at once and after each change */
export type LiveUser = { server_time_ms: number; user_id: string; followers: number; following: number };
/** event: connection, when the store cannot be reached (earlier events may be stale) and when it can be again */
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
