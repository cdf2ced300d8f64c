// Every page of the site, logged out and for an active person, in light and in dark, on a desktop and on a phone (playwright.config.ts): no
// accessibility faults, and no horizontal scrolling.
import { expect, type BrowserContext } from '@playwright/test';
import { ask, send } from '@claret/site/e2e/people.ts';
import { arrive, bringAxe, expectReach, unvisited } from '@claret/ui/kit/e2e/reach.ts';
import type { ItemPage, MyPage } from '../server/api.ts';
import { catalogue, test } from './site.ts';

const TABS = ['bidding', 'won', 'bought', 'selling', 'sold', 'lost', 'watching', 'comments'];

/** Pages about items of the data set: an auction with bids, and its seller. */
async function strangersPages(context: BrowserContext): Promise<string[]> {
  const { items } = await ask<ItemPage>(context, '/api/items');
  const busy = items.find(({ bid_count }) => bid_count > 3) ?? items[0]!;
  const { regions } = await catalogue(context);
  return [
    '/',
    '/browse',
    `/browse?category=${busy.category_id}&region=${busy.region_id}`,
    '/browse/categories',
    '/browse/regions',
    `/browse/regions/${regions[0]!.id}`,
    '/search?q=a',
    '/search?q=nothing-is-called-so',
    `/items/${busy.id}`,
    `/items/${busy.id}/bids`,
    `/users/${busy.seller.id}`,
    '/sell',
    '/me',
    '/inbox',
    '/login',
    '/register',
    '/no/such/page',
  ];
}

/** Pages of a demo account, which takes part in auctions of every kind. */
async function ownPages(context: BrowserContext): Promise<string[]> {
  const mine = await ask<MyPage>(context, '/api/me');
  const own = [mine.bidding, mine.won, mine.selling, mine.sold].map(([entry]) => entry?.item.id);
  const bought = mine.bought[0]?.item.id;
  expect([...own, bought], 'the demo account has something on every list').not.toContain(undefined);
  return [
    ...[...own, bought].map((id) => `/items/${id}`),
    ...TABS.map((tab) => `/me?tab=${tab}`),
    '/inbox',
    '/sell',
    `/users/${mine.user.id}`,
  ];
}

/** One page of each layout: the start page, a list, a directory, an auction, a form, and none. `npm run test:long` checks all. */
const OF_EACH_KIND = /^\/(|browse\?.*|browse\/regions|items\/[^/]+|register|no\/such\/page)$/;
const isChecked = (address: string) => process.env['CLARET_LONG'] === '1' || OF_EACH_KIND.test(address);

test('pages of each kind are accessible, logged out', { tag: '@dark' }, async ({ page, context }) => {
  await bringAxe(context);
  const pages = await strangersPages(context);
  expect(unvisited(new URL('../web/src/routes.ts', import.meta.url), pages)).toEqual([]);
  for (const address of pages.filter(isChecked)) {
    await arrive(page, address);
    await expectReach(page);
  }
});

test('every page is accessible, for a person who bids, buys, sells and watches', { tag: '@long' }, async ({ page, context }) => {
  await bringAxe(context);
  await send(context, 'POST', '/api/login', { nickname: 'demo1', password: 'claret-demo' });
  for (const address of await ownPages(context)) {
    await arrive(page, address);
    await expectReach(page);
  }
});

test(
  'menus and overlays are accessible: the bell, the account, the costs, the colours',
  { tag: ['@only-phone', '@dark'] },
  async ({ page, context }) => {
    await bringAxe(context);
    await send(context, 'POST', '/api/login', { nickname: 'demo2', password: 'claret-demo' });
    await arrive(page, '/browse');
    await page.getByText('The transactions behind this page', { exact: true }).click();
    await expectReach(page);
    for (const name of [/^Notifications/, /^Account of/, 'Theme']) {
      await page.getByRole('button', { name }).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await expectReach(page, { region: { enabled: true } }); // a menu is part of a landmark
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toHaveCount(0);
    }
  },
);
