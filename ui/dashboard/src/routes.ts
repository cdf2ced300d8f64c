import type { RouteObject } from 'react-router';
import { InstrumentPage } from './instrument/InstrumentPage.tsx';
import { PATH } from './paths.ts';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { PageBroke } from './shell/PageBroke.tsx';
import { Shell } from './shell/Shell.tsx';

export const ROUTES: RouteObject[] = [
  {
    Component: Shell,
    ErrorBoundary: PageBroke,
    HydrateFallback: () => null,
    children: [
      { path: PATH.instrument, Component: InstrumentPage },
      { path: PATH.types, lazy: async () => ({ Component: (await import('./types/TypesPage.tsx')).TypesPage }) },
      { path: '*', Component: NotFoundPage },
    ],
  },
];
