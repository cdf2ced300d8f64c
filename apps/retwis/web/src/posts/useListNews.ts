// The number of new entries in a list since it was read, for the pill above it and for its link in the navigation.
import { useMemo } from 'react';
import type { LIMITS } from '../../../server/api.ts';
import { API } from '../api/paths.ts';
import { useNews, type LiveList } from '../live/useLive.ts';
import { useSession } from '../session.ts';
import { countPosts } from './entries.ts';
import { useKeptEntries } from './useEntryPages.ts';

const TOLD_MAX: typeof LIMITS.live_entries_max = 50;

export interface ListNews {
  count: number;
  /** true: possibly more, since the stream carries a limited number of entries */
  isAtLeast: boolean;
}

/** Without a list (null) there is no news. The viewer's own reposts do not count; their own posts are on the page already. */
export function useListNews(list: LiveList | null): ListNews {
  const { user } = useSession();
  const viewer_id = user?.id ?? null;
  const [, { pages }] = useKeptEntries(API[list ?? 'latest']);
  const shown = useMemo(
    () => (pages.length > 0 ? pages.flatMap(({ entries }) => entries.map(({ id, at_ms }) => ({ id, at_ms }))) : undefined),
    [pages],
  );
  const news = useNews(list, shown, pages[0]?.server_time_ms ?? 0);
  return useMemo(
    () => ({
      count: countPosts(
        news.map(({ id }) => id),
        viewer_id,
      ),
      isAtLeast: news.length >= TOLD_MAX,
    }),
    [news, viewer_id],
  );
}

/** `3`, or `50+` if there may be more */
export function newsCount({ count, isAtLeast }: ListNews): string {
  return isAtLeast ? `${count}+` : String(count);
}
