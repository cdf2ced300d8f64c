// Messages that pages show instead of silently changing the input or the mode.
import { expect } from '@playwright/test';
import { look, test } from './site.ts';

test('a username that is too long is refused with its length, and stays in the field', async ({ page }) => {
  await page.goto('/register');
  const username = page.getByLabel('Username');
  await username.fill('a_name_that_is_much_too_long');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('alert')).toHaveText('That’s 28 characters; a username has at most 20.');
  await expect(username).toHaveValue('a_name_that_is_much_too_long');
});

test('the footer shows when the cluster is not in its normal mode, and only then', async ({ enter }) => {
  const { page, context, ...ada } = await enter('ada');
  const words = page.getByRole('contentinfo').getByText(/not in its normal mode/);
  const underConditions = async (unusual: string | null): Promise<void> => {
    await context.unroute('**/api/conditions');
    await context.route('**/api/conditions', (route) => route.fulfill({ json: { unusual, server_time_ms: Date.now() } }));
  };
  await underConditions(null);
  await look({ page, context, ...ada });
  await expect(words).toHaveCount(0);
  await underConditions('reader/writer locks, no phasing');
  await page.reload();
  await expect(words).toHaveText('The cluster is not in its normal mode (reader/writer locks, no phasing), so pages may be slower.');
});
