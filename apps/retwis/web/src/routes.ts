// The site's pages: their paths, the code that each needs, and the data that each will read, so that pointing at a link can prefetch both
// before the click. Timelines are not prefetched: they stay as they are until new entries are requested.
import type { Page } from '@claret/ui/site';
import { API } from './api/paths.ts';

export const PAGES: readonly Page[] = [
  { path: '/', load: () => import('./pages/HomePage.tsx') },
  {
    path: '/discover',
    load: () => import('./pages/DiscoverPage.tsx'),
    reads: (_, query) => (query.get('tab') === 'people' ? [API.people] : [API.trending]),
  },
  { path: '/u/:username', load: () => import('./pages/ProfilePage.tsx'), reads: ({ username = '' }) => [API.user(username)] },
  { path: '/p/:id', load: () => import('./pages/PostPage.tsx'), reads: ({ id = '' }) => [API.post(id)] },
  { path: '/t/:tag', load: () => import('./pages/TagPage.tsx') },
  { path: '/about', load: () => import('./pages/AboutPage.tsx') },
  { path: '/login', load: () => import('./pages/LoginPage.tsx'), reads: () => [API.demo] },
  { path: '/register', load: () => import('./pages/RegisterPage.tsx') },
];
