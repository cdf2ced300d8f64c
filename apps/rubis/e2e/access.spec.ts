// Accessibility: by keyboard alone, on a narrow screen, in the dark, and at unknown addresses.
import { expect } from '@playwright/test';
import { stickingOut, tabTo } from '@claret/site/e2e/people.ts';
import { arrive } from '@claret/ui/kit/e2e/reach.ts';
import { look, offer, on, openAuction, sendBid, test } from './site.ts';

test('a bid can be placed with the keyboard alone', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  await look(ada, await openAuction(seller));
  const { page } = ada;
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, 'Your bid');
  await page.keyboard.type('14');
  await sendBid(page, () => page.keyboard.press('Enter'));
  await expect(on(page).bidding).toContainText('You’re leading with $14');
});

test('a suggested bid can be chosen with the keyboard', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  await look(ada, await openAuction(seller, { start_price_cents: 10_00 }));
  await ada.page.getByRole('button', { name: 'Fill in $10' }).focus();
  await ada.page.keyboard.press('Enter');
  await expect(on(ada.page).amount).toBeFocused();
  await expect(on(ada.page).amount).toHaveValue('10');
  await sendBid(ada.page, () => ada.page.keyboard.press('Enter'));
  await expect(on(ada.page).bidding).toContainText('You’re leading with $10');
});

test('no page is wider than a 360 pixel screen', async ({ enter }) => {
  const seller = await enter('a_long_long');
  const address = await openAuction(seller, {
    title: 'Extraordinarilylongwordwithoutanyspace in a title as long as titles may be here',
    quantity: 10,
    reserve_price_cents: 5_000_000_00,
    buy_now_price_cents: 9_999_999_99,
  });
  await seller.page.setViewportSize({ width: 360, height: 740 });
  const pages = [
    '/',
    '/browse',
    '/browse/categories',
    '/browse/regions',
    '/search?q=a',
    address,
    `${address}/bids`,
    '/sell',
    '/me',
    '/inbox',
  ];
  for (const path of pages) {
    await arrive(seller.page, path);
    expect(await stickingOut(seller.page), path).toEqual([]);
  }
});

test('colours follow the system until the person chooses, and the choice is kept', async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ground).not.toBe(light);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Light' }).click();
  await expect.poll(ground).toBe(light);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(ground).toBe(light);
});

test('an unknown address says so and offers a way on', async ({ page }) => {
  for (const [path, title] of [
    ['/no/such/page', 'Page not found'],
    ['/items/nothing', 'Auction not found'],
    ['/users/nobody', 'Member not found'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Browse auctions' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All auctions' })).toBeVisible();
});

test('a page that cannot reach the server says so, and recovers by itself', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  await look(ada, await openAuction(seller));
  await ada.context.setOffline(true);
  await expect(ada.page.getByRole('status').getByText('Offline', { exact: true })).toBeVisible();
  await offer(ada.page, '14');
  await expect(on(ada.page).bidding).toContainText('Your bid may not have been placed');
  await ada.context.setOffline(false);
  await expect(on(ada.page).live).toBeVisible();
  await sendBid(ada.page);
  await expect(on(ada.page).bidding).toContainText('You’re leading with $14');
});
