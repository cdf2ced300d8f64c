// Starts a site in the page: its session, its live stream, and its pages by their paths.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { LastResort } from './layout/LastResort.tsx';
import { PageBroke } from './layout/PageBroke.tsx';
import { begin } from './pages.ts';
import { SessionProvider } from './session/SessionProvider.tsx';
import type { Session } from './session/useSession.ts';
import { SiteContext, type Site } from './site.ts';

/** The code of the other pages is prefetched after this time, so that they open quickly. */
const REST_MS = 3_000;

/** Resolves when the page's own code has loaded, or is known to be missing. */
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

/** Called once, from the page's entry. REQUIRES: the page has an element with the id `root`. */
export function startSite(site: Site): void {
  const { pages, Layout, NotFound, Live } = site;
  const router = createBrowserRouter([
    {
      Component: Layout,
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
  // The first page's data is requested at once; until its code is there, index.html's shell stays.
  const firstSession = begin(pages, window.location.pathname + window.location.search);
  let known: Session | null = null;
  firstSession.then(
    (session) => void (known = session),
    () => {}, // SessionProvider handles the error, and may not be mounted yet
  );
  void whenReady(router).then(() =>
    createRoot(document.getElementById('root')!).render(
      <StrictMode>
        <LastResort comfort={site.comfort}>
          <SiteContext value={site}>
            <SessionProvider first={firstSession} known={known}>
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
