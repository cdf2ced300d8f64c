// The site-specific values that shared code needs.
import { createContext, use, type ComponentType, type ReactNode } from 'react';
import type { Page } from './pages.ts';

export interface Site {
  /** the second word of its name: `Auctions` makes Claret Auctions */
  name: string;
  /** shown when a page broke: a sentence that says that the visitor's data is safe */
  comfort: string;
  pages: readonly Page[];
  /** Renders around every page, and the page itself where SiteLayout does. */
  Layout: ComponentType;
  /** shown at unknown paths */
  NotFound: ComponentType;
  /** keeps the pages live */
  Live: ComponentType<{ children: ReactNode }>;
}

export const SiteContext = createContext<Site | null>(null);

export function useSite(): Site {
  const site = use(SiteContext);
  if (!site) throw new Error('useSite needs a page that startSite started');
  return site;
}
