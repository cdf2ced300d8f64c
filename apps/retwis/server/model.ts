// Which key holds which type, and why.
//
// What belongs to one person carries the tag `{person:<id>}`, what belongs to one post `{post:<id>}`: reading a post or a
// profile touches one shard. A famous post is written by everybody at once, a famous person's list of followers too:
// there the writes of the crowd must commute. The auctions may live on the same cluster: no key here is one of theirs.
//
//   key                     type          why this type
//   {person:U}:profile      Dict          written once, read often; never what a crowd writes
//   {person:U}:credentials  Register      apart from the profile, so that no page can leak it by reading too much
//   {person:U}:followers    Set           following adds, adds of different people commute: a celebrity's list does not queue
//   {person:U}:following    Set           the other direction, for profiles and for asking "do I follow?"
//   {person:U}:posts        ScoredSet     own posts and reposts by time
//   {person:U}:timeline     ScoredSet     posts and reposts of those one follows, by time, ready to be read: Post appends to
//                                         its followers' timelines; appending different entries commutes
//   {person:U}:draft:D      Register      which post the draft D became: sent again, it does not become another
//   {post:P}:info           Dict          author and text: written once, so reading a viral post never waits for a repost
//   {post:P}:reposts        Set           who has reposted: its size is the count. A repost asks for itself and adds itself,
//                                         which commutes with other people's reposts
//   person:N                Register      N, a username in lower case; compareAndSet(null -> id) lets one person have it
//   trending:posts          TopK          posts by their heat (below) when somebody reposted them last: adds commute, so the
//                                         hottest post is not where everybody queues
//   newest:users            TopK          who joined last, by when: the newest 128, adds commute
//   newest:posts            TopK          posts by when they were written: the newest 128
//   tag:T                   TopK          the newest 128 posts with the hashtag T, in lower case; adds commute
//   ids:person, ids:post    UIdGenerator  unique, not sequential, so asking commutes with asking
//   timelines:dataset       Dict          which data set stands here: apps/site/data/dataset.ts
//
// What stands in `posts` and `timeline` are *entries*. Their scores are minus their times: the newest comes first, so a
// page goes on upwards from the last entry of the page before, and what is posted meanwhile does not move it. A post's
// own entry has its id; a repost's entry names post and reposter, so that undoing it takes away exactly this one, though
// others may have brought the post to the same timeline.

export const key = {
  profile: (user_id: string) => `{person:${user_id}}:profile`,
  credentials: (user_id: string) => `{person:${user_id}}:credentials`,
  followers: (user_id: string) => `{person:${user_id}}:followers`,
  following: (user_id: string) => `{person:${user_id}}:following`,
  posts: (user_id: string) => `{person:${user_id}}:posts`,
  timeline: (user_id: string) => `{person:${user_id}}:timeline`,
  draft: (user_id: string, draft_id: string) => `{person:${user_id}}:draft:${draft_id}`,
  post_info: (post_id: string) => `{post:${post_id}}:info`,
  post_reposts: (post_id: string) => `{post:${post_id}}:reposts`,
  username: (username: string) => `person:${username.toLowerCase()}`,
  trending: 'trending:posts',
  newest_users: 'newest:users',
  newest_posts: 'newest:posts',
  tagged_posts: (tag: string) => `tag:${tag}`,
  user_ids: 'ids:person',
  post_ids: 'ids:post',
  dataset: 'timelines:dataset',
} as const;

// ---- Heat --------------------------------------------------------------------------------------------------------------------

/** A post that is so much older needs twice the reposts to be as hot. */
export const HALF_LIFE_MS = 6 * 60 * 60 * 1_000;

/**
 * By which posts trend, as a moment in ms: when the post was written, and HALF_LIFE_MS later for each doubling of its reposts. It
 * never changes by itself, so no clock has to lower it: newer posts pass it by. REQUIRES: at least one repost.
 */
export const heat = (posted_at_ms: number, reposts: number): number => Math.round(posted_at_ms + HALF_LIFE_MS * Math.log2(reposts));

// ---- Entries -----------------------------------------------------------------------------------------------------------------

/** A place on a timeline or on a person's page: a post, or somebody's repost of it. */
export type Place = { id: string; at_ms: number };

/** In no post id, and in no user id. */
const BY = '~';

export const repostEntry = (post_id: string, reposter_id: string): string => `${post_id}${BY}${reposter_id}`;

/** `reposter_id` is null where the author posted it. */
export function parseEntry(entry_id: string): { post_id: string; reposter_id: string | null } {
  const by = entry_id.indexOf(BY);
  if (by < 0) return { post_id: entry_id, reposter_id: null };
  return { post_id: entry_id.slice(0, by), reposter_id: entry_id.slice(by + BY.length) };
}

/** As an entry's score, newest first; and back. */
export const scoreAt = (at_ms: number): number => 0 - at_ms;
export const timeOf = (score: number | bigint): number => 0 - Number(score);

/** Before the newest entry there is. */
export const SCORE_MIN = Number.MIN_SAFE_INTEGER;
export const SCORE_MAX = 0;

/** What a reader's own view leaves of a timeline that has grown to more than twice as many entries. */
export const TIMELINE_MAX = 800;
/** Newest entries of a person that come to the timeline of one who begins to follow them. */
export const CATCH_UP_MAX = 20;
/** What TopK keeps. */
export const NEWEST_MAX = 128;
