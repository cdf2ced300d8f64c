// Pages of entries, newest first: one read of one record for the list, then each post in a transaction of its own (the paper,
// section 6.3). What is atomic is that a post has come to all timelines or to none, not how often each had been reposted at
// one moment.
import type { Claret } from '@claret/client';

import { LIMITS, type PostView } from '../api.ts';
import { SCORE_MAX, SCORE_MIN, parseEntry, scoreAt, timeOf, type Place } from '../model.ts';
import { viewPost } from './view-post.ts';

export type ViewedEntry = Place & { reposter_id: string | null; post: PostView };
export type ViewedEntries = {
  entries: ViewedEntry[];
  /** the last place looked at; null: there are no more */
  next: Place | null;
};

export type PageInput = {
  /** the last place of the page before */
  after: Place | null;
  viewer_id: string | null;
};

/**
 * A page of the entries that stand in the ScoredSet. A post stands there once, where it came last; so a page may be
 * shorter than others, but it is never empty when there are more. `label` names the transaction that reads the list.
 */
export async function viewEntries(claret: Claret, label: string, record: string, input: PageInput): Promise<ViewedEntries> {
  const { after, viewer_id } = input;
  const [found] = await claret.transact(label, [
    claret.on
      .scoredSet(record)
      .rangeByScore(after === null ? SCORE_MIN : scoreAt(after.at_ms), SCORE_MAX, LIMITS.page_size + 1, after === null ? null : after.id),
  ]);
  const places = found.slice(0, LIMITS.page_size).map(([id, score]): Place => ({ id, at_ms: timeOf(score) }));
  const entries = await viewPlaces(claret, places, viewer_id);
  return { entries, next: found.length > places.length ? places.at(-1)! : null };
}

/** The posts of the places; of several places with one post, the first. */
export async function viewPlaces(claret: Claret, places: readonly Place[], viewer_id: string | null): Promise<ViewedEntry[]> {
  const of_post = new Map<string, Place & { reposter_id: string | null }>();
  for (const place of places) {
    const { post_id, reposter_id } = parseEntry(place.id);
    if (!of_post.has(post_id)) of_post.set(post_id, { ...place, reposter_id });
  }
  const viewing = Array.from(of_post, async ([post_id, place]): Promise<ViewedEntry | null> => {
    const post = await viewPost(claret, { post_id, viewer_id });
    return post === null ? null : { ...place, post };
  });
  return (await Promise.all(viewing)).filter((entry) => entry !== null);
}
