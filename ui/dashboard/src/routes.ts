/// <reference types="vite/types/importMeta.d.ts" />
import type { RouteObject } from 'react-router';
import { InstrumentPage } from './instrument/InstrumentPage.tsx';
import { PATH } from './paths.ts';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { PageBroke } from './shell/PageBroke.tsx';
import { Shell } from './shell/Shell.tsx';

const types = import.meta.glob<Record<'TypesPage', () => React.ReactNode>>('./types/TypesPage.tsx');

export const ROUTES: RouteObject[] = [
  {
    Component: Shell,
    ErrorBoundary: PageBroke,
    HydrateFallback: () => null,
    children: [
      { path: PATH.instrument, Component: InstrumentPage },
      ...Object.values(types).map((load) => ({ path: PATH.types, lazy: async () => ({ Component: (await load()).TypesPage }) })),
      { path: '*', Component: NotFoundPage },
    ],
  },
];
