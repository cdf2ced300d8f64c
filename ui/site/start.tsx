// Starts a site in the page: who is logged in, what keeps it live, and its pages by their addresses.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { SESSION_API } from './api/addresses.ts';
import { get } from './api/client.ts';
import { LastResort } from './frame/LastResort.tsx';
import { PageBroke } from './frame/PageBroke.tsx';
import { prefetch } from './pages.ts';
import { SessionProvider } from './session/SessionProvider.tsx';
import type { Session } from './session/useSession.ts';
import { SiteContext, type Site } from './site.ts';

/** When a page has come to rest, so long after the start, the code of the others is fetched: going there is quick then. */
const REST_MS = 3_000;

/** The page's own code is there, or is known to be missing. */
function whenReady(router: ReturnType<typeof createBrowserRouter>): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}

/** Give it the site once, from the page's entry; the page has an element with the id `root`. */
export function startSite(site: Site): void {
  const { pages, Frame, NotFound, Live } = site;
  const router = createBrowserRouter([
    {
      Component: Frame,
      ErrorBoundary: PageBroke,
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
  // All that the first page needs is asked for at once; until its code is there, index.html's shell stays.
  const firstSession = get<Session>(SESSION_API.session);
  firstSession.catch(() => {}); // told to the provider, which may not be there yet
  prefetch(pages, window.location.pathname + window.location.search);
  void whenReady(router).then(() =>
    createRoot(document.getElementById('root')!).render(
      <StrictMode>
        <LastResort comfort={site.comfort}>
          <SiteContext value={site}>
            <SessionProvider first={firstSession}>
              <Live>
                <RouterProvider router={router} />
              </Live>
            </SessionProvider>
          </SiteContext>
        </LastResort>
      </StrictMode>,
    ),
  );
  window.setTimeout(() => {
    for (const page of pages) page.load().catch(() => {});
  }, REST_MS);
}
