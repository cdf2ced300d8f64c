// Which key holds which type, and why.
//
// What belongs to one person carries the tag `{user:<id>}`, what belongs to one post `{post:<id>}`: reading a post or a
// profile touches one shard. A famous post is written by everybody at once, a famous person's list of followers too:
// there the writes of the crowd must commute.
//
//   key                    type          why this type
//   {user:U}:profile       Dict          written once, read often; never what a crowd writes
//   {user:U}:credentials   Register      apart from the profile, so that no page can leak it by reading too much
//   {user:U}:followers     Set           following adds, adds of different people commute: a celebrity's list does not queue
//   {user:U}:following     Set           the other direction, for profiles and for asking "do I follow?"
//   {user:U}:posts         ScoredSet     own posts and reposts by time
//   {user:U}:timeline      ScoredSet     posts and reposts of those one follows, by time, ready to be read: Post appends to
//                                        its followers' timelines; appending different posts commutes
//   {post:P}:info          Dict          author and text: written once, so reading a viral post never waits for a repost
//   {post:P}:reposts       Set           who has reposted: its size is the count. A repost asks for itself and adds itself,
//                                        which commutes with other people's reposts
//   username:N             Register      N in lower case; compareAndSet(null -> id) lets one person have it
//   trending               TopK          posts by how often they had been reposted when somebody reposted them last: adds
//                                        commute, so the hottest post of the day is not where everybody queues
//   newest:users           ScoredSet     people by when they joined
//   newest:posts           ScoredSet     posts by when they were written
//   ids:user, ids:post     UIdGenerator  unique, not sequential, so asking commutes with asking

export const key = {
  profile: (user_id: string) => `{user:${user_id}}:profile`,
  credentials: (user_id: string) => `{user:${user_id}}:credentials`,
  followers: (user_id: string) => `{user:${user_id}}:followers`,
  following: (user_id: string) => `{user:${user_id}}:following`,
  posts: (user_id: string) => `{user:${user_id}}:posts`,
  timeline: (user_id: string) => `{user:${user_id}}:timeline`,
  post_info: (post_id: string) => `{post:${post_id}}:info`,
  post_reposts: (post_id: string) => `{post:${post_id}}:reposts`,
  username: (username: string) => `username:${username.toLowerCase()}`,
  trending: 'trending',
  newest_users: 'newest:users',
  newest_posts: 'newest:posts',
  user_ids: 'ids:user',
  post_ids: 'ids:post',
} as const;

/** A person as others see them on a post. Usernames never change, so a post carries its author's. */
export type UserRef = { id: string; username: string };

/** Posts on one page of a timeline. */
export const PAGE_SIZE = 20;
