// What has come to a list of entries since the page was read: for the "N new posts" pill.
import type * as api from '../../../server/api.ts';

export type Place = api.LiveEntries['entries'][number];

/** Of what the stream tells when the page has just been read: what is no news. `shown` stands newest first. */
export function knownOf(heard: readonly Place[], shown: readonly Place[]): Place[] {
  const newest_ms = shown[0]?.at_ms ?? -Infinity;
  return heard.filter(({ at_ms }) => at_ms <= newest_ms);
}

/**
 * Entries, newest first, that the stream tells of now, and that the page neither knew when it was read nor shows by now.
 * A post may come late, to a place further down. What only moves up into the stream's window, when something is taken
 * away, is no news.
 */
export function newsOf(heard: readonly Place[], known: readonly Place[], shown: readonly Place[]): Place[] {
  const oldest_ms = known.at(-1)?.at_ms ?? -Infinity;
  const old = new Set([...known, ...shown].map(({ id }) => id));
  return heard.filter(({ id, at_ms }) => !old.has(id) && at_ms >= oldest_ms);
}
