// What is trending moves while one reads it: a list of it keeps its order until its reader asks for the new one, while
// what it shows of each post is the newest that was read.
import type * as api from '../../../server/api.ts';

/** Whether those who look would see something else: another post, or another order. */
export function hasMoved(shown: readonly string[], now: readonly string[]): boolean {
  return shown.length !== now.length || shown.some((id, at) => id !== now[at]);
}

export const idsOf = ({ posts }: api.Trending): readonly string[] => posts.map(({ id }) => id);

/** A post with the server's time of the answer that it came with. */
export interface TrendingPost {
  post: api.PostView;
  read_at_ms: number;
}

/** The posts of `shown` in its order, each as `now` says it where that still has it. */
export function inOrderOf(shown: api.Trending, now: api.Trending): TrendingPost[] {
  const newest = new Map(now.posts.map((post) => [post.id, post]));
  return shown.posts.map((before) => {
    const post = newest.get(before.id);
    return post ? { post, read_at_ms: now.server_time_ms } : { post: before, read_at_ms: shown.server_time_ms };
  });
}
