// ViewPost: the present state of one post, in a transaction of its own on the post's shard.
import type { Claret, Integer, Scalar } from '@claret/client';

import type { PostView } from '../api.ts';
import { key } from '../model.ts';

export type ViewPostInput = {
  post_id: string;
  /** null: logged out */
  viewer_id: string | null;
};

/** What everybody may read of a post, and the parser of the answers. Null: the post does not exist. */
export const postReads = ({ on }: Claret, post_id: string) =>
  [
    on.dict(key.post_info(post_id)).get('author_id', 'author_username', 'text', 'posted_at_ms'),
    on.set(key.post_reposts(post_id)).size(),
  ] as const;

export function postOf(
  post_id: string,
  [author_id, username, text, posted_at]: readonly (Scalar | null)[],
  reposts: Integer,
): Omit<PostView, 'reposted'> | null {
  if (author_id === null || author_id === undefined) return null;
  return {
    id: post_id,
    author: { id: String(author_id), username: String(username) },
    text: String(text),
    posted_at_ms: Number(posted_at),
    reposts: Number(reposts),
  };
}

/** Null: the post does not exist. */
export async function viewPost(claret: Claret, input: ViewPostInput): Promise<PostView | null> {
  const { post_id, viewer_id } = input;
  const [fields, reposts, reposted] = await claret.transact('ViewPost', [
    ...postReads(claret, post_id),
    ...(viewer_id === null ? [] : [claret.on.set(key.post_reposts(post_id)).contains(viewer_id)]),
  ]);
  const post = postOf(post_id, fields, reposts);
  return post && { ...post, reposted: reposted === true };
}

/** In the given order, without posts that do not exist. The posts need no common snapshot, so no read waits for another. */
export async function viewPosts(claret: Claret, post_ids: readonly string[], viewer_id: string | null): Promise<PostView[]> {
  const posts = await Promise.all(post_ids.map((post_id) => viewPost(claret, { post_id, viewer_id })));
  return posts.filter((post) => post !== null);
}
