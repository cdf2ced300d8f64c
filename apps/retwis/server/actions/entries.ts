// Pages of entries, newest first: one read of one record for the list, then each post in a transaction of its own (the paper, section 6.3).
// A post is on all timelines or on none; the repost counts of different posts on a page may be from different times.
import { LIMITS, type PostView } from '../api.ts';
import { parseEntry, timeOf, type EntryKey } from '../model.ts';
import type { Reads } from './reads.ts';

export type ViewedEntry = EntryKey & { reposter_id: string | null; post: PostView };
export type ViewedEntries = {
  entries: ViewedEntry[];
  /** the last entry considered; null: there are no more */
  next: EntryKey | null;
};

export type PageInput = {
  /** the last entry of the page before */
  after: EntryKey | null;
  viewer_id: string | null;
};

/**
 * A page of the entries in the ScoredSet `record`. A post appears once, at its latest entry; so a page may be shorter than others, but it
 * is never empty while there are more entries. `label` names the transaction that reads the list.
 */
export async function viewEntries(reads: Reads, label: string, record: string, input: PageInput): Promise<ViewedEntries> {
  const { after, viewer_id } = input;
  const found = await reads.entries(label, record, after);
  const keys = found.slice(0, LIMITS.page_size).map(([id, score]): EntryKey => ({ id, at_ms: timeOf(score) }));
  const entries = await viewEntryPosts(reads, keys, viewer_id);
  return { entries, next: found.length > keys.length ? keys.at(-1)! : null };
}

/** The posts of the entries; of several entries for one post, the first. */
export async function viewEntryPosts(reads: Reads, keys: readonly EntryKey[], viewer_id: string | null): Promise<ViewedEntry[]> {
  const of_post = new Map<string, EntryKey & { reposter_id: string | null }>();
  for (const entry of keys) {
    const { post_id, reposter_id } = parseEntry(entry.id);
    if (!of_post.has(post_id)) of_post.set(post_id, { ...entry, reposter_id });
  }
  const viewing = Array.from(of_post, async ([post_id, entry]): Promise<ViewedEntry | null> => {
    const post = await reads.post(post_id, viewer_id);
    return post === null ? null : { ...entry, post };
  });
  return (await Promise.all(viewing)).filter((entry) => entry !== null);
}
