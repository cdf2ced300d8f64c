import { SessionProvider } from '@claret/ui/site';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { Frame } from './frame/Frame.tsx';
import { LastResort } from './frame/LastResort.tsx';
import { PageBroke } from './frame/PageBroke.tsx';
import { LiveProvider } from './live/LiveProvider.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { PAGES } from './routes.ts';

const router = createBrowserRouter([
  {
    Component: Frame,
    ErrorBoundary: PageBroke,
    HydrateFallback: () => null,
    children: [
      {
        ErrorBoundary: PageBroke,
        children: [
          ...PAGES.map((page) => ({ path: page.path, lazy: async () => ({ Component: (await page.load()).default }) })),
          { path: '*', Component: NotFoundPage },
        ],
      },
    ],
  },
]);

export function App() {
  return (
    <LastResort>
      <SessionProvider>
        <LiveProvider>
          <RouterProvider router={router} />
        </LiveProvider>
      </SessionProvider>
    </LastResort>
  );
}
