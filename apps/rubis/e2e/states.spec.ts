// The site is too busy or unreachable: every page says so, stays usable, and works again on a retry.
import { expect, type Page } from '@playwright/test';
import { sent } from '@claret/site/e2e/people.ts';
import { openAuction, test } from './site.ts';

const BUSY = {
  status: 503,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: '/problems/busy',
    title: 'busy',
    status: 503,
    code: 'busy',
    detail: 'Nothing has happened; please try again.',
  }),
};
const fails = (page: Page) => page.getByRole('heading', { name: /^(Not available right now|No connection)$/ });

for (const [which, options, isOne] of [
  ['a list, an auction and the inbox', {}, (at: number) => at % 3 === 0],
  ['every other page', { tag: '@long' }, (at: number) => at % 3 !== 0],
] as const)
  test(`what could not be read says so, and is read on a retry: ${which}`, options, async ({ enter }) => {
    const { page, ...ada } = await enter('ada');
    const address = await openAuction({ page, ...ada }, { title: 'Tin Robot' });
    const id = address.split('/').at(-1)!;
    const pages = [
      ['/browse', '/api/items', 'All auctions'],
      ['/browse/categories', '/api/catalogue', 'Categories'],
      ['/browse/regions', '/api/catalogue', 'Regions'],
      [address, `/api/items/${id}/page`, 'Tin Robot'],
      [`${address}/bids`, `/api/items/${id}/bids`, 'Bids'],
      ['/me', '/api/me', 'My bids and sales'],
      ['/inbox', '/api/me/inbox', 'Notifications'],
    ] as const;
    for (const [path, api, title] of pages.filter((_page, at) => isOne(at))) {
      const isOf = (url: URL) => url.pathname === api;
      await page.route(isOf, (route) => route.fulfill(BUSY));
      await page.goto(path);
      await expect(fails(page), path).toBeVisible();
      await page.route(isOf, (route) => route.abort()); // from now on, without a moment in which the page could read
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('heading', { name: 'No connection' }), path).toBeVisible();
      await page.unroute(isOf);
      const whole = page.getByRole('heading', { level: 1, name: title });
      // The page may retry by itself before the button is pressed, and after many refusals the button is there again.
      const again = page.getByRole('button', { name: 'Try again' });
      await expect(async () => {
        if (await again.isVisible()) await again.click({ timeout: 5_000 });
        await expect(whole, path).toBeVisible({ timeout: 5_000 });
      }).toPass();
      await expect(fails(page), path).toBeHidden();
    }
  });

test('a purchase that the busy site refused has not happened, and the page says so', async ({ enter }) => {
  const seller = await enter('seller');
  const { page } = await enter('ada');
  await page.goto(`${await openAuction(seller, { buy_now_price_cents: 30_00 })}?do=buy`);
  await page.route('**/buy', (route) => route.fulfill(BUSY));
  await page.getByRole('button', { name: 'Buy for $30' }).click();
  await expect(page.getByRole('dialog')).toContainText('Your purchase didn’t go through');
  await page.unroute('**/buy');
  await sent(page, '/buy', () => page.getByRole('button', { name: 'Buy for $30' }).click());
  await expect(page.getByRole('dialog', { name: 'It’s yours' })).toBeVisible();
});

test('a page whose code is missing says that there is no connection, and opens once there is one', async ({ enter }) => {
  const { page, context } = await enter('ada');
  await page.route(/\/assets\/RegionsPage/, (route) => route.abort()); // otherwise it would be prefetched
  await page.goto('/browse');
  await expect(page.getByRole('heading', { level: 1, name: 'All auctions' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('navigation', { name: 'Ways to browse' }).getByRole('link', { name: 'Regions' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'No connection' })).toBeVisible();
  await page.unroute(/\/assets\/RegionsPage/);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Regions' })).toBeVisible();
});
