// Shared by the auction site's browser tests: opening auctions through the site's API, and locators of what people see on the pages.
import { expect, type BrowserContext, type Page } from '@playwright/test';
import { ask, PASSWORD, send, sent, serversNamed, testOf, type Person } from '@claret/site/e2e/people.ts';
import type { BidAccepted, BidRequest, Catalogue, ItemOpened, SellRequest } from '../server/api.ts';

export { newName, PASSWORD, type Enter, type Person } from '@claret/site/e2e/people.ts';

const VARIABLE = 'CLARET_TEST_AUCTIONS';
export const SERVERS = serversNamed(VARIABLE);

export const test = testOf({
  servers: SERVERS,
  variable: VARIABLE,
  async signUp(context, nickname) {
    const { regions } = await catalogue(context);
    await send(context, 'POST', '/api/register', { nickname, password: PASSWORD, region_id: regions[0]!.id });
  },
});

export const catalogue = (context: BrowserContext): Promise<Catalogue> => ask(context, '/api/catalogue');

export type NewAuction = Partial<Omit<SellRequest, 'duration_minutes' | 'category_id' | 'description'>>;

/** Opens an auction as this person; returns its path on the site. */
export async function openAuction(
  seller: Person,
  { title = 'Brass Telescope', start_price_cents = 10_00, duration_seconds = 600, ...more }: NewAuction = {},
): Promise<string> {
  const { categories } = await catalogue(seller.context);
  const body: SellRequest = {
    title,
    description: 'For looking far.',
    category_id: categories[0]!.id,
    start_price_cents,
    duration_seconds,
    ...more,
  };
  const { item_id } = await send<ItemOpened>(seller.context, 'POST', '/api/items', body);
  return `/items/${item_id}`;
}

/** An auction with bids that were placed before it ended: a slow machine takes a longer one for that. */
export async function openShortAuction(
  seller: Person,
  auction: NewAuction & { duration_seconds: number },
  placeBids: (address: string) => Promise<void>,
): Promise<string> {
  for (let { duration_seconds } = auction; ; duration_seconds *= 2) {
    const address = await openAuction(seller, { ...auction, duration_seconds });
    const isOver = await placeBids(address).then(
      () => false,
      (error: Error) => {
        if (!error.message.includes('auction_closed')) throw error;
        return true;
      },
    );
    if (!isOver) return address;
  }
}

/** Bids as this person through the API, without their page. */
export const bid = (person: Person, address: string, request: BidRequest): Promise<BidAccepted> =>
  send(person.context, 'POST', `/api${address}/bids`, request);

/** The page's elements by the names that people see. */
export const on = (page: Page) => ({
  bidding: page.getByRole('region', { name: 'Bidding' }),
  amount: page.getByRole('textbox', { name: 'Your bid' }),
  bid: page.getByRole('button', { name: /^(Place bid|Bid \$)/ }),
  /** the form's button, whatever its label */
  send: page.getByRole('region', { name: 'Bidding' }).locator('button[type=submit]'),
  notices: page.getByRole('button', { name: /^Notifications/ }),
  live: page.getByRole('status').getByText('Live', { exact: true }),
});

/** Opens an auction's page and waits until it is live. */
export async function look(person: Person, address: string): Promise<void> {
  await person.page.goto(address);
  await expect(on(person.page).bidding).toBeVisible();
  await expect(on(person.page).live).toBeVisible();
}

/** Offers an amount, whatever becomes of it. */
export async function offer(page: Page, amount: string): Promise<void> {
  await on(page).amount.fill(amount);
  await on(page).bid.click();
}

/** Sends what stands in the form, and waits until the page has the site's answer: it empties the form, so nothing may be typed before. */
export async function sendBid(page: Page, press = () => on(page).send.click()): Promise<void> {
  await sent(page, '/bids', press);
  await expect(page.getByRole('button', { name: 'Placing…' })).toHaveCount(0);
}

export const placeBid = (page: Page, amount: string): Promise<void> => sendBid(page, () => offer(page, amount));

/** Registers from a page that asks for a login. */
export async function registerFromHere(page: Page, nickname: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Register' })).toBeVisible(); // the login page has fields of the same names
  await page.getByRole('textbox', { name: 'Nickname' }).fill(nickname);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('combobox', { name: 'Region' }).selectOption({ index: 3 });
  await sent(page, '/api/register', () => page.getByRole('button', { name: 'Register' }).click());
}

/** Logs in from the login page. */
export async function logInFromHere(page: Page, nickname: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Nickname' }).fill(nickname);
  await page.getByLabel('Password').fill(PASSWORD);
  await sent(page, '/api/login', () => page.getByRole('button', { name: 'Log in', exact: true }).click());
}
