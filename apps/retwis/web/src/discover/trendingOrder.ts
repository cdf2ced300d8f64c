// The order of trending posts changes while they are being read: a list keeps its order until the reader requests the new one, and shows
// the latest data of each post.
import type * as api from '../../../server/api.ts';

/** True if a reader would see another post or another order. */
export function hasMoved(shown: readonly string[], now: readonly string[]): boolean {
  return shown.length !== now.length || shown.some((id, at) => id !== now[at]);
}

export const idsOf = ({ posts }: api.Trending): readonly string[] => posts.map(({ id }) => id);

/** a post with the server's time of the answer that contained it */
export interface TrendingPost {
  post: api.PostView;
  read_at_ms: number;
}

/** The posts of `shown` in their order, each in the version of `now` if that contains it. */
export function inOrderOf(shown: api.Trending, now: api.Trending): TrendingPost[] {
  const newest = new Map(now.posts.map((post) => [post.id, post]));
  return shown.posts.map((before) => {
    const post = newest.get(before.id);
    return post ? { post, read_at_ms: now.server_time_ms } : { post: before, read_at_ms: shown.server_time_ms };
  });
}
