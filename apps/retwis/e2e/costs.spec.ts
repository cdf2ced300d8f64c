// Below a page stands what it took.
import { expect, type Page } from '@playwright/test';
import { follow, look, post, postWith, test, write } from './site.ts';

const costs = (page: Page) => page.getByRole('table', { name: 'The transactions behind this page' });
const row = (page: Page, label: string) =>
  costs(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: label, exact: true }) });

test('a timeline names the transactions that read it, and Post once one has posted', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben');
  await follow(ada, ben);
  for (const text of ['One', 'Two', 'Three']) await post(ben, text);
  const { page } = ada;
  await look(ada);
  await expect(postWith(page, 'Three')).toBeVisible();
  await page.getByText('The transactions behind this page', { exact: true }).click();
  await expect(row(page, 'ViewPost')).toBeVisible();
  await expect(row(page, 'Post')).toHaveCount(0);
  // Each post in its own transaction, as in the paper; others may stand beside the timeline.
  expect(Number(await row(page, 'ViewPost').getByRole('cell').first().innerText())).toBeGreaterThanOrEqual(3);
  await write(page, 'What does this cost?');
  await expect(postWith(page, 'What does this cost?')).toBeVisible();
  const cells = row(page, 'Post').getByRole('cell');
  await expect(cells.first()).toHaveText('1', { useInnerText: true });
  expect(Number(await cells.nth(1).innerText())).toBeGreaterThan(3);
});
