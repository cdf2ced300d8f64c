// Lists of entries in the shape of the HTTP interface, with the names of reposters.
//
// The names are read only here; all other parts of an entry come from the actions.
import type { Claret } from '@claret/client';

import { LIMITS, type Entry, type PostView, type UserRef } from '../api.ts';
import { NEWEST_MAX, heat, key, type EntryKey } from '../model.ts';
import { viewEntries, viewEntryPosts, type ViewedEntries, type ViewedEntry } from './entries.ts';
import { storeReads, type Reads } from './reads.ts';
import { trimTimeline, viewTimeline } from './timeline.ts';
import type { Usernames } from './usernames.ts';

export type Entries = { entries: Entry[]; next: EntryKey | null };

/** A page of the person's own timeline. Reading the first page also trims the timeline. */
export async function timelinePage(
  claret: Claret,
  usernames: Usernames,
  input: { user_id: string; after: EntryKey | null },
): Promise<Entries> {
  const [page] = await Promise.all([
    viewTimeline(claret, input),
    // A failed trim is harmless: a later view trims as well.
    input.after === null ? trimTimeline(claret, input).catch(() => 0) : 0,
  ]);
  return named(claret, usernames, page);
}

/** the person's posts and reposts */
export async function postsPage(
  claret: Claret,
  input: { user: UserRef; viewer_id: string | null; after: EntryKey | null },
  reads: Reads = storeReads(claret),
): Promise<Entries> {
  const { user, viewer_id, after } = input;
  const { entries, next } = await viewEntries(reads, 'UserPosts', key.posts(user.id), { after, viewer_id });
  return { entries: entries.map((entry) => entryOf(entry, entry.reposter_id === null ? null : user)), next };
}

/** the newest posts of all people, at most NEWEST_MAX in total */
export const latestPage = (claret: Claret, input: NewestInput, reads?: Reads): Promise<Entries> =>
  newestPage(reads ?? storeReads(claret), 'Latest', key.newest_posts, input);

/** the newest posts with this hashtag, at most NEWEST_MAX in total */
export const taggedPage = (claret: Claret, tag: string, input: NewestInput, reads?: Reads): Promise<Entries> =>
  newestPage(reads ?? storeReads(claret), 'Tagged', key.tagged_posts(tag), input);

type NewestInput = { viewer_id: string | null; after: EntryKey | null };

async function newestPage(reads: Reads, label: string, record: string, { viewer_id, after }: NewestInput): Promise<Entries> {
  const newest = await reads.newest(label, record, NEWEST_MAX);
  const keys = newest
    .map(([id, at_ms]): EntryKey => ({ id, at_ms: Number(at_ms) }))
    .filter((entry) => after === null || isBehind(entry, after));
  const shown = keys.slice(0, LIMITS.page_size);
  const entries = await viewEntryPosts(reads, shown, viewer_id);
  return { entries: entries.map((entry) => entryOf(entry, null)), next: keys.length > shown.length ? shown.at(-1)! : null };
}

/** posts read before their present reposts are counted: some may have lost reposts since */
export const TRENDING_CANDIDATES = 2 * LIMITS.trending_max;

/** The trending posts among the candidates, hottest first. */
export const rankTrending = <Post extends { posted_at_ms: number; reposts: number }>(posts: readonly Post[]): Post[] =>
  posts
    .filter(({ reposts }) => reposts > 0)
    .sort((a, b) => heat(b.posted_at_ms, b.reposts) - heat(a.posted_at_ms, a.reposts))
    .slice(0, LIMITS.trending_max);

/** ordered by the present number of reposts and by age */
export async function trending(
  claret: Claret,
  { viewer_id }: { viewer_id: string | null },
  reads: Reads = storeReads(claret),
): Promise<PostView[]> {
  const hottest = await reads.newest('Trending', key.trending, TRENDING_CANDIDATES);
  // The posts need no common snapshot, so no read waits for another.
  const posts = await Promise.all(hottest.map(([post_id]) => reads.post(post_id, viewer_id)));
  return rankTrending(posts.filter((post) => post !== null));
}

/** The order of TopK: by time, then by the bytes of the id, which are ASCII. */
const isBehind = (entry: EntryKey, after: EntryKey): boolean =>
  entry.at_ms !== after.at_ms ? entry.at_ms < after.at_ms : entry.id > after.id;

const entryOf = ({ id, at_ms, post }: ViewedEntry, reposted_by: UserRef | null): Entry => ({ id, at_ms, reposted_by, post });

async function named(claret: Claret, usernames: Usernames, { entries, next }: ViewedEntries): Promise<Entries> {
  const reposters = await usernames.of(
    claret,
    entries.flatMap(({ reposter_id }) => reposter_id ?? []),
  );
  return {
    entries: entries.map((entry) => entryOf(entry, entry.reposter_id === null ? null : (reposters.get(entry.reposter_id) ?? null))),
    next,
  };
}
