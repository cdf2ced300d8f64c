// A site's pages: their paths, the code that each needs, and the data that each will read, so that pointing at a link can prefetch both
// before the click.
import type { ComponentType } from 'react';
import { matchPath } from 'react-router';
import { SESSION_API } from './api/addresses.ts';
import { get } from './api/client.ts';
import { queries } from './api/useQuery.ts';
import { pageCosts } from './cost/pageCosts.ts';
import type { Session } from './session/useSession.ts';

export interface Page {
  path: string;
  load(): Promise<{ default: ComponentType }>;
  /** API paths that the page reads first */
  reads?(parameters: Record<string, string | undefined>, query: URLSearchParams): string[];
  /**
   * Called if this is the first page of a visit: requests its data together with what every page of a visit needs, and resolves with the session
   * (session/visit.ts). Missing: both are requested by themselves.
   */
  begins?(parameters: Record<string, string | undefined>): Promise<Session>;
}

interface Found {
  page: Page;
  parameters: Record<string, string | undefined>;
  reads: string[];
}

/** The page at `to` and the API paths it will read; null if there is none. */
export function findPage(pages: readonly Page[], to: string): Found | null {
  const address = new URL(to, 'http://site.invalid');
  for (const page of pages) {
    const match = matchPath(page.path, address.pathname);
    if (match) return { page, parameters: match.params, reads: page.reads?.(match.params, address.searchParams) ?? [] };
  }
  return null;
}

/** Requests the data of the page at `to`, by which the visitor comes, and the session; resolves with the latter. */
export function begin(pages: readonly Page[], to: string): Promise<Session> {
  const found = findPage(pages, to);
  const session = found?.page.begins?.(found.parameters) ?? get<Session>(SESSION_API.session);
  prefetch(pages, to);
  return session;
}

/** Fetches the code and the first data of the page at `to`. A failure is harmless: the page itself will report it. */
export function prefetch(pages: readonly Page[], to: string): void {
  const found = findPage(pages, to);
  found?.page.load().catch(() => {});
  pageCosts.fetchAhead(() => {
    for (const path of found?.reads ?? []) void queries.load(path);
  });
}
