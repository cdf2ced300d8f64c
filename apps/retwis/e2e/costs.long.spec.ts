// The footer of a page shows its transactions.
import { expect, type Page } from '@playwright/test';
import { follow, look, post, postWith, publish, test, write } from './site.ts';

const costs = (page: Page) => page.getByRole('table', { name: 'The transactions behind this page' });
const row = (page: Page, label: string) =>
  costs(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: label, exact: true }) });

test('a timeline’s footer names the transactions that read it, and Post after posting', async ({ enter }) => {
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
  // Each post in its own transaction, as in the paper; other lists may read posts, too.
  await expect.poll(async () => Number(await row(page, 'ViewPost').getByRole('cell').first().innerText())).toBeGreaterThanOrEqual(3);
  await publish(page, () => write(page, 'What does this cost?'));
  await expect(postWith(page, 'What does this cost?')).toBeVisible();
  const cells = row(page, 'Post').getByRole('cell');
  await expect(cells.first()).toHaveText('1', { useInnerText: true });
  expect(Number(await cells.nth(1).innerText())).toBeGreaterThan(3);
});
