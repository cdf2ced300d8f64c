// What a page shows of entries: who reposted has a name.
//
// Timeline, and each list of entries, in the shape of the HTTP interface. Only here a reposter's name is read; nothing else
// of an entry is missing.
import type { Claret } from '@claret/client';

import { LIMITS, type Entry, type PostView, type UserRef } from '../api.ts';
import { NEWEST_MAX, heat, key, type Place } from '../model.ts';
import { viewEntries, viewPlaces, type ViewedEntries, type ViewedEntry } from './entries.ts';
import { trimTimeline, viewTimeline } from './timeline.ts';
import type { Usernames } from './usernames.ts';
import { viewPosts } from './view-post.ts';

export type Entries = { entries: Entry[]; next: Place | null };

/** What the person's own timeline shows. Its first page trims it as well. */
export async function timelinePage(
  claret: Claret,
  usernames: Usernames,
  input: { user_id: string; after: Place | null },
): Promise<Entries> {
  const [page] = await Promise.all([
    viewTimeline(claret, input),
    // A later view trims as well as this one.
    input.after === null ? trimTimeline(claret, input).catch(() => 0) : 0,
  ]);
  return named(claret, usernames, page);
}

/** What the person posted and reposted. */
export async function postsPage(claret: Claret, input: { user: UserRef; viewer_id: string | null; after: Place | null }): Promise<Entries> {
  const { user, viewer_id, after } = input;
  const { entries, next } = await viewEntries(claret, 'UserPosts', key.posts(user.id), { after, viewer_id });
  return { entries: entries.map((entry) => entryOf(entry, entry.reposter_id === null ? null : user)), next };
}

/** The newest posts of everybody, at most NEWEST_MAX in all. */
export const latestPage = (claret: Claret, input: NewestInput): Promise<Entries> => newestPage(claret, 'Latest', key.newest_posts, input);

/** The newest posts with this hashtag, at most NEWEST_MAX in all. */
export const taggedPage = (claret: Claret, tag: string, input: NewestInput): Promise<Entries> =>
  newestPage(claret, 'Tagged', key.tagged_posts(tag), input);

type NewestInput = { viewer_id: string | null; after: Place | null };

async function newestPage(claret: Claret, label: string, record: string, { viewer_id, after }: NewestInput): Promise<Entries> {
  const [newest] = await claret.transact(label, [claret.on.topK(record).top(NEWEST_MAX)]);
  const places = newest
    .map(([id, at_ms]): Place => ({ id, at_ms: Number(at_ms) }))
    .filter((place) => after === null || isBehind(place, after));
  const shown = places.slice(0, LIMITS.page_size);
  const entries = await viewPlaces(claret, shown, viewer_id);
  return { entries: entries.map((entry) => entryOf(entry, null)), next: places.length > shown.length ? shown.at(-1)! : null };
}

/** Read before the reposts of each are counted: some may have lost theirs since. */
export const TRENDING_CANDIDATES = 2 * LIMITS.trending_max;

/** What is trending of the candidates, hottest first. */
export const rankTrending = <Post extends { posted_at_ms: number; reposts: number }>(posts: readonly Post[]): Post[] =>
  posts
    .filter(({ reposts }) => reposts > 0)
    .sort((a, b) => heat(b.posted_at_ms, b.reposts) - heat(a.posted_at_ms, a.reposts))
    .slice(0, LIMITS.trending_max);

/** By how often they have been reposted by now, and by their age. */
export async function trending(claret: Claret, input: { viewer_id: string | null }): Promise<PostView[]> {
  const [hottest] = await claret.transact('Trending', [claret.on.topK(key.trending).top(TRENDING_CANDIDATES)]);
  return rankTrending(
    await viewPosts(
      claret,
      hottest.map(([post_id]) => post_id),
      input.viewer_id,
    ),
  );
}

/** In the order of TopK: by time, of equal times by the bytes of the id, which are ASCII. */
const isBehind = (place: Place, after: Place): boolean => (place.at_ms !== after.at_ms ? place.at_ms < after.at_ms : place.id > after.id);

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
