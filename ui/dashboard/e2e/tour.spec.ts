// The tour: the same steps on the shipped recording and on a running cluster, with figures only for steps that were measured.
import { expect, type Page } from '@playwright/test';
import { calmDown, GATEWAYS, on, test } from './dashboard.ts';

const tour = (page: Page) => page.getByRole('region', { name: 'Guided tour' });
const finding = (page: Page, step: string) => tour(page).getByRole('row', { name: step });
/** a rate, a mean and a duration */
const MEASURED = / [\d,.]+ [\d.]+ [\d.]+ m?s$/;

test('without a cluster the tour leads to the times at which its steps were recorded', async ({ page }) => {
  await page.route('**/v1/**', (route) => route.abort());
  await page.goto('/?tour=1');
  await expect(on(page).recording).toContainText('No cluster answers');
  await tour(page).getByRole('button', { name: 'Show the whole recording' }).click();
  await expect(finding(page, 'Everybody wants the same record')).toHaveAccessibleName(MEASURED);
  await expect(finding(page, 'Another spike')).toHaveAccessibleName(/– – –$/);
  await tour(page).getByRole('button', { name: 'Show where it was measured' }).click();
  await expect(on(page).time.getByRole('button', { name: 'Resume' })).toBeVisible();
  await expect(on(page).flags).toContainText('Bid spike begins');
});

test(
  'on a cluster a step sets its conditions for a spike and measures; the earlier ones are restored, also when the page closes',
  { tag: '@long' },
  async ({ page, request }) => {
    test.setTimeout(180_000);
    await calmDown(request);
    await page.goto('/');
    await expect(on(page).ways.getByRole('button', { name: '+ Combining' })).toHaveAttribute('aria-pressed', 'true');
    await page.getByRole('link', { name: 'Take the tour' }).click();
    await tour(page).getByRole('button', { name: 'Next' }).click();
    await expect(finding(page, 'Two bids don’t mind each other')).toHaveAccessibleName(/– – –$/);
    await tour(page)
      .getByRole('button', { name: /^Run it/ })
      .click();
    await expect(on(page).ways.getByRole('button', { name: 'Commuting locks' })).toHaveAttribute('aria-pressed', 'true');
    await expect(on(page).flags).toContainText('Bid spike begins', { timeout: 30_000 });
    await expect(finding(page, 'Two bids don’t mind each other')).toHaveAccessibleName(MEASURED, { timeout: 30_000 });
    await expect(on(page).ways.getByRole('button', { name: '+ Combining' })).toHaveAttribute('aria-pressed', 'true', { timeout: 60_000 });

    // Measurements survive a reload, and a page that is closed in the middle of a step leaves no spike or conditions behind.
    await page.reload();
    await expect(finding(page, 'Two bids don’t mind each other')).toHaveAccessibleName(MEASURED, { timeout: 30_000 });
    await tour(page).getByRole('button', { name: 'Back' }).click();
    await tour(page)
      .getByRole('button', { name: /^Run it/ })
      .click();
    await expect(on(page).ways.getByRole('button', { name: 'Reader/writer locks' })).toHaveAttribute('aria-pressed', 'true');
    await page.close();
    const locks = async () => (await (await request.get(`${GATEWAYS[0]}/v1/admin/conditions`)).json()).locks;
    await expect.poll(locks, { timeout: 60_000 }).toBe('abstract');
    await calmDown(request);
  },
);

test('the step of natives measures natives beside transactions', { tag: '@long' }, async ({ page, request }) => {
  test.setTimeout(120_000);
  await calmDown(request);
  await page.goto('/?tour=6');
  await tour(page)
    .getByRole('button', { name: /^Run it/ })
    .click();
  await expect(on(page).flags).toContainText('Natives begins', { timeout: 30_000 });
  await expect(finding(page, 'No transaction for a single operation')).toHaveAccessibleName(/ [\d,.]+ [\d,.]+ [\d.]+ [\d.]+ m?s$/, {
    timeout: 60_000,
  });
  await tour(page).getByRole('button', { name: 'Next' }).click();
  await expect(finding(page, 'Or let natives wait')).toHaveAccessibleName(/– – – –$/);
  await calmDown(request);
});

test('the steps of long lists are measured by locks and in epochs, and compared', { tag: '@long' }, async ({ page, request }) => {
  test.setTimeout(180_000);
  await calmDown(request);
  await page.goto('/?tour=10');
  for (const [step, words] of [
    ['Thousands of keys at once', 'no epochs'],
    ['One moment for all of them', 'epochs always'],
  ] as const) {
    await tour(page)
      .getByRole('button', { name: /^Run it/ })
      .click();
    await expect(on(page).flags).toContainText(words, { timeout: 30_000 });
    await expect(finding(page, step)).toHaveAccessibleName(MEASURED, { timeout: 60_000 });
    await expect(page.getByText('verified: nothing lost')).toBeVisible({ timeout: 60_000 });
    if (step === 'Thousands of keys at once') await tour(page).getByRole('button', { name: 'Next' }).click();
  }
  await expect(tour(page).getByRole('status')).toContainText(/ → [\d,.]+ committed per second/);
  await calmDown(request);
});
