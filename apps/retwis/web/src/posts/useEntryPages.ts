// A list of entries in a page. A reader who goes back finds it as they left it; a link to it shows the newest entries.
import { isPassing, withQuery, type Pages } from '@claret/ui/site';
import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react';
import { useNavigationType } from 'react-router';
import type * as api from '../../../server/api.ts';
import { get } from '../api/client.ts';
import { useConnection } from '../live/useLive.ts';
import { useSession } from '../session.ts';
import { shownEntries, type ShownEntry } from './entries.ts';
import { EntryPages, type EntryPagesState } from './entryPages.ts';

const KEPT_MAX = 12;
const kept = new Map<string, EntryPages>();
const NOTHING_YET: EntryPagesState = { pages: [], isLoading: true, isLoadingMore: false, problem: null, moreProblem: null };
const NEVER = () => () => {};

/** The list of this path as this person sees it; '' for a logged-out viewer. */
export function entryPagesOf(viewer_id: string, path: string): EntryPages {
  const key = `${viewer_id} ${path}`;
  const list = kept.get(key) ?? new EntryPages((cursor) => get<api.EntryPage>(withQuery(path, { cursor })));
  kept.delete(key);
  kept.set(key, list);
  if (kept.size > KEPT_MAX) forgetOldest();
  return list;
}

/** Shown lists are kept: otherwise components of one page, such as the list and its count of news, would show different lists. */
function forgetOldest(): void {
  for (const [key, list] of kept) {
    if (list.isShown) continue;
    kept.delete(key);
    return;
  }
}

/** The kept list of the present viewer; null while the viewer is unknown. */
export function useKeptEntries(path: string): [EntryPages | null, EntryPagesState] {
  const { user, isKnown } = useSession();
  const viewer_id = user?.id ?? '';
  const list = useMemo(() => (isKnown ? entryPagesOf(viewer_id, path) : null), [isKnown, viewer_id, path]);
  const state = useSyncExternalStore(list?.subscribe ?? NEVER, list?.state ?? (() => NOTHING_YET));
  return [list, state];
}

export interface EntryPageList extends Pages<ShownEntry, api.EntryPage> {
  /** the first page is being read, possibly again */
  isLoading: boolean;
}

export function useEntryPages(path: string): EntryPageList {
  const [list, { pages, problem, isLoading, isLoadingMore, moreProblem }] = useKeptEntries(path);
  const isReturn = useNavigationType() === 'POP';
  const arrive = useEffectEvent((at: EntryPages) => {
    if (!isReturn || at.state().pages.length === 0) void at.load();
  });
  useEffect(() => {
    if (list) arrive(list);
  }, [list]);
  const connection = useConnection();
  const isCut = problem !== null && isPassing(problem.code);
  useEffect(() => {
    if (connection === 'live' && isCut) void list?.load();
  }, [connection, isCut, list]);
  const items = useMemo(() => (pages.length > 0 ? shownEntries(pages) : null), [pages]);
  return {
    items,
    first: pages[0] ?? null,
    hasMore: (pages.at(-1)?.next_cursor ?? null) !== null,
    isLong: pages.length > 1,
    isLoading,
    isLoadingMore,
    problem,
    moreProblem,
    loadMore: async () => list?.more(),
    reload: async () => list?.load(),
  };
}
