// Fan-out: what a Post or Repost does to the timelines of its author's followers, within its transaction.
//
// Followers are read in pages. What is added to timelines is not awaited: the client sends one message to each shard.
import type { Tx } from '@claret/client';

import { key } from '../model.ts';

/** What one read of a Set gives at most. */
const FOLLOWERS_PAGE = 1_000;

/** Everybody who follows the person now. */
export async function followersOf(tx: Tx, user_id: string): Promise<string[]> {
  const followers: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: string[] = await tx.set(key.followers(user_id)).members(FOLLOWERS_PAGE, after);
    followers.push(...page);
    if (page.length < FOLLOWERS_PAGE) return followers;
    after = page.at(-1)!;
  }
}

/** Puts the post on the person's own page and timeline, and on the followers' timelines. */
export function spread(tx: Tx, post_id: string, at_ms: number, user_id: string, followers: readonly string[]): void {
  tx.scoredSet(key.posts(user_id)).add(post_id, at_ms);
  tx.scoredSet(key.timeline(user_id)).add(post_id, at_ms);
  for (const follower_id of followers) tx.scoredSet(key.timeline(follower_id)).add(post_id, at_ms);
}

/** Takes it away again. */
export function withdraw(tx: Tx, post_id: string, user_id: string, followers: readonly string[]): void {
  tx.scoredSet(key.posts(user_id)).remove(post_id);
  tx.scoredSet(key.timeline(user_id)).remove(post_id);
  for (const follower_id of followers) tx.scoredSet(key.timeline(follower_id)).remove(post_id);
}
