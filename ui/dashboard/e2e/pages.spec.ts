// Every page of the dashboard in light and in dark, on a desktop and on a phone (playwright.config.ts): axe finds no violation, and
// nothing is wider than the window. spike.spec.ts checks the same under load.
import { expect } from '@playwright/test';
import { arrive, bringAxe, expectReach } from '@claret/ui/kit/e2e/reach.ts';
import { EXPLORE, on, showFew, test } from './dashboard.ts';

test.beforeEach(({ context }) => bringAxe(context));

test('every view, live', { tag: ['@phone', '@dark'] }, async ({ page }) => {
  await page.goto(EXPLORE);
  await expect(on(page).line).toHaveText('Live');
  await expect(on(page).startSpike.or(on(page).stopSpike)).toBeEnabled(); // the phone comes beside other tests of the dashboard
  await expectReach(page);
});

test('the shipped recording, with every view as a table', { tag: '@long' }, async ({ page }) => {
  await page.route('**/v1/**', (route) => route.abort());
  await page.goto(EXPLORE);
  await expect(on(page).recording).toContainText('No cluster answers');
  await on(page).playhead.press('End');
  await expectReach(page);
  const turn = page.getByRole('button', { name: /as a table/, pressed: false });
  for (let left = await turn.count(); left > 0; left--) await turn.first().click();
  await expect(turn).toHaveCount(0);
  await expect(page.getByRole('table').first()).toBeVisible();
  await expectReach(page);
});

test('the data types, and an unknown address', { tag: '@dark' }, async ({ page }) => {
  await showFew(page);
  await arrive(page, '/types');
  await expect(page.getByRole('region', { name: 'Set', exact: true })).toBeVisible();
  await expectReach(page);
  await arrive(page, '/no/such/page');
  await expectReach(page);
});
