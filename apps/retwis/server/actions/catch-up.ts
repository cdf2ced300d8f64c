// CatchUp: puts the newest entries of a person on the timeline of a new follower.
//
// Separate from Follow, which reads no posts and so never waits for a Post (the paper, section 6.3). A post made between the two
// transactions is delivered by its own Post and added here again, which changes nothing. If the follower has unfollowed in the meantime,
// nothing is added.
import type { Claret, Description, Integer } from '@claret/client';

import { CATCH_UP_MAX, SCORE_MAX, SCORE_MIN, key } from '../model.ts';
import type { FollowInput } from './follow.ts';

export type NewestEntries = [entry_id: string, score: Integer][];

const newestOf = ({ on }: Claret, user_id: string): Description<NewestEntries> =>
  on.scoredSet(key.posts(user_id)).rangeByScore(SCORE_MIN, SCORE_MAX, CATCH_UP_MAX, null);

/** The newest entries of the person, for a `catchUp` that follows. */
export async function newestSeen(claret: Claret, user_id: string): Promise<NewestEntries> {
  const [newest] = await claret.transact('NewestSeen', [newestOf(claret, user_id)]);
  return newest;
}

/**
 * The number of entries found, including those that were on the timeline already. `seen`: the entries that were read before, while the follow
 * was under way (`newestSeen`).
 */
export function catchUp(claret: Claret, input: FollowInput & { seen?: NewestEntries }): Promise<number> {
  const { follower_id, followed_id, seen } = input;
  return claret.transaction('CatchUp', async (tx) => {
    const follows = tx.perform(claret.on.set(key.following(follower_id)).contains(followed_id), { guess: true });
    const newest = await tx.perform(newestOf(claret, followed_id), { guess: seen });
    if (!(await follows)) return 0;
    for (const [entry_id, score] of newest) tx.scoredSet(key.timeline(follower_id)).add(entry_id, score);
    return newest.length;
  });
}
