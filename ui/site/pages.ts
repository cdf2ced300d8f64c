// A site's pages: their paths, the code that each needs, and the data that each will read, so that pointing at a link can prefetch both
// before the click.
import type { ComponentType } from 'react';
import { matchPath } from 'react-router';
import { queries } from './api/useQuery.ts';
import { pageCosts } from './cost/pageCosts.ts';

export interface Page {
  path: string;
  load(): Promise<{ default: ComponentType }>;
  /** API paths that the page reads first */
  reads?(parameters: Record<string, string | undefined>, query: URLSearchParams): string[];
}

/** The page at `to` and the API paths it will read; null if there is none. */
export function findPage(pages: readonly Page[], to: string): { page: Page; reads: string[] } | null {
  const address = new URL(to, 'http://site.invalid');
  for (const page of pages) {
    const match = matchPath(page.path, address.pathname);
    if (match) return { page, reads: page.reads?.(match.params, address.searchParams) ?? [] };
  }
  return null;
}

/** Fetches the code and the first data of the page at `to`. A failure is harmless: the page itself will report it. */
export function prefetch(pages: readonly Page[], to: string): void {
  const found = findPage(pages, to);
  found?.page.load().catch(() => {});
  pageCosts.fetchAhead(() => {
    for (const path of found?.reads ?? []) void queries.load(path);
  });
}
