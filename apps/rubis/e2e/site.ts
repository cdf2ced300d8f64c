// What the browser tests do over and over: people in browsers of their own, auctions opened through the site's API.
// Nothing here waits by the clock; pages are asked with assertions that wait for what must come.
import { expect, test as base, type Browser, type BrowserContext, type Page } from '@playwright/test';
import type { Catalogue, ItemOpened, SellRequest } from '../server/api.ts';

/** Base URLs of the auction servers under test; at least two. */
export const SERVERS = (process.env['CLARET_TEST_AUCTIONS'] ?? '').split(',').filter(Boolean);

export const PASSWORD = 'a quiet evening';

let lastNumber = 0;

/** A nickname that nobody has had, also not in an earlier run against the same store. */
export function newNickname(name: string): string {
  return `${name}_${Date.now().toString(36)}_${(lastNumber++).toString(36)}`.slice(0, 20);
}

export interface Person {
  nickname: string;
  context: BrowserContext;
  page: Page;
}

/** Lets somebody in: a person with an account, logged in, in a browser of their own, at one of the auction servers. */
export type Enter = (name: string, server?: string) => Promise<Person>;

/** The test with `enter`; everybody's browser is closed when the test ends. */
export const test = base.extend<{ enter: Enter }>({
  enter: async ({ browser }, use) => {
    expect(new Set(SERVERS).size, 'CLARET_TEST_AUCTIONS must name two auction servers').toBeGreaterThan(1);
    const people: Person[] = [];
    await use(async (name, server = SERVERS[0]!) => {
      const person = await newPerson(browser, name, server);
      people.push(person);
      return person;
    });
    await Promise.all(people.map(({ context }) => context.close()));
  },
});

async function newPerson(browser: Browser, name: string, server: string): Promise<Person> {
  const context = await browser.newContext({ baseURL: server, locale: 'en-US' });
  const nickname = newNickname(name);
  const { regions } = await catalogue(context);
  await send(context, '/api/register', { nickname, password: PASSWORD, region_id: regions[0]!.id });
  return { nickname, context, page: await context.newPage() };
}

/** POST as the page does it; the person's cookie goes along. */
async function send<Answer>(context: BrowserContext, path: string, data: unknown): Promise<Answer> {
  const response = await context.request.post(path, { data, headers: { 'x-claret-csrf': '1' } });
  expect(response.ok(), `${path}: ${response.status()} ${await response.text()}`).toBe(true);
  return (await response.json()) as Answer;
}

export async function catalogue(context: BrowserContext): Promise<Catalogue> {
  return (await (await context.request.get('/api/catalogue')).json()) as Catalogue;
}

export interface NewAuction {
  title?: string;
  start_price_cents?: number;
  duration_seconds?: number;
}

/** Opens an auction as this person; returns its address on the site. */
export async function openAuction(
  seller: Person,
  { title = 'Brass Telescope', start_price_cents = 10_00, duration_seconds = 600 }: NewAuction = {},
): Promise<string> {
  const { categories } = await catalogue(seller.context);
  const body: Omit<SellRequest, 'duration_minutes'> & { duration_seconds: number } = {
    title,
    description: 'For looking far.',
    category_id: categories[0]!.id,
    start_price_cents,
    duration_seconds,
  };
  const { item_id } = await send<ItemOpened>(seller.context, '/api/items', body);
  return `/items/${item_id}`;
}

/** The page as people use it: what they look for by name. */
export const on = (page: Page) => ({
  bidding: page.getByRole('region', { name: 'Bidding' }),
  amount: page.getByRole('textbox', { name: 'Your bid' }),
  bid: page.getByRole('button', { name: /^(Place bid|Bid \$)/ }),
  notices: page.getByRole('button', { name: /^Notices/ }),
  live: page.getByRole('status').getByText('Live', { exact: true }),
});

/** Goes to an auction and waits until its page is live. */
export async function look(person: Person, address: string): Promise<void> {
  await person.page.goto(address);
  await expect(on(person.page).bidding).toBeVisible();
  await expect(on(person.page).live).toBeVisible();
}

export async function placeBid(page: Page, amount: string): Promise<void> {
  await on(page).amount.fill(amount);
  await on(page).bid.click();
}
