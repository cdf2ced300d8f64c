// The site's pages: their paths, the code that each needs, and the data that each reads first.
import type { Page } from '@claret/ui/site';
import { beginAtAuction } from './api/auctionPage.ts';
import { API } from './api/paths.ts';

export const PAGES: readonly Page[] = [
  { path: '/', load: () => import('./pages/HomePage.tsx'), reads: () => [API.browse({})] },
  {
    path: '/browse',
    load: () => import('./pages/BrowsePage.tsx'),
    reads: (_, query) => [API.browse({ category: query.get('category'), region: query.get('region') })],
  },
  { path: '/browse/categories', load: () => import('./pages/CategoriesPage.tsx'), reads: () => [API.catalogue, API.popular] },
  { path: '/browse/regions', load: () => import('./pages/RegionsPage.tsx'), reads: () => [API.catalogue] },
  {
    path: '/browse/regions/:id',
    load: () => import('./pages/RegionPage.tsx'),
    reads: ({ id = '' }) => [API.catalogue, API.browse({ region: id })],
  },
  { path: '/search', load: () => import('./pages/SearchPage.tsx') },
  {
    path: '/items/:id',
    load: () => import('./pages/ItemPage.tsx'),
    reads: ({ id = '' }) => [API.page(id)],
    begins: ({ id = '' }) => beginAtAuction(id),
  },
  {
    path: '/items/:id/bids',
    load: () => import('./pages/BidsPage.tsx'),
    reads: ({ id = '' }) => [API.bids(id), API.item(id)],
  },
  { path: '/users/:id', load: () => import('./pages/UserPage.tsx'), reads: ({ id = '' }) => [API.user(id)] },
  { path: '/sell', load: () => import('./pages/SellPage.tsx') },
  { path: '/me', load: () => import('./pages/MyPage.tsx'), reads: () => [API.me] },
  { path: '/inbox', load: () => import('./pages/InboxPage.tsx'), reads: () => [API.inbox] },
  { path: '/login', load: () => import('./pages/LoginPage.tsx') },
  { path: '/register', load: () => import('./pages/RegisterPage.tsx') },
];
