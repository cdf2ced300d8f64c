// The browser's side of every site's security: stored markup, the content policy, pages of other origins, redirects after login. A site's
// e2e/security.spec.ts calls these tests with its own pages.
import { expect, type BrowserContext, type ConsoleMessage, type Page, type TestType } from '@playwright/test';
import { attack, breakOut, expectInert, openElsewhere, sendForm, violations, watchPolicy } from './hostile.ts';
import { ask, PASSWORD, sent, type Enter, type Person } from './people.ts';

export interface HostileSite {
  servers: readonly string[];
  /** The server's own defences are the same on both sites: on this one only `npm run test:long` tests them. */
  isSecond?: boolean;
  /** the label of the field that logging in asks for besides the password */
  nameField: string;
  /** writes MARKUP everywhere that people can write; returns the pages that show it, each with the person who sees it */
  writeMarkup: (author: Person, other: Person) => Promise<[who: Person, path: string][]>;
  /** public pages, also without markup */
  pages: readonly string[];
  /** opens menus and dialogs, whose content is added to the page only then */
  openAll: (page: Page) => Promise<void>;
  /** a change that a page of another origin would like this person to make, and a check of whether it was made */
  write: (context: BrowserContext) => Promise<{ path: string; body: unknown; done: () => Promise<unknown> }>;
}

type Fixtures = { context: BrowserContext; page: Page; enter: Enter };

/** What the page's console says of errors from now on. */
function complaintsOf(page: Page): string[] {
  const said: string[] = [];
  // What a busy site refuses, the page asks for again; the browser notes it all the same.
  const isNews = (message: ConsoleMessage) =>
    message.type() === 'error' && !/ the server responded with a status of 503 /.test(message.text());
  page.on('console', (message) => void (isNews(message) && said.push(message.text())));
  page.on('pageerror', (error) => void said.push(String(error)));
  return said;
}

/** Addresses that are to lead nowhere. ui/site/api/addresses.test.ts has more, each without a login, whose hash takes long. */
const ELSEWHERE =
  process.env['CLARET_LONG'] === '1'
    ? ['//evil.example', '/\t/evil.example', '/.//evil.example', 'https://evil.example', 'javascript:window.hit=1']
    : ['/\t/evil.example', 'javascript:window.hit=1'];

export function hostileTests(test: TestType<Fixtures, object>, site: HostileSite): void {
  const [here = ''] = site.servers;
  const alike = site.isSecond === true ? { tag: '@long' } : {};

  test('user-written text stays text on every page that shows it', async ({ enter }) => {
    const [author, other] = [await enter('author'), await enter('other')];
    await Promise.all([author, other].map(({ context }) => watchPolicy(context)));
    const said = [author, other].map(({ page }) => complaintsOf(page));
    for (const [{ page }, path] of await site.writeMarkup(author, other)) {
      await page.goto(path);
      await expectInert(page, path);
      expect([path, await violations(page), said]).toEqual([path, [], [[], []]]);
    }
  });

  test('the site’s own pages break no rule of the content policy, and write nothing to the console', async ({ enter }) => {
    const { page, context } = await enter('guest');
    const said = complaintsOf(page);
    await watchPolicy(context);
    for (const path of site.pages) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      if (path === site.pages[0]) await site.openAll(page); // they are the same on every page
      expect([path, await violations(page), said]).toEqual([path, [], []]);
    }
  });

  test('an injected script can run no other script, load nothing, and send nothing out', alike, async ({ enter }) => {
    const { page, context } = await enter('guest');
    await context.route('https://evil.example/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    );
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    const came = await breakOut(page);
    expect(Object.keys(came).length).toBeGreaterThan(8);
    expect(Object.entries(came).filter(([, did]) => did)).toEqual([]);
    expect(await page.evaluate(() => document.cookie)).toBe('');
  });

  test('a page of another origin cannot frame the site', alike, async ({ context }) => {
    const { page, close } = await openElsewhere(
      context,
      '127.0.0.1',
      `<iframe src="${here}/" onload="document.title = 'loaded'"></iframe>`,
    );
    await expect(page).toHaveTitle('loaded');
    const frame = page.frames().find((one) => one !== page.mainFrame())!;
    expect(frame.url()).toMatch(/^chrome-error:/);
    await expect(frame.getByRole('heading')).toHaveCount(0);
    close();
  });

  // For a browser, another port of the same host is the same site: its requests would carry a cookie that is only SameSite.
  for (const host of ['localhost', '127.0.0.1'] as const) {
    const where = host === 'localhost' ? 'another site' : 'another port of this host';
    test(`a page of ${where} can neither read, nor change, nor hold anything here`, alike, async ({ enter }) => {
      const { context, page } = await enter('victim');
      await page.goto('/');
      const { done, ...write } = await site.write(context);
      const before = await done();
      const { page: elsewhere, close } = await openElsewhere(context, host, '<!doctype html><title>Elsewhere</title>');
      const heard = await attack(elsewhere, here, write);
      expect(heard).toEqual({
        'a read': 'refused',
        'a read that cannot be read': 'refused',
        'a change': 'refused',
        'a change as plain text': 'refused',
        'logging out': 'refused',
        'a live stream': 'refused',
        'a script': 'refused',
        'a window': 'refused',
      });
      await sendForm(elsewhere, `${here}/api/logout`);
      expect(await done()).toEqual(before);
      expect((await ask<{ user: { id: string } | null }>(context, '/api/session')).user).not.toBeNull();
      close();
    });
  }

  test('logging in never leads to another site, whatever the address says', alike, async ({ enter, page }) => {
    const { name } = await enter('guest');
    const account = page.getByRole('button', { name: `Account of ${name}` });
    await page.route('**/evil.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'evil' }));
    for (const next of ELSEWHERE) {
      await page.context().clearCookies();
      await page.goto(`/login?next=${encodeURIComponent(next)}`);
      await page.getByRole('textbox', { name: site.nameField }).fill(name);
      await page.getByLabel('Password').fill(PASSWORD);
      await sent(page, '/api/login', () => page.getByRole('button', { name: 'Log in', exact: true }).click());
      await expect(account).toBeVisible();
      await expect(page, next).toHaveURL(`${here}/`);
      expect(await page.evaluate(() => window.hit ?? null)).toBeNull();
    }
  });
}
