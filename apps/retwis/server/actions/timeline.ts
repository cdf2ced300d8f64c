// Timeline: a page of what the people one follows have posted and reposted, newest first (entries.ts).
//
// Nothing that writes to a timeline looks how long it is: many do at once, and to look would make them wait for each
// other. Its reader takes the oldest away, now and then, in a transaction of its own.
import type { Claret } from '@claret/client';

import { TIMELINE_MAX, key, type Place } from '../model.ts';
import { viewEntries, type ViewedEntries } from './entries.ts';

/** What one read of a ScoredSet gives at most. */
const TRIM_MAX = 1_000;

export function viewTimeline(claret: Claret, input: { user_id: string; after: Place | null }): Promise<ViewedEntries> {
  const { user_id, after } = input;
  return viewEntries(claret, 'Timeline', key.timeline(user_id), { after, viewer_id: user_id });
}

/**
 * Takes away what is beyond the newest `max` entries, once there are more than twice as many; at most TRIM_MAX at a time.
 * How many those were.
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
