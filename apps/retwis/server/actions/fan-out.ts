// Fan-out: what a Post or Repost does to the timelines of its author's followers, within its transaction.
//
// Followers are read in pages. While the next page is on its way, the timelines of this one are written; none of that is
// awaited, and the client sends it to each shard in pieces. So neither an app server nor a shard is kept from others' work.
import type { Operation, Tx } from '@claret/client';

import { key, scoreAt, type Place } from '../model.ts';

/** What one read of a Set gives at most. */
const FOLLOWERS_PAGE = 1_000;

/** The first of those who follow the person now; `spread` and `withdraw` go on from there. */
export function firstFollowers(tx: Tx, user_id: string): Operation<string[]> {
  return followersAfter(tx, user_id, null);
}

/** Puts the entry on the person's own page and timeline, and on the followers' timelines: how many those are. */
export function spread(tx: Tx, entry: Place, user_id: string, first: readonly string[]): Promise<number> {
  const score = scoreAt(entry.at_ms);
  tx.scoredSet(key.posts(user_id)).add(entry.id, score);
  return toEach(tx, user_id, first, (timeline) => void tx.scoredSet(timeline).add(entry.id, score));
}

/** Takes it away again. */
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
