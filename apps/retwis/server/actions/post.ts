// Post: publishes a post on the timelines of all followers of its author, or of none (the paper, section 6.3).
import type { Claret } from '@claret/client';

import type { UserRef } from '../api.ts';
import { hashtags } from '../hashtags.ts';
import { key } from '../model.ts';
import { firstFollowers, spread } from './fan-out.ts';

export type PostInput = {
  author: UserRef;
  text: string;
  posted_at_ms: number;
  /** chosen by the page, once per text: repeating the request then posts nothing; absent: every call posts */
  draft_id?: string;
};

export type PostResult = {
  post_id: string;
  /** the followers whose timelines this transaction wrote to */
  reached: number;
  /** an earlier transaction posted the draft: this one changed nothing */
  repeated: boolean;
};

export function post(claret: Claret, input: PostInput): Promise<PostResult> {
  const { author, text, posted_at_ms, draft_id } = input;
  return claret.transaction('Post', async (tx) => {
    const draft = draft_id === undefined ? null : tx.register(key.draft(author.id, draft_id));
    // A plain read costs no round trip of its own, unlike compareAndSet, and its value is stable until the end.
    const became = draft?.get();
    const followers = await firstFollowers(tx, author.id);
    const earlier = await became;
    if (typeof earlier === 'string') return { post_id: earlier, reached: 0, repeated: true };
    const post_id = tx.newId();
    draft?.set(post_id);
    tx.dict(key.post_info(post_id)).set({ author_id: author.id, author_username: author.username, text, posted_at_ms });
    tx.topK(key.newest_posts).add(post_id, posted_at_ms);
    for (const tag of hashtags(text)) tx.topK(key.tagged_posts(tag)).add(post_id, posted_at_ms);
    const reached = await spread(tx, { id: post_id, at_ms: posted_at_ms }, author.id, followers);
    return { post_id, reached, repeated: false };
  });
}
