import { redirect, type RouteObject } from 'react-router';
import { PATH } from './paths.ts';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { PageBroke } from './shell/PageBroke.tsx';
import { Shell } from './shell/Shell.tsx';
import { StoryPage } from './story/StoryPage.tsx';

/** The views were on the first page once: their addresses lead to where they are now. */
function leadOn(): Response | null {
  const { hash } = window.location;
  return hash === '' ? null : redirect(PATH.explore + hash);
}

export const ROUTES: RouteObject[] = [
  {
    Component: Shell,
    ErrorBoundary: PageBroke,
    HydrateFallback: () => null,
    children: [
      { path: PATH.story, Component: StoryPage, loader: leadOn },
      { path: PATH.explore, lazy: async () => ({ Component: (await import('./explore/ExplorePage.tsx')).ExplorePage }) },
      { path: PATH.types, lazy: async () => ({ Component: (await import('./types/TypesPage.tsx')).TypesPage }) },
      { path: '*', Component: NotFoundPage },
    ],
  },
];
