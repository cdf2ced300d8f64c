// Pages whose code or data cannot be fetched say so, and recover by themselves.
import { expect, type BrowserContext } from '@playwright/test';
import { test } from './site.ts';

/** The requests that fail while the site is offline: code and data that the pages have not fetched yet. */
const MISSING = [/\/assets\/DiscoverPage/, /\/discover$/, /\/api\//];

async function cut(context: BrowserContext): Promise<void> {
  for (const address of MISSING) await context.route(address, (route) => route.abort('internetdisconnected'));
}

test('a page opened without a connection says so, and opens once there is one', async ({ page, context }) => {
  await cut(context);
  await page.goto('/about');
  await page.getByRole('link', { name: 'Discover' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'No connection' })).toBeVisible();
  await context.unrouteAll();
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible();
});

test('lists that could not be read are read once there is a connection', async ({ page, context }) => {
  await page.goto('/discover');
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible();
  const trouble = page.getByRole('alert').filter({ hasText: 'No connection' });
  const tabs = [
    { name: 'Latest posts', shown: page.getByRole('main').getByRole('article') },
    { name: 'New people', shown: page.getByRole('list', { name: 'New people' }).getByRole('listitem') },
  ];
  for (const { name, shown } of tabs) {
    await context.setOffline(true);
    await page.getByRole('tab', { name }).click();
    await expect(trouble).toBeVisible();
    await context.setOffline(false);
    await expect(shown.first()).toBeVisible();
    await expect(trouble).toHaveCount(0);
  }
});
