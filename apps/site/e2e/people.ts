// What every site's browser tests need: people in browsers of their own, who act as one does with a page. Nothing here waits by
// the clock; pages are asked with assertions that wait for what must come.
import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';

export { stickingOut } from '@claret/ui/kit/e2e/reach.ts';

export const PASSWORD = 'a quiet evening';
const TABS_MAX = 60;
/** Of a name on either site. */
const NAME_MAX = 20;

export interface Person {
  name: string;
  context: BrowserContext;
  page: Page;
}

/** Lets somebody in: a person with an account, logged in, in a browser of their own, at one of the site's servers. */
export type Enter = (name: string, server?: string) => Promise<Person>;

export interface SiteUnderTest {
  /** base URLs of its servers, two at least */
  servers: readonly string[];
  /** the environment variable that names them */
  variable: string;
  /** makes the account, and logs in */
  signUp(context: BrowserContext, name: string): Promise<unknown>;
}

/** The servers that the environment names: base URLs separated by commas. */
export const serversNamed = (variable: string): string[] => (process.env[variable] ?? '').split(',').filter(Boolean);

/** The test with `enter`; everybody's browser is closed when the test ends. `page` is a stranger's, at the first server. */
export function testOf({ servers, variable, signUp }: SiteUnderTest) {
  return test.extend<{ enter: Enter }>({
    baseURL: servers[0],
    enter: async ({ browser }, use) => {
      expect(new Set(servers).size, `${variable} must name two servers`).toBeGreaterThan(1);
      const people: Person[] = [];
      await use(async (name, server = servers[0]!) => {
        const person = await newPerson(browser, server, newName(name), signUp);
        people.push(person);
        return person;
      });
      await Promise.all(people.map(({ context }) => context.close()));
    },
  });
}

async function newPerson(browser: Browser, server: string, name: string, signUp: SiteUnderTest['signUp']): Promise<Person> {
  const context = await browser.newContext({ baseURL: server });
  await signUp(context, name);
  return { name, context, page: await context.newPage() };
}

let lastNumber = 0;

/** A name that nobody has had: not in another worker's browser, nor in an earlier run against the same store. */
export function newName(stem: string): string {
  const mark = `_${Date.now().toString(36)}${test.info().parallelIndex}${(lastNumber++).toString(36)}`;
  return stem.slice(0, NAME_MAX - mark.length) + mark;
}

/** As the page sends it; the person's cookie goes along. */
export async function send<Answer>(
  context: BrowserContext,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  data?: unknown,
): Promise<Answer> {
  const response = await context.request.fetch(path, { method, data, headers: { [CSRF_HEADER]: '1' } });
  expect(response.ok(), `${path}: ${response.status()} ${await response.text()}`).toBe(true);
  return (await response.json()) as Answer;
}

export async function ask<Answer>(context: BrowserContext, path: string): Promise<Answer> {
  const response = await context.request.get(path);
  expect(response.ok(), `${path}: ${response.status()}`).toBe(true);
  return (await response.json()) as Answer;
}

/** Presses Tab until the wanted element has the focus, as a person would. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < TABS_MAX; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      if (element === document.body) return ''; // nothing has the focus: the page may not be there yet
      return element?.labels?.[0]?.textContent ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (focused.includes(name)) return;
  }
  throw new Error(`${name} was not reached within ${TABS_MAX} presses of Tab`);
}
