// Natives on a real cluster: the spike of natives, started through the page's laboratory; whom natives break and for whom they wait; and
// the switch between the two. The tests are one story: each continues where the previous one ended.
import { expect, type Page } from '@playwright/test';
import { accessibilityFaults, asTable, calmDown, GATEWAYS, on, PHONE, startSpike, stickingOut, test, totalOf, watch } from './dashboard.ts';

/** Longer than the whole story takes; the test stops the spike. */
const SPIKE = { seconds: 115, clients: 16 };
/** Under `pass`, breaks and waits alternate; a machine under load may need some seconds for the first break. */
const FIRST_WITHIN_MS = 30_000;

const natives = (page: Page) => page.getByRole('group', { name: 'Natives', exact: true });
const cell = (page: Page, what: RegExp) => on(page).conflicts.getByRole('button', { name: what });

test.describe('the spike of natives', () => {
  test.describe.configure({ mode: 'serial' });
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage({ baseURL: GATEWAYS[0] });
    await calmDown(page.request);
    await watch(page);
  });
  test.afterAll(async () => {
    await calmDown(page.request);
    await page.close();
  });

  test('runs natives beside transactions, which they break', async () => {
    await expect(natives(page).getByRole('button', { name: 'Pass' })).toHaveAttribute('aria-pressed', 'true');
    await startSpike(page, 'Natives', SPIKE);
    await expect(on(page).figures.getByText('natives/s', { exact: true })).toBeVisible();
    await expect(page.getByText(/Beside them, [\d,]+ natives a second/)).toBeVisible();

    await cell(page, /broke.* per second: (Transfer|Audit) blocks \(native\)/)
      .first()
      .click({ timeout: FIRST_WITHIN_MS });
    const pair = page.getByRole('dialog', { name: /^Natives meet (Transfer|Audit)$/ });
    await expect(pair.getByRole('row', { name: /^Counter\.value Counter\.add the native broke the holder/ })).toBeVisible();
    await expect(pair.getByRole('row', { name: /^spike:natives:\d+ Counter/ }).first()).toBeVisible();
    await page.keyboard.press('Escape');
  });

  test('the lanes say on which records', async () => {
    const lanes = await asTable(on(page).lanes);
    const total = (header: string) => totalOf(lanes, header);
    await expect.poll(() => total('Natives on the record')).toBeGreaterThan(0);
    await expect.poll(() => total('Broken by natives'), { timeout: FIRST_WITHIN_MS }).toBeGreaterThan(0);
  });

  test('once natives wait, they break nobody', async () => {
    const wait = natives(page).getByRole('button', { name: 'Wait' });
    await wait.click();
    await expect(wait).toHaveAttribute('aria-pressed', 'true');
    await expect(on(page).flags).toContainText('natives wait');
    await expect(page.getByText('The cluster is not in its normal mode: + Combining, natives wait instead of + Combining.')).toBeVisible();
    await expect(cell(page, /^[\d.,]+ waited per second: (Transfer|Audit) blocks \(native\)/).first()).toBeVisible({
      timeout: FIRST_WITHIN_MS,
    });
    await expect(cell(page, /broke/)).toHaveCount(0);
  });

  test('passes the accessibility check, and fits a phone', async ({ browser }) => {
    expect(await accessibilityFaults(page)).toEqual([]);
    const phone = await browser.newPage({ ...PHONE, baseURL: GATEWAYS[1] });
    await watch(phone);
    await expect(natives(phone).getByRole('button', { name: 'Wait' })).toHaveAttribute('aria-pressed', 'true');
    await expect(on(phone).figures.getByText('natives/s', { exact: true })).toBeVisible({ timeout: FIRST_WITHIN_MS });
    expect(await stickingOut(phone)).toEqual([]);
    await phone.close();
  });

  test('after the stop nothing was lost, and the cluster goes back to normal', async () => {
    if (await on(page).stopSpike.isVisible()) await on(page).stopSpike.click(); // on a slow machine the spike may already be over
    await expect(page.getByText('verified: nothing lost')).toBeVisible({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Back to normal' }).click();
    await expect(natives(page).getByRole('button', { name: 'Pass' })).toHaveAttribute('aria-pressed', 'true');
  });
});
