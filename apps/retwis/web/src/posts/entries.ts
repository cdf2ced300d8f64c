// Lists of entries as the pages show them: pages are combined, and a first page that was read again is joined to earlier pages.
import type * as api from '../../../server/api.ts';

/** an entry on the page: each post once, at its latest entry, with the server's time of the answer that contained it */
export interface ShownEntry {
  readonly entry: api.Entry;
  readonly read_at_ms: number;
}

export function shownEntries(pages: readonly api.EntryPage[]): ShownEntry[] {
  const shown = new Map<string, ShownEntry>();
  for (const { entries, server_time_ms } of pages)
    for (const entry of entries) if (!shown.has(entry.post.id)) shown.set(entry.post.id, { entry, read_at_ms: server_time_ms });
  return [...shown.values()];
}

/**
 * A new first page, followed by the older entries that are still below it. If it does not reach down to the earlier pages, it stands alone:
 * the entries in between are unknown, and a list never has a gap.
 */
export function joinEntries(fresh: api.EntryPage, before: readonly api.EntryPage[]): readonly api.EntryPage[] {
  const last = fresh.entries.at(-1);
  if (!last || fresh.next_cursor === null) return [fresh];
  const at = before.findIndex((page) => page.entries.some(({ id }) => id === last.id));
  if (at < 0) return [fresh];
  const page = before[at]!;
  const rest = page.entries.slice(page.entries.findIndex(({ id }) => id === last.id) + 1);
  const below = rest.length > 0 ? [{ ...page, entries: rest }, ...before.slice(at + 1)] : before.slice(at + 1);
  return [fresh, ...below];
}

/** Puts the viewer's own new entry on top at once. */
export function withEntry(pages: readonly api.EntryPage[], entry: api.Entry): readonly api.EntryPage[] {
  const [first, ...others] = withoutEntry(pages, entry.id);
  return first ? [{ ...first, entries: [entry, ...first.entries] }, ...others] : pages;
}

export function withoutEntry(pages: readonly api.EntryPage[], entry_id: string): readonly api.EntryPage[] {
  if (!pages.some(({ entries }) => entries.some(({ id }) => id === entry_id))) return pages;
  return pages.map((page) => ({ ...page, entries: page.entries.filter(({ id }) => id !== entry_id) }));
}

/** How many posts these entries add for a viewer: several reposts of one post count once, the viewer's own reposts not at all. */
export function countPosts(entry_ids: readonly string[], viewer_id: string | null): number {
  // The id of a repost's entry consists of the post and the reposter.
  const parts = entry_ids.map((id) => id.split('~'));
  return new Set(parts.filter(([, reposter_id]) => viewer_id === null || reposter_id !== viewer_id).map(([post_id]) => post_id)).size;
}
