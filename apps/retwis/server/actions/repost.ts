// Repost: delivers a post to all followers of the reposter; and its undoing.
//
// At the post itself a repost checks whether this person has reposted it and adds this person: reposts of one post by different people
// commute, however viral it is. The post's heat is computed from a count that was read outside of it, plus one: reading the present count within
// the transaction would make every repost wait for every other.
import type { Claret } from '@claret/client';

import { heat, key, repostEntry } from '../model.ts';
import { firstFollowers, spread, withdraw } from './fan-out.ts';
import { refuse, type Outcome } from './outcome.ts';

export type RepostInput = {
  user_id: string;
  post_id: string;
  reposted_at_ms: number;
  /** the number of reposts that is read outside of the transaction (`repostsSeen`), which waits for it only where it needs it */
  reposts_seen: number | Promise<number>;
};

type RepostRefusal = 'unknown_post' | 'already_reposted';

export function repost(claret: Claret, input: RepostInput): Promise<Outcome<{ reached: number }, RepostRefusal>> {
  const { user_id, post_id, reposted_at_ms, reposts_seen } = input;
  return claret.transaction('Repost', async (tx) => {
    const info = tx.dict(key.post_info(post_id)).get('author_id', 'posted_at_ms');
    const reposted = tx.set(key.post_reposts(post_id)).contains(user_id);
    const followers = await firstFollowers(tx, user_id);
    const [[author_id, posted_at_ms], already, seen] = [await info, await reposted, await reposts_seen];
    if (author_id === null || author_id === undefined) return refuse('unknown_post');
    if (already) return refuse('already_reposted');
    tx.set(key.post_reposts(post_id)).add(user_id);
    tx.topK(key.trending).add(post_id, heat(Number(posted_at_ms), seen + 1));
    const entry = { id: repostEntry(post_id, user_id), at_ms: reposted_at_ms };
    return { refused: null, reached: await spread(tx, entry, user_id, followers) };
  });
}

/** The present number of reposts, for a `repost` that follows. The server reads it; a browser never supplies it. */
export async function repostsSeen(claret: Claret, input: { post_id: string }): Promise<number> {
  const [reposts] = await claret.transact('RepostsSeen', [claret.on.set(key.post_reposts(input.post_id)).size()]);
  return Number(reposts);
}

/**
 * Removes this repost from the timelines it was delivered to, but neither the post nor other people's reposts of it. It stays on the
 * timelines of those who have unfollowed since, like everything delivered while they followed.
 */
export function undoRepost(
  claret: Claret,
  input: { user_id: string; post_id: string },
): Promise<Outcome<{ reached: number }, 'not_reposted'>> {
  const { user_id, post_id } = input;
  return claret.transaction('UndoRepost', async (tx) => {
    const reposted = tx.set(key.post_reposts(post_id)).contains(user_id);
    const followers = await firstFollowers(tx, user_id);
    if (!(await reposted)) return refuse('not_reposted');
    tx.set(key.post_reposts(post_id)).remove(user_id);
    return { refused: null, reached: await withdraw(tx, repostEntry(post_id, user_id), user_id, followers) };
  });
}
