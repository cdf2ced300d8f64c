// Timeline: a page of the posts and reposts of the people that a person follows, newest first (entries.ts).
//
// Transactions that write to a timeline do not read its length: concurrent writers would have to wait for each other. Its reader removes
// the oldest entries, now and then, in a transaction of its own.
import type { Claret } from '@claret/client';

import { TIMELINE_MAX, key, type EntryKey } from '../model.ts';
import { viewEntries, type ViewedEntries } from './entries.ts';
import { storeReads } from './reads.ts';

/** the most members that one read of a ScoredSet returns */
const TRIM_MAX = 1_000;

export function viewTimeline(claret: Claret, input: { user_id: string; after: EntryKey | null }): Promise<ViewedEntries> {
  const { user_id, after } = input;
  return viewEntries(storeReads(claret), 'Timeline', key.timeline(user_id), { after, viewer_id: user_id });
}

/**
 * Removes the entries beyond the newest `max` once there are more than twice as many, at most TRIM_MAX at a time. Returns the number of
 * removed entries.
 */
export async function trimTimeline(claret: Claret, input: { user_id: string; max?: number }): Promise<number> {
  const { user_id, max = TIMELINE_MAX } = input;
  const [beyond] = await claret.transact('TrimTimeline', [claret.on.scoredSet(key.timeline(user_id)).range(2 * max, 2 * max)]);
  if (beyond.length === 0) return 0;
  return claret.transaction('TrimTimeline', async (tx) => {
    const timeline = tx.scoredSet(key.timeline(user_id));
    const oldest = await timeline.range(max, max + TRIM_MAX - 1);
    for (const [entry_id] of oldest) timeline.remove(entry_id);
    return oldest.length;
  });
}
