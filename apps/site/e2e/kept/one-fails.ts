// Run by kept.spec.ts: one test passes, and one fails on purpose.
import { expect, test } from '@playwright/test';

for (const heading of ['Right', 'Wrong']) {
  test(`the heading is ${heading}`, async ({ page }) => {
    await page.setContent('<h1>Right</h1>');
    await expect(page.getByRole('heading')).toHaveText(heading, heading === 'Wrong' ? { timeout: 200 } : {});
  });
}
