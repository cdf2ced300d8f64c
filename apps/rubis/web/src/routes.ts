// The site's pages: their addresses, the code that each needs, and what each will read, so that pointing at a link can
// fetch both before the click.
import type { ComponentType } from 'react';
import { matchPath } from 'react-router';
import { queries } from './api/door.ts';
import { API } from './api/paths.ts';

export interface Page {
  path: string;
  load(): Promise<{ default: ComponentType }>;
  /** Paths that the page reads first. */
  reads?(parameters: Record<string, string | undefined>, query: URLSearchParams): string[];
}

export const PAGES: readonly Page[] = [
  { path: '/', load: () => import('./pages/HomePage.tsx'), reads: () => [API.browse({})] },
  {
    path: '/browse',
    load: () => import('./pages/BrowsePage.tsx'),
    reads: (_, query) => [API.browse({ category: query.get('category'), region: query.get('region') })],
  },
  { path: '/search', load: () => import('./pages/SearchPage.tsx') },
  { path: '/items/:id', load: () => import('./pages/ItemPage.tsx'), reads: ({ id = '' }) => [API.item(id)] },
  { path: '/users/:id', load: () => import('./pages/UserPage.tsx'), reads: ({ id = '' }) => [API.user(id)] },
  { path: '/sell', load: () => import('./pages/SellPage.tsx') },
  { path: '/me', load: () => import('./pages/MyPage.tsx'), reads: () => [API.me] },
  { path: '/login', load: () => import('./pages/LoginPage.tsx') },
  { path: '/register', load: () => import('./pages/RegisterPage.tsx') },
];

/** Fetches the code and the first data of the page at `to`. Failing is harmless: the page itself will say so. */
export function prefetch(to: string): void {
  const address = new URL(to, window.location.origin);
  for (const page of PAGES) {
    const match = matchPath(page.path, address.pathname);
    if (!match) continue;
    page.load().catch(() => {});
    for (const path of page.reads?.(match.params, address.searchParams) ?? []) void queries.load(path);
    return;
  }
}
