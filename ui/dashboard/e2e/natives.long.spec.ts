// Natives on a real cluster: the spike of natives, started through the page's laboratory, and whom natives break. The tests are one story:
// each continues where the previous one ended.
import { expect, type Page } from '@playwright/test';
import {
  accessibilityFaults,
  asTable,
  calmDown,
  endSpike,
  GATEWAYS,
  on,
  PHONE,
  startSpike,
  stickingOut,
  STORED,
  test,
  totalOf,
  watch,
} from './dashboard.ts';

/** Longer than the whole story takes; the test stops the spike. */
const SPIKE = { seconds: 115, clients: 16 };

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
    await startSpike(page, 'Natives', SPIKE);
    await expect(on(page).further.getByText('natives/s', { exact: true })).toBeVisible();
    await expect(page.getByText(/beside them [\d,]+ single operations/).first()).toBeVisible();

    await cell(page, /broke.* per second: (Transfer|Audit) blocks \(native\)/)
      .first()
      .click();
    const pair = page.getByRole('dialog', { name: /^Natives meet (Transfer|Audit)$/ });
    await expect(pair.getByRole('row', { name: /^Counter\.value Counter\.add the native broke the holder/ })).toBeVisible();
    await expect(pair.getByRole('row', { name: /^spike:natives:\d+ Counter/ }).first()).toBeVisible();
    await page.keyboard.press('Escape');
  });

  test('the lanes say on which records', async () => {
    const lanes = await asTable(on(page).lanes);
    const total = (header: string) => totalOf(lanes, header);
    await expect.poll(() => total('Natives on the record')).toBeGreaterThan(0);
    await expect.poll(() => total('Broken by natives')).toBeGreaterThan(0);
  });

  test('passes the accessibility check, and fits a phone', async ({ browser }) => {
    expect(await accessibilityFaults(page)).toEqual([]);
    const phone = await browser.newPage({ ...PHONE, baseURL: GATEWAYS[1] });
    await watch(phone);
    await expect(on(phone).further.getByText('natives/s', { exact: true })).toBeVisible();
    expect(await stickingOut(phone)).toEqual([]);
    await phone.close();
  });

  test('after the stop nothing was lost', async () => {
    await endSpike(page);
    await expect(page.getByText(STORED)).toBeVisible();
  });
});
