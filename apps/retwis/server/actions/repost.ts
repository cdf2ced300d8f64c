// Repost: a person passes a post on to all who follow them; and its undoing.
//
// On the post itself a repost asks whether this person has reposted it and adds this person: reposts of one post by
// different people commute, however viral it is. The count for `trending` is the one that the person saw with the post,
// plus one: to read the present one would make every repost wait for every other.
import type { Claret } from '@claret/client';

import { key } from '../model.ts';
import { followersOf, spread, withdraw } from './fan-out.ts';
import { refuse, type Outcome } from './outcome.ts';

export type RepostInput = {
  user_id: string;
  post_id: string;
  reposted_at_ms: number;
  /** how often it had been reposted when the person saw it */
  reposts_seen: number;
};

type RepostRefusal = 'unknown_post' | 'already_reposted';

export function repost(claret: Claret, input: RepostInput): Promise<Outcome<{ reached: number }, RepostRefusal>> {
  const { user_id, post_id, reposted_at_ms, reposts_seen } = input;
  return claret.transaction('Repost', async (tx) => {
    const info = tx.dict(key.post_info(post_id)).get('author_id');
    const reposted = tx.set(key.post_reposts(post_id)).contains(user_id);
    const followers = await followersOf(tx, user_id);
    const [[author_id], already] = [await info, await reposted];
    if (author_id === null || author_id === undefined) return refuse('unknown_post');
    if (already) return refuse('already_reposted');
    tx.set(key.post_reposts(post_id)).add(user_id);
    tx.topK(key.trending).add(post_id, reposts_seen + 1);
    spread(tx, post_id, reposted_at_ms, user_id, followers);
    return { refused: null, reached: followers.length };
  });
}

/** The post goes from the timelines it came to by this repost, or by any other: whose it was is not kept. */
export function undoRepost(claret: Claret, input: { user_id: string; post_id: string }): Promise<Outcome<object, 'not_reposted'>> {
  const { user_id, post_id } = input;
  return claret.transaction('UndoRepost', async (tx) => {
    const reposted = tx.set(key.post_reposts(post_id)).contains(user_id);
    const followers = await followersOf(tx, user_id);
    if (!(await reposted)) return refuse('not_reposted');
    tx.set(key.post_reposts(post_id)).remove(user_id);
    withdraw(tx, post_id, user_id, followers);
    return { refused: null };
  });
}
