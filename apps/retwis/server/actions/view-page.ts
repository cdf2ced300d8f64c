// What a page shows of entries: who reposted has a name.
//
// Timeline, and each list of entries, in the shape of the HTTP interface. Only here a reposter's name is read; nothing else
// of an entry is missing.
import type { Claret } from '@claret/client';

import { LIMITS, type Entry, type PostView, type UserRef } from '../api.ts';
import { NEWEST_MAX, key, trendingKeys, type Place } from '../model.ts';
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
export async function postsPage(
  claret: Claret,
  input: { user: UserRef; viewer_id: string | null; after: Place | null },
): Promise<Entries> {
  const { user, viewer_id, after } = input;
  const { entries, next } = await viewEntries(claret, 'UserPosts', key.posts(user.id), { after, viewer_id });
  return { entries: entries.map((entry) => entryOf(entry, entry.reposter_id === null ? null : user)), next };
}

/** The newest posts of everybody, at most NEWEST_MAX in all. */
export async function latestPage(claret: Claret, input: { viewer_id: string | null; after: Place | null }): Promise<Entries> {
  const { viewer_id, after } = input;
  const [newest] = await claret.transact('Latest', [claret.on.topK(key.newest_posts).top(NEWEST_MAX)]);
  const places = newest.map(([id, at_ms]): Place => ({ id, at_ms })).filter((place) => after === null || isBehind(place, after));
  const shown = places.slice(0, LIMITS.page_size);
  const entries = await viewPlaces(claret, shown, viewer_id);
  return { entries: entries.map((entry) => entryOf(entry, null)), next: places.length > shown.length ? shown.at(-1)! : null };
}

/** Read of each day before the reposts of each are counted: some may have lost theirs since. */
export const TRENDING_CANDIDATES = 2 * LIMITS.trending_max;

/** What may be trending: of the posts counted on these days, each highest first, those that were counted highest. */
export function trendingCandidates(days: readonly (readonly [post_id: string, reposts: number | bigint][])[]): string[] {
  const ranked = days.flat().sort(([, a], [, b]) => Number(b) - Number(a)).map(([post_id]) => post_id);
  return [...new Set(ranked)].slice(0, TRENDING_CANDIDATES);
}

/** What is trending of the candidates, highest first. Of equal counts, the one that was counted higher before stays first. */
export const rankTrending = <Post extends { reposts: number }>(posts: readonly Post[]): Post[] =>
  posts.filter(({ reposts }) => reposts > 0).sort((a, b) => b.reposts - a.reposts).slice(0, LIMITS.trending_max);

/** What was reposted today and yesterday, by how often it has been reposted by now. */
export async function trending(claret: Claret, input: { viewer_id: string | null; now_ms: number }): Promise<PostView[]> {
  const days = await claret.transact('Trending', trendingKeys(input.now_ms).map((day) => claret.on.topK(day).top(TRENDING_CANDIDATES)));
  return rankTrending(await viewPosts(claret, trendingCandidates(days), input.viewer_id));
}

/** In the order of TopK: by time, of equal times by the bytes of the id, which are ASCII. */
const isBehind = (place: Place, after: Place): boolean =>
  place.at_ms !== after.at_ms ? place.at_ms < after.at_ms : place.id > after.id;

const entryOf = ({ id, at_ms, post }: ViewedEntry, reposted_by: UserRef | null): Entry => ({ id, at_ms, reposted_by, post });

async function named(claret: Claret, usernames: Usernames, { entries, next }: ViewedEntries): Promise<Entries> {
  const reposters = await usernames.of(claret, entries.flatMap(({ reposter_id }) => reposter_id ?? []));
  return {
    entries: entries.map((entry) => entryOf(entry, entry.reposter_id === null ? null : (reposters.get(entry.reposter_id) ?? null))),
    next,
  };
}
