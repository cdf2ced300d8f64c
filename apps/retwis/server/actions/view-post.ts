// ViewPost: the present state of one post, in a transaction of its own on the post's shard.
import type { Claret, Integer, Scalar } from '@claret/client';

import type { PostView } from '../api.ts';
import { key } from '../model.ts';

export type ViewPostInput = {
  post_id: string;
  /** null: logged out */
  viewer_id: string | null;
};

export const POST_FIELDS = ['author_id', 'author_username', 'text', 'posted_at_ms'] as const;

/** What everybody may read of a post, and the parser of the answers. Null: the post does not exist. */
const postReads = ({ on }: Claret, post_id: string) =>
  [on.dict(key.post_info(post_id)).get(...POST_FIELDS), on.set(key.post_reposts(post_id)).size()] as const;

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

/** What everybody may see of it. Null: the post does not exist. */
export async function readPost(claret: Claret, post_id: string): Promise<Omit<PostView, 'reposted'> | null> {
  return postOf(post_id, ...(await claret.transact('ViewPost', postReads(claret, post_id))));
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
