// Several pages in one browser. Headless Chromium shows all of them, so a test says itself which are hidden.
import type { BrowserContext, Page, Request } from '@playwright/test';

async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

export const hide = (page: Page) => setVisibility(page, 'hidden');
export const show = (page: Page) => setVisibility(page, 'visible');

/** The pages that have a stream open, each as often as it has one. Streams at this `path` that are opened from now on count. */
export function streamsOf(context: BrowserContext, path: string): () => Page[] {
  const open = new Set<Request>();
  const end = (request: Request) => open.delete(request);
  context.on('request', (request) => new URL(request.url()).pathname === path && open.add(request));
  context.on('requestfinished', end);
  context.on('requestfailed', end);
  return () => [...open].map((request) => request.frame().page()).filter((page) => !page.isClosed());
}
