// Shared by every site's browser tests: people in browsers of their own. No helper waits for a fixed time: assertions retry until the
// expected state appears.
import {
  expect,
  test,
  type APIResponse,
  type Browser,
  type BrowserContext,
  type Page,
  type Response,
  type TestInfo,
} from '@playwright/test';
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { newRequestKey, REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';

export { stickingOut } from '@claret/ui/kit/e2e/reach.ts';

export const PASSWORD = 'a quiet evening';
const TABS_MAX = 60;
const SNAPSHOT_MS = 5_000;
/** the longest name that both sites accept */
const NAME_MAX = 20;

export interface Person {
  name: string;
  context: BrowserContext;
  page: Page;
}

/** Signs up a person and opens a page for them, logged in, in a browser of their own, at one of the site's servers. */
export type Enter = (name: string, server?: string) => Promise<Person>;

export interface SiteUnderTest {
  /** base URLs of the site's servers, two at least */
  servers: readonly string[];
  /** the environment variable that holds them */
  variable: string;
  /** creates the account and logs in */
  signUp(context: BrowserContext, name: string): Promise<unknown>;
}

/** The servers in the environment variable: base URLs separated by commas. */
export const serversNamed = (variable: string): string[] => (process.env[variable] ?? '').split(',').filter(Boolean);

/** The test function with `enter`; all browsers are closed when the test ends. `page` is logged out, at the first server. */
export function testOf({ servers, variable, signUp }: SiteUnderTest) {
  return test.extend<{ enter: Enter }>({
    baseURL: servers[0],
    page: async ({ page }, use, testInfo) => {
      await use(page);
      await tellFailed([page], testInfo);
    },
    enter: async ({ browser }, use, testInfo) => {
      expect(new Set(servers).size, `${variable} must name two servers`).toBeGreaterThan(1);
      const people: Person[] = [];
      await use(async (name, server = servers[0]!) => {
        const person = await newPerson(browser, server, newName(name), signUp);
        people.push(person);
        return person;
      });
      await tellFailed(
        people.map((person) => person.page),
        testInfo,
      );
      await Promise.all(people.map(({ context }) => context.close()));
    },
  });
}

/** Prints what the pages of a failed test show: the log may be all that is kept of a run. */
async function tellFailed(pages: readonly Page[], { status, expectedStatus, title }: TestInfo): Promise<void> {
  if (status === expectedStatus) return;
  for (const page of pages) {
    const shown = await page.locator('body').ariaSnapshot({ timeout: SNAPSHOT_MS }).catch(String);
    console.error(`${title}: ${page.url()} shows\n${shown}`);
  }
}

async function newPerson(browser: Browser, server: string, name: string, signUp: SiteUnderTest['signUp']): Promise<Person> {
  const context = await browser.newContext({ baseURL: server });
  await signUp(context, name);
  return { name, context, page: await context.newPage() };
}

let lastNumber = 0;

/** A name that is unique across workers and across earlier runs against the same store. */
export function newName(stem: string): string {
  const mark = `_${Date.now().toString(36)}${test.info().parallelIndex}${(lastNumber++).toString(36)}`;
  return stem.slice(0, NAME_MAX - mark.length) + mark;
}

const BUSY = 503;
/** A server may close a connection just when the next request is sent on it: as browsers do, it is sent again on another one. */
const RESETS_MAX = 5;

/**
 * Asks again while the site is too busy to do it, or to say whether it is done, as long as the test may take: where a password's hash takes longer
 * than a request may, a site refuses many times.
 */
async function unlessBusy<Answer extends APIResponse | Response>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const response = await call();
    if (response.status() !== BUSY) return response;
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(response.headers()['retry-after'] ?? 1)));
  }
}

/**
 * Sends a request as the page does, with the person's cookie. Its key stays the same when it is sent again, so it takes effect once. A follow and a
 * repost have no key: that they are there already is then an answer too.
 */
export async function send<Answer>(
  context: BrowserContext,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  data?: unknown,
): Promise<Answer> {
  const headers = { [CSRF_HEADER]: '1', [REQUEST_KEY_HEADER]: newRequestKey(Date.now()) };
  let wasUnclear = false;
  const response = await unlessBusy(async () => {
    const answer = await context.request.fetch(path, { method, data, headers, maxRetries: RESETS_MAX });
    wasUnclear ||= answer.status() === BUSY;
    return answer;
  });
  const text = await response.text();
  const isThere = wasUnclear && /"code":"(already|not)_(following|reposted)"/.test(text);
  expect(response.ok() || isThere, `${path}: ${response.status()} ${text}`).toBe(true);
  return JSON.parse(text) as Answer;
}

/**
 * Does what makes a page send a change, and returns the site's answer to it. Where a busy site asks to be tried again, it is done again, as a person
 * would. `path`: the change's, or its end.
 */
export const sent = (page: Page, path: string, act: () => Promise<void>): Promise<Response> =>
  unlessBusy(async () => {
    const isIt = (response: Response) => response.request().method() !== 'GET' && new URL(response.url()).pathname.endsWith(path);
    const [response] = await Promise.all([page.waitForResponse(isIt), act()]);
    return response;
  });

export async function ask<Answer>(context: BrowserContext, path: string): Promise<Answer> {
  const response = await unlessBusy(() => context.request.get(path, { maxRetries: RESETS_MAX }));
  expect(response.ok(), `${path}: ${response.status()}`).toBe(true);
  return (await response.json()) as Answer;
}

/** Presses Tab until the named element has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  await page.getByRole('main').waitFor(); // presses before the page has loaded lead nowhere
  for (let presses = 0; presses < TABS_MAX; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      if (element === document.body) return ''; // nothing has the focus
      return element?.labels?.[0]?.textContent ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (focused.includes(name)) return;
  }
  throw new Error(`${name} was not reached within ${TABS_MAX} presses of Tab`);
}
