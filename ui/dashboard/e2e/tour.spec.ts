// The tour: the same five steps on the recording that comes with the page and on a running cluster, with figures only where
// something was measured.
import { expect, type Page } from '@playwright/test';
import { calmDown, on, test } from './dashboard.ts';

const tour = (page: Page) => page.getByRole('region', { name: 'Guided tour' });
const finding = (page: Page, step: string) => tour(page).getByRole('row', { name: step });
/** A rate, a mean, a duration. */
const MEASURED = / [\d,.]+ [\d.]+ [\d.]+ m?s$/;

test('without a cluster the tour leads to where its steps were recorded', async ({ page }) => {
  await page.route('**/v1/**', (route) => route.abort());
  await page.goto('/?tour=1');
  await expect(on(page).recording).toContainText('No cluster answers');
  await tour(page).getByRole('button', { name: 'Look at the whole recording' }).click();
  await expect(finding(page, 'Everybody wants the same record')).toHaveAccessibleName(MEASURED);
  await expect(finding(page, 'Another crowd')).toHaveAccessibleName(/– – –$/);
  await tour(page).getByRole('button', { name: 'Show where it was measured' }).click();
  await expect(on(page).time.getByRole('button', { name: 'Go on' })).toBeVisible();
  await expect(on(page).flags).toContainText('Bid storm begins');
});

test('on a cluster a step sets the conditions, sends the crowd and measures; leaving puts the conditions back', async ({ page, request }) => {
  test.setTimeout(120_000);
  await calmDown(request);
  await page.goto('/');
  await expect(on(page).ways.getByRole('button', { name: '+ combining' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('link', { name: 'Take the tour' }).click();
  await tour(page).getByRole('button', { name: 'Next' }).click();
  await expect(finding(page, 'Two bids do not mind each other')).toHaveAccessibleName(/– – –$/);
  await tour(page).getByRole('button', { name: 'Run it for' }).click();
  await expect(on(page).ways.getByRole('button', { name: 'Commuting operations' })).toHaveAttribute('aria-pressed', 'true');
  await expect(on(page).flags).toContainText('Bid storm begins', { timeout: 30_000 });
  await expect(finding(page, 'Two bids do not mind each other')).toHaveAccessibleName(MEASURED, { timeout: 30_000 });
  await tour(page).getByRole('button', { name: 'Leave the tour' }).click();
  await expect(on(page).ways.getByRole('button', { name: '+ combining' })).toHaveAttribute('aria-pressed', 'true');
  await calmDown(request);
});
