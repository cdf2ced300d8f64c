// Follow and Unfollow: start and end the delivery of one person's new posts to the other's timeline.
//
// Both only check whether this person follows that one: concurrent followers of a celebrity do not conflict. The page
// shows whether they follow, so the answer is guessed and costs no message.
import type { Claret } from '@claret/client';

import { key } from '../model.ts';
import { refuse, type Outcome } from './outcome.ts';

export type FollowInput = { follower_id: string; followed_id: string };

type FollowRefusal = 'own_account' | 'unknown_user' | 'already_following';

/** `username`: of the followed person, as it was read before */
export async function follow(claret: Claret, input: FollowInput & { username?: string }): Promise<Outcome<object, FollowRefusal>> {
  const { follower_id, followed_id, username: seen } = input;
  if (follower_id === followed_id) return refuse('own_account');
  return claret.transaction('Follow', async (tx) => {
    const known = tx.perform(claret.on.dict(key.profile(followed_id)).get('username'), { guess: seen === undefined ? seen : [seen] });
    const follows = tx.perform(claret.on.set(key.following(follower_id)).contains(followed_id), { guess: false });
    const [[username], already] = [await known, await follows];
    if (username === null || username === undefined) return refuse('unknown_user');
    if (already) return refuse('already_following');
    tx.set(key.following(follower_id)).add(followed_id);
    tx.set(key.followers(followed_id)).add(follower_id);
    return { refused: null };
  });
}

export function unfollow(claret: Claret, input: FollowInput): Promise<Outcome<object, 'not_following'>> {
  const { follower_id, followed_id } = input;
  return claret.transaction('Unfollow', async (tx) => {
    const follows = claret.on.set(key.following(follower_id)).contains(followed_id);
    if (!(await tx.perform(follows, { guess: true }))) return refuse('not_following');
    tx.set(key.following(follower_id)).remove(followed_id);
    tx.set(key.followers(followed_id)).remove(follower_id);
    return { refused: null };
  });
}
