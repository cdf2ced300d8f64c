// What makes a site this one, for the parts that all sites share.
import { createContext, use, type ComponentType, type ReactNode } from 'react';
import type { Page } from './pages.ts';

export interface Site {
  /** the second word of its name: `Auctions` makes Claret Auctions */
  name: string;
  /** What somebody wants to hear when a page broke: that what is theirs is safe. */
  comfort: string;
  pages: readonly Page[];
  /** What stands around every page; it shows the page where SiteFrame does. */
  Frame: ComponentType;
  /** Shown at addresses that lead nowhere. */
  NotFound: ComponentType;
  /** Keeps the pages live. */
  Live: ComponentType<{ children: ReactNode }>;
}

export const SiteContext = createContext<Site | null>(null);

export function useSite(): Site {
  const site = use(SiteContext);
  if (!site) throw new Error('useSite needs a page that startSite started');
  return site;
}
