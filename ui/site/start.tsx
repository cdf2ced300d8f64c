// Starts a site in the page: who is logged in, what keeps it live, and its pages by their addresses.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { LastResort } from './frame/LastResort.tsx';
import { PageBroke } from './frame/PageBroke.tsx';
import { SessionProvider } from './session/SessionProvider.tsx';
import { SiteContext, type Site } from './site.ts';

/** When a page has come to rest, so long after the start, the code of the others is fetched: going there is quick then. */
const REST_MS = 3_000;

/** Give it the site once, from the page's entry; the page has an element with the id `root`. */
export function startSite(site: Site): void {
  const { pages, Frame, NotFound, Live } = site;
  const router = createBrowserRouter([
    {
      Component: Frame,
      ErrorBoundary: PageBroke,
      HydrateFallback: () => null,
      children: [
        {
          ErrorBoundary: PageBroke,
          children: [
            ...pages.map((page) => ({ path: page.path, lazy: async () => ({ Component: (await page.load()).default }) })),
            { path: '*', Component: NotFound },
          ],
        },
      ],
    },
  ]);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <LastResort comfort={site.comfort}>
        <SiteContext value={site}>
          <SessionProvider>
            <Live>
              <RouterProvider router={router} />
            </Live>
          </SessionProvider>
        </SiteContext>
      </LastResort>
    </StrictMode>,
  );
  window.setTimeout(() => {
    for (const page of pages) page.load().catch(() => {});
  }, REST_MS);
}
