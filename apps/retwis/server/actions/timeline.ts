// Timeline: a page of what the people one follows have posted and reposted, newest first.
//
// The page is one read of one record; then each post is loaded in a transaction of its own (the paper, section 6.3): what
// is atomic is that a post has come to all timelines or to none, not how often each had been reposted at one moment.
import type { Claret } from '@claret/client';

import { key, PAGE_SIZE, type UserRef } from '../model.ts';

export type PostView = {
  id: string;
  author: UserRef;
  text: string;
  posted_at_ms: number;
  reposts: number;
  /** has the viewer reposted it? */
  reposted: boolean;
};

/** Null: there is no such post. */
export async function viewPost(claret: Claret, input: { post_id: string; viewer_id: string }): Promise<PostView | null> {
  const { post_id, viewer_id } = input;
  const [[author_id, username, text, postedAt], reposts, reposted] = await claret.transact('ViewPost', [
    claret.on.dict(key.post_info(post_id)).get('author_id', 'author_username', 'text', 'posted_at_ms'),
    claret.on.set(key.post_reposts(post_id)).size(),
    claret.on.set(key.post_reposts(post_id)).contains(viewer_id),
  ]);
  if (author_id === null || author_id === undefined) return null;
  return {
    id: post_id,
    author: { id: String(author_id), username: String(username) },
    text: String(text),
    posted_at_ms: Number(postedAt),
    reposts: Number(reposts),
    reposted,
  };
}

export async function viewTimeline(claret: Claret, input: { user_id: string }): Promise<PostView[]> {
  const { user_id } = input;
  const [page] = await claret.transact('Timeline', [claret.on.scoredSet(key.timeline(user_id)).range(-PAGE_SIZE, -1)]);
  const posts = await Promise.all(page.toReversed().map(([post_id]) => viewPost(claret, { post_id, viewer_id: user_id })));
  return posts.filter((post) => post !== null);
}
