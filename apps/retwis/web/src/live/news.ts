// The entries added to a list since the page was read: for the "N new posts" pill.
import type * as api from '../../../server/api.ts';

export type EntryKey = api.LiveEntries['entries'][number];

/** The entries of the stream's first event after a read that are not news. `shown` is newest first. */
export function knownOf(heard: readonly EntryKey[], shown: readonly EntryKey[]): EntryKey[] {
  const newest_ms = shown[0]?.at_ms ?? -Infinity;
  return heard.filter(({ at_ms }) => at_ms <= newest_ms);
}

/**
 * The entries of the stream, newest first, that the page neither knew when it was read nor shows by now. A post may arrive late, further
 * down in the list. An entry that only moves up into the stream's window after a removal is not news.
 */
export function newsOf(heard: readonly EntryKey[], known: readonly EntryKey[], shown: readonly EntryKey[]): EntryKey[] {
  const oldest_ms = known.at(-1)?.at_ms ?? -Infinity;
  const old = new Set([...known, ...shown].map(({ id }) => id));
  return heard.filter(({ id, at_ms }) => !old.has(id) && at_ms >= oldest_ms);
}
