// Post: a person writes, and all who follow them have it on their timelines, or nobody has (the paper, section 6.3).
import type { Claret } from '@claret/client';

import { key, type UserRef } from '../model.ts';
import { followersOf, spread } from './fan-out.ts';

export type PostInput = { author: UserRef; text: string; posted_at_ms: number };

export function post(claret: Claret, input: PostInput): Promise<{ post_id: string; reached: number }> {
  const { author, text, posted_at_ms } = input;
  return claret.transaction('Post', async (tx) => {
    const id = tx.uidGenerator(key.post_ids).next();
    const followers = await followersOf(tx, author.id);
    const post_id = await id;
    tx.dict(key.post_info(post_id)).set({ author_id: author.id, author_username: author.username, text, posted_at_ms });
    tx.scoredSet(key.newest_posts).add(post_id, posted_at_ms);
    spread(tx, post_id, posted_at_ms, author.id, followers);
    return { post_id, reached: followers.length };
  });
}
