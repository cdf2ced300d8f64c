// Fan-out: what a Post or Repost does to the timelines of its author's followers, within its transaction.
//
// Followers are read in pages. What is added to timelines is not awaited: the client sends one message to each shard.
import type { Tx } from '@claret/client';

import { key, scoreAt, type Place } from '../model.ts';

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

/** Puts the entry on the person's own page and timeline, and on the followers' timelines. */
export function spread(tx: Tx, entry: Place, user_id: string, followers: readonly string[]): void {
  const score = scoreAt(entry.at_ms);
  tx.scoredSet(key.posts(user_id)).add(entry.id, score);
  tx.scoredSet(key.timeline(user_id)).add(entry.id, score);
  for (const follower_id of followers) tx.scoredSet(key.timeline(follower_id)).add(entry.id, score);
}

/** Takes it away again. */
export function withdraw(tx: Tx, entry_id: string, user_id: string, followers: readonly string[]): void {
  tx.scoredSet(key.posts(user_id)).remove(entry_id);
  tx.scoredSet(key.timeline(user_id)).remove(entry_id);
  for (const follower_id of followers) tx.scoredSet(key.timeline(follower_id)).remove(entry_id);
}
