// A list that is read page by page with the server's cursors. The pages after the first are remembered by path, so that a returning visitor
// finds the list as they left it.
import { useState } from 'react';
import { withQuery } from './addresses.ts';
import { asProblem, get, type ApiProblem } from './client.ts';
import { queries, useQuery } from './useQuery.ts';

export interface CursorPage {
  /** null: this is the last page */
  next_cursor: string | null;
}

/** consecutive pages, without a gap */
export interface Chain<Page extends CursorPage> {
  readonly first: Page;
  readonly more: readonly Page[];
  /** QueryCache.audience of the person whose list it is */
  readonly audience: number;
}

export interface Pages<Item, Page> {
  /** without duplicates, in the list's order; null until the first page is there */
  items: readonly Item[] | null;
  /** the first page, for its data besides the items */
  first: Page | null;
  hasMore: boolean;
  /** more than one page has been read */
  isLong: boolean;
  isLoadingMore: boolean;
  problem: ApiProblem | null;
  moreProblem: ApiProblem | null;
  loadMore(): Promise<void>;
  /** Reads the first page again, and drops the others. */
  reload(): Promise<void>;
}

const REMEMBERED_MAX = 12;
const remembered = new Map<string, Chain<CursorPage>>();

function remember(path: string, chain: Chain<CursorPage> | null): void {
  remembered.delete(path);
  if (chain) remembered.set(path, chain);
  if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!);
}

/**
 * The pages to show. Later pages continue the first page after which they were read: if a newer first page ends elsewhere, the list stays
 * as it was, since items would be missing between the new first page and the old second one.
 */
export function pagesOf<Page extends CursorPage>(first: Page | null, chain: Chain<Page> | null, audience: number): readonly Page[] {
  if (!first) return [];
  if (!chain || chain.audience !== audience) return [first];
  return [first.next_cursor === chain.first.next_cursor ? first : chain.first, ...chain.more];
}

/** An item may have moved from one page to another between two reads. */
export function uniqueByKey<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

/** REQUIRES: the calling component has `key={path}`, so that another list starts from scratch. */
export function usePages<Page extends CursorPage, Item>(
  path: string,
  itemsOf: (page: Page) => readonly Item[],
  keyOf: (item: Item) => string,
): Pages<Item, Page> {
  const first = useQuery<Page>(path);
  const [chain, setChain] = useState(() => (remembered.get(path) as Chain<Page> | undefined) ?? null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [moreProblem, setMoreProblem] = useState<ApiProblem | null>(null);
  const pages = pagesOf(first.data, chain, queries.audience);
  const cursor = pages.at(-1)?.next_cursor ?? null;
  const keep = (next: Chain<Page> | null) => {
    remember(path, next);
    setChain(next);
  };

  const loadMore = async () => {
    const [head, ...more] = pages;
    if (!head || cursor === null || isLoadingMore) return;
    const { audience } = queries;
    setLoadingMore(true);
    setMoreProblem(null);
    try {
      const [address, query] = path.split('?');
      const next = await get<Page>(withQuery(address!, { ...Object.fromEntries(new URLSearchParams(query)), cursor }));
      if (audience === queries.audience) keep({ first: head, more: [...more, next], audience });
    } catch (thrown) {
      setMoreProblem(asProblem(thrown));
    } finally {
      setLoadingMore(false);
    }
  };

  return {
    items: first.data ? uniqueByKey(pages.flatMap(itemsOf), keyOf) : null,
    first: pages[0] ?? null,
    hasMore: cursor !== null,
    isLong: pages.length > 1,
    isLoadingMore,
    problem: first.problem,
    moreProblem,
    loadMore,
    reload: async () => {
      keep(null);
      await first.reload();
    },
  };
}
