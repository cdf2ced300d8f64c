// A list that is read page by page. What was read beyond the first page is remembered by address, so that coming back
// from an auction finds the list as one left it.
import { useState } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, get, type ApiProblem } from '../api/client.ts';
import { withQuery } from '../api/paths.ts';
import { useQuery } from '../api/useQuery.ts';

const REMEMBERED_MAX = 12;
const remembered = new Map<string, readonly api.ItemPage[]>();

function remember(path: string, pages: readonly api.ItemPage[]): void {
  remembered.delete(path);
  remembered.set(path, pages);
  if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!);
}

export interface ItemPages {
  /** null until the first page is there */
  items: readonly api.ItemCard[] | null;
  total: number | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  problem: ApiProblem | null;
  moreProblem: ApiProblem | null;
  loadMore(): Promise<void>;
  reload(): void;
}

/** Give the component that calls this `key={path}`: another list starts anew. */
export function useItemPages(path: string): ItemPages {
  const first = useQuery<api.ItemPage>(path);
  const [more, setMore] = useState(() => remembered.get(path) ?? []);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [moreProblem, setMoreProblem] = useState<ApiProblem | null>(null);
  const pages = first.data ? [first.data, ...more] : [];
  const cursor = pages.at(-1)?.next_cursor ?? null;

  const loadMore = async () => {
    if (cursor === null || isLoadingMore) return;
    setLoadingMore(true);
    setMoreProblem(null);
    try {
      const [address, query] = path.split('?');
      const next = await get<api.ItemPage>(withQuery(address!, { ...Object.fromEntries(new URLSearchParams(query)), cursor }));
      const pagesNow = [...more, next];
      remember(path, pagesNow);
      setMore(pagesNow);
    } catch (thrown) {
      setMoreProblem(asProblem(thrown));
    } finally {
      setLoadingMore(false);
    }
  };

  return {
    items: first.data ? uniqueById(pages.flatMap((page) => page.items)) : null,
    total: first.data?.total ?? null,
    hasMore: cursor !== null,
    isLoadingMore,
    problem: first.problem,
    moreProblem,
    loadMore,
    reload: first.reload,
  };
}

/** An auction may have moved from one page to another between two reads. */
function uniqueById(items: readonly api.ItemCard[]): readonly api.ItemCard[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
