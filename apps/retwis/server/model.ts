// Which key holds which type, and why.
//
// A person's data has the tag `{person:<id>}`, a post's data `{post:<id>}`: reading a post or a profile touches one shard. A famous post
// and a famous person's follower list are written by a crowd: there the writes must commute. The auctions may be on the same cluster: the
// two sites share no keys.
//
//   key                     type          why this type
//   {person:U}:profile      Dict          written once, read often; never written by a crowd
//   {person:U}:credentials  Register      separate from the profile, so that no page can leak it by reading too much
//   {person:U}:followers    Set           adds of different followers commute: a celebrity's list is no bottleneck
//   {person:U}:following    Set           the other direction, for profiles and for asking "do I follow?"
//   {person:U}:posts        ScoredSet     own posts and reposts by time
//   {person:U}:timeline     ScoredSet     posts and reposts of the people they follow, by time, ready to be read: Post adds
//                                         to its followers' timelines; adds of different entries commute
//   {post:P}:info           Dict          author and text: written once, so reading a viral post never waits for a repost. P is the
//                                         name of the request that made the post (apps/site/once.ts), or drawn
//   {post:P}:reposts        Set           the reposters: its size is the count. A repost reads and adds its own person only,
//                                         which commutes with other people's reposts
//   person:N                Register      N, a username in lower case; compareAndSet(null -> id) lets one person have it
//   trending:posts          TopK          posts by their heat (below) at their latest repost: adds commute, so the hottest
//                                         post is no bottleneck
//   newest:users            TopK          people by registration time: the newest 128, adds commute
//   newest:posts            TopK          posts by time of writing: the newest 128
//   tag:T                   TopK          the newest 128 posts with the hashtag T, in lower case; adds commute
//   timelines:dataset       Dict          the loaded data set: apps/site/data/dataset.ts
//
// The members of `posts` and `timeline` are *entries*. Their scores are negated times: the newest comes first, so a page continues upwards
// from the last entry of the page before, and later posts do not move it. A post's own entry has the post's id; a repost's entry names post
// and reposter, so that undoing it removes exactly this entry, though others may have brought the post to the same timeline.

export const key = {
  profile: (user_id: string) => `{person:${user_id}}:profile`,
  credentials: (user_id: string) => `{person:${user_id}}:credentials`,
  followers: (user_id: string) => `{person:${user_id}}:followers`,
  following: (user_id: string) => `{person:${user_id}}:following`,
  posts: (user_id: string) => `{person:${user_id}}:posts`,
  timeline: (user_id: string) => `{person:${user_id}}:timeline`,
  post_info: (post_id: string) => `{post:${post_id}}:info`,
  post_reposts: (post_id: string) => `{post:${post_id}}:reposts`,
  username: (username: string) => `person:${username.toLowerCase()}`,
  trending: 'trending:posts',
  newest_users: 'newest:users',
  newest_posts: 'newest:posts',
  tagged_posts: (tag: string) => `tag:${tag}`,
  dataset: 'timelines:dataset',
} as const;

// ---- Heat --------------------------------------------------------------------------------------------------------------------

/** A post that is older by this time needs twice the reposts to be as hot. */
export const HALF_LIFE_MS = 6 * 60 * 60 * 1_000;

/**
 * The order of trending posts, as a time in ms: when the post was written, plus HALF_LIFE_MS for each doubling of its reposts. It does not
 * decay, so no clock has to lower it: newer posts overtake it. REQUIRES: at least one repost.
 */
export const heat = (posted_at_ms: number, reposts: number): number => Math.round(posted_at_ms + HALF_LIFE_MS * Math.log2(reposts));

// ---- Entries -----------------------------------------------------------------------------------------------------------------

/** An entry of a timeline or of a person's page: a post, or a repost of it. */
export type EntryKey = { id: string; at_ms: number };

/** occurs in no post id and in no user id */
const BY = '~';

export const repostEntry = (post_id: string, reposter_id: string): string => `${post_id}${BY}${reposter_id}`;

/** `reposter_id` is null for the author's own post. */
export function parseEntry(entry_id: string): { post_id: string; reposter_id: string | null } {
  const by = entry_id.indexOf(BY);
  if (by < 0) return { post_id: entry_id, reposter_id: null };
  return { post_id: entry_id.slice(0, by), reposter_id: entry_id.slice(by + BY.length) };
}

/** An entry's score, newest first; and its inverse. */
export const scoreAt = (at_ms: number): number => 0 - at_ms;
export const timeOf = (score: number | bigint): number => 0 - Number(score);

/** lower than the score of any entry */
export const SCORE_MIN = Number.MIN_SAFE_INTEGER;
export const SCORE_MAX = 0;

/** A timeline that has grown to more than twice this length is trimmed to it by its reader. */
export const TIMELINE_MAX = 800;
/** the newest entries of a person that a new follower's timeline gets */
export const CATCH_UP_MAX = 20;
/** the size of the TopK records */
export const NEWEST_MAX = 128;
