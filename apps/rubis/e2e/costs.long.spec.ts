// The footer of a page shows the cost of its transactions to the person who ran them.
import { expect, type Page } from '@playwright/test';
import { look, on, openAuction, placeBid, test } from './site.ts';

const footer = (page: Page) => page.locator('summary', { hasText: 'The transactions behind this page' });
const table = (page: Page) => page.getByRole('table', { name: 'The transactions behind this page' });
const row = (page: Page, label: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: label, exact: true }) });
/** the table's columns: count, operations, locks waited for, retries, runs of the body, time */
const figures = (page: Page, label: string) => row(page, label).getByRole('cell').allInnerTexts();

test('a page shows its transactions, and a placed bid is added to them', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const { page } = ada;
  await look(ada, await openAuction(seller));
  await expect(page.getByText(/\d+ transactions? · \d+ operations?/)).toBeVisible();
  await expect(table(page)).toBeHidden();

  await footer(page).click();
  await expect(row(page, 'ViewAuction')).toBeVisible();
  await expect(row(page, 'Bid')).toHaveCount(0);
  await placeBid(page, '14');
  await expect(on(page).bidding).toContainText('You’re leading with $14');
  await expect(row(page, 'Bid')).toBeVisible();
  const [count, operations, , , , time] = await figures(page, 'Bid');
  expect(count).toBe('1');
  expect(Number(operations)).toBeGreaterThan(2);
  expect(time).toMatch(/^<?[\d.]+ m?s$/);
  await placeBid(page, '20');
  await expect(row(page, 'Bid').getByRole('cell', { name: '2', exact: true }).first()).toBeVisible();
});

test('another page starts from zero, and the footer stays open or closed', async ({ enter }) => {
  const ada = await enter('ada');
  const { page } = ada;
  await page.goto('/');
  await footer(page).focus();
  await page.keyboard.press('Enter');
  await expect(row(page, 'Browse')).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'My bids and sales' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My bids and sales' })).toBeVisible();
  await expect(row(page, 'Browse')).toHaveCount(0);
  await expect(table(page).getByRole('row').nth(1)).toBeVisible();
  await page.reload();
  await expect(table(page).getByRole('row').nth(1)).toBeVisible();
  await footer(page).click();
  await page.reload();
  await expect(page.getByText(/\d+ transactions? · /)).toBeVisible();
  await expect(table(page)).toBeHidden();
});

test('a prefetch counts for the page that shows its data', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const { page } = ada;
  const address = await openAuction(seller);
  await page.goto('/me');
  await footer(page).click();
  await expect(table(page)).toBeVisible();
  const ahead = page.waitForResponse((response) => response.url().includes('/api/items'));
  await page.getByRole('link', { name: 'Browse', exact: true }).hover();
  expect((await ahead).headers()['claret-cost']).toContain('Browse');
  await expect(row(page, 'Browse')).toHaveCount(0);
  await page.getByRole('link', { name: 'Browse', exact: true }).click();
  await expect(row(page, 'Browse')).toBeVisible();
  await page.goto(address);
  await expect(row(page, 'ViewAuction')).toBeVisible();
});
