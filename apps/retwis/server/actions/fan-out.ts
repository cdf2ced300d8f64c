// Fan-out: the changes of a Post or Repost to the timelines of its author's followers, within its transaction.
//
// Followers are read in pages. While the next page is being read, the timelines of this one are written. The writes are not awaited, and
// the client sends them to each shard in batches, so that neither an app server nor a shard is blocked for long.
import type { Operation, Tx } from '@claret/client';

import { key, scoreAt, type EntryKey } from '../model.ts';

/** the most members that one read of a Set returns */
const FOLLOWERS_PAGE = 1_000;

/** The first page of the person's followers; `spread` and `withdraw` continue from there. */
export function firstFollowers(tx: Tx, user_id: string): Operation<string[]> {
  return followersAfter(tx, user_id, null);
}

/** Adds the entry to the person's own page and timeline and to their followers' timelines; returns the number of followers. */
export function spread(tx: Tx, entry: EntryKey, user_id: string, first: readonly string[]): Promise<number> {
  const score = scoreAt(entry.at_ms);
  tx.scoredSet(key.posts(user_id)).add(entry.id, score);
  return toEach(tx, user_id, first, (timeline) => void tx.scoredSet(timeline).add(entry.id, score));
}

/** Removes the entry from the same places; returns the number of followers. */
export function withdraw(tx: Tx, entry_id: string, user_id: string, first: readonly string[]): Promise<number> {
  tx.scoredSet(key.posts(user_id)).remove(entry_id);
  return toEach(tx, user_id, first, (timeline) => void tx.scoredSet(timeline).remove(entry_id));
}

async function toEach(tx: Tx, user_id: string, first: readonly string[], change: (timeline: string) => void): Promise<number> {
  change(key.timeline(user_id));
  let reached = 0;
  for (let page = first; ;) {
    const next = page.length < FOLLOWERS_PAGE ? null : followersAfter(tx, user_id, page.at(-1)!);
    for (const follower_id of page) change(key.timeline(follower_id));
    reached += page.length;
    if (next === null) return reached;
    page = await next;
  }
}

const followersAfter = (tx: Tx, user_id: string, after: string | null): Operation<string[]> =>
  tx.set(key.followers(user_id)).members(FOLLOWERS_PAGE, after);
