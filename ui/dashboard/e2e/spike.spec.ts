// A real load spike on a real cluster of two shards, started through the page's laboratory and observed in its views. The tests are
// one story: each continues where the previous one ended.
import { expect, type Page } from '@playwright/test';
import {
  accessibilityFaults,
  asTable,
  calmDown,
  countShifts,
  endSpike,
  EXPLORE,
  GATEWAYS,
  on,
  openWithPast,
  PHONE,
  startSpike,
  stickingOut,
  STORED,
  switchTo,
  test,
  watch,
} from './dashboard.ts';

/** Longer than the whole story usually takes; the test stops the spike. */
const SPIKE = { seconds: 115, clients: 8 };
const SHIFTS_MAX = 0.1;
/** of the playhead */
const STEP_MS = 1_000;
const STEPS_BACK = 30;
const SPAN = /^Last [3-6](?:\.\d)? s$/;

test.describe('a bid spike', () => {
  test.describe.configure({ mode: 'serial' });
  let page: Page;
  let recording: string;
  /** when bids blocked bids */
  let blocked_ms: number;

  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage({ baseURL: GATEWAYS[0] });
    await calmDown(page.request);
    await watch(page);
  });
  test.afterAll(async () => {
    await calmDown(page.request);
    await page.close();
  });

  test('under reader/writer locks bids block bids, at both operations of the same record', async () => {
    await switchTo(page, 'Reader/writer');
    await expect(on(page).flags).toContainText('Reader/writer locks');
    await startSpike(page, 'Bid spike', SPIKE);
    await expect(on(page).flags).toContainText('Bid spike: start');
    await expect(page.getByText('The cluster is not in its normal mode: Reader/writer locks instead of + Combining.')).toBeVisible();

    const cell = on(page).conflicts.getByRole('button', { name: 'conflicts per second: Bid blocks Bid' });
    await cell.click();
    const pair = page.getByRole('dialog', { name: 'Bid blocks Bid' });
    await expect(pair.getByRole('row', { name: /^TopK.add TopK.add yes, always/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(bidAgainstBid(await asTable(on(page).conflicts))).toHaveCount(1);
    blocked_ms = Date.now();
  });

  test('under commuting locks bids no longer block bids, and the remaining conflicts are with viewers', async () => {
    await zoomIn(page);
    await expect(on(page).time.getByText(SPAN)).toBeVisible();
    const conflicts = await asTable(on(page).conflicts);
    await expect(async () => {
      await underLoad(page);
      await expect(bidAgainstBid(conflicts)).toHaveCount(0, { timeout: 5_000 });
      await expect(conflicts.getByRole('row').filter({ hasText: 'ViewAuction' }).first()).toBeVisible({ timeout: 5_000 });
    }).toPass();
  });

  test('phases of bids and of views take turns on the hot record', async () => {
    const lanes = await asTable(on(page).lanes);
    const phases = async (mode: string) => {
      const rows = lanes
        .getByRole('row')
        .filter({ hasText: '}:bids' })
        .filter({ has: page.getByRole('cell', { name: mode, exact: true }) });
      return (await rows.evaluateAll((all) => all.map((row) => Number((row as HTMLTableRowElement).cells[5]!.textContent))))[0] ?? 0;
    };
    await expect(async () => {
      await underLoad(page);
      const [adds, reads] = await Promise.all([phases('add'), phases('read')]);
      expect(Math.min(adds, reads)).toBeGreaterThanOrEqual(5);
      expect(Math.max(adds, reads)).toBeLessThanOrEqual(2 * Math.min(adds, reads));
    }).toPass();
  });

  test('pausing freezes all views, while the page continues to collect telemetry', async () => {
    await underLoad(page);
    const conflicts = await asTable(on(page).conflicts);
    await expect(conflicts).toBeVisible();
    await on(page).time.getByRole('button', { name: 'Pause' }).click();
    await expect(on(page).time.getByRole('button', { name: 'Resume' })).toBeVisible();
    await expect(on(page).time.getByText(/, ([3-9]|\d\d) s ago$| min .*ago$/)).toBeVisible();
    const held = await conflicts.innerText();
    await expect(on(page).time.getByText(/, ([6-9]|\d\d) s ago$| min .*ago$/)).toBeVisible();
    expect(await conflicts.innerText()).toBe(held);
    await page.keyboard.press('Home');
    await expect(on(page).time.getByText(SPAN)).toBeVisible();
  });

  test('passes the accessibility check during the spike', async () => {
    await underLoad(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('fits a phone', async ({ browser }) => {
    const phone = await browser.newPage({ ...PHONE, baseURL: GATEWAYS[1] });
    const { flags, lanes, time } = on(phone);
    // Switched through the other gateway before this page opened, on a slow machine long ago.
    await openWithPast(phone, EXPLORE, async (waiting) => {
      await time.getByRole('button', { name: '10 min' }).click();
      await expect(flags).toContainText('+ Phasing', waiting);
    });
    await expect(lanes.getByText('}:bids').first()).toBeVisible();
    expect(await stickingOut(phone)).toEqual([]);
    await phone.close();
  });

  test('after the stop as much is stored as was acknowledged, and the whole spike can be saved', async () => {
    await endSpike(page);
    await expect(page.getByText(STORED)).toBeVisible();
    await on(page).time.getByRole('button', { name: '10 min' }).click(); // on a slow machine the load may have ended long ago
    await expect(on(page).flags).toContainText('Bid spike: end');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save' }).click();
    recording = await (await download).path();
  });

  test('the saved recording plays without a cluster, with all of its data in the views', async ({ page: elsewhere }) => {
    await elsewhere.route('**/v1/**', (route) => route.abort());
    await elsewhere.goto(EXPLORE);
    await on(elsewhere).file.setInputFiles(recording);
    await expect(on(elsewhere).recording).toContainText('Recording: Claret'); // several minutes of a spike
    const conflicts = await asTable(on(elsewhere).conflicts);
    const { playhead } = on(elsewhere);
    const first_ms = Number(await playhead.getAttribute('min'));
    const last_step = Math.ceil((blocked_ms - first_ms) / STEP_MS);
    let back = 0;
    // A page shows what happened before, on a busy machine by some seconds.
    await expect(async () => {
      await playhead.fill(String(first_ms + Math.max(0, last_step - (back++ % STEPS_BACK)) * STEP_MS));
      await expect(on(elsewhere).recording).toHaveAttribute('aria-busy', 'false');
      await expect(bidAgainstBid(conflicts)).toHaveCount(1, { timeout: 2_000 });
    }).toPass();
    await playhead.press('End');
    await expect(playhead).toHaveAttribute('aria-valuetext', /^(.+) of \1$/); // the very end, not the last whole second
    await expect(on(elsewhere).recording).toHaveAttribute('aria-busy', 'false');
    await on(elsewhere).time.getByRole('button', { name: '10 min' }).click();
    await expect(on(elsewhere).flags).toContainText('Bid spike: end');
    await expect(bidAgainstBid(conflicts)).toHaveCount(0);
    await expect((await asTable(on(elsewhere).lanes)).getByText('}:bids').first()).toBeVisible();
  });
});

test.describe('a session of clicks', () => {
  test.beforeEach(({ request }) => calmDown(request));
  test.afterEach(({ request }) => calmDown(request));

  test('little moves, whatever figures there are to show', { tag: '@long' }, async ({ page }) => {
    const shifts = await countShifts(page);
    await watch(page);
    await startSpike(page, 'Bid spike', { seconds: 115, clients: 64 });
    for (const mode of ['Reader/writer', 'Commuting', '+ Phasing', '+ Combining']) {
      await switchTo(page, mode);
      await expect(page.locator('[data-sentence]')).not.toHaveText(/^Measuring/);
    }
    await expect(on(page).further.getByRole('heading', { name: 'Batches' })).toBeAttached();
    await page.locator('body').click({ position: { x: 2, y: 500 } });
    await expect(async () => {
      if (await on(page).startSpike.isVisible()) await startSpike(page, 'Bid spike', { seconds: 115, clients: 64 });
      await page.keyboard.press('3');
      await expect(on(page).card('+ Phasing')).toHaveAttribute('aria-pressed', 'true', { timeout: 5_000 });
    }).toPass();
    await on(page).time.getByRole('button', { name: '10 min' }).click();
    await on(page).time.getByRole('button', { name: 'Pause' }).click();
    await on(page).time.getByRole('button', { name: 'Resume' }).click();
    await endSpike(page);
    await expect(page.getByText(STORED)).toBeVisible();
    const { most, moved } = await shifts();
    expect(most, moved.join('\n')).toBeLessThan(SHIFTS_MAX);
  });
});

/** With the load under way, in the mode with phases: on a slow machine the load may have ended, and its mode with it. */
async function underLoad(page: Page): Promise<void> {
  if (await on(page).startSpike.isVisible()) await startSpike(page, 'Bid spike', SPIKE);
  await switchTo(page, '+ Phasing');
}

/** Zooms from 60 s in to about 5 s. */
async function zoomIn(page: Page): Promise<void> {
  for (let presses = 0; presses < 6; presses++) await page.keyboard.press('+');
}

/** The pair's row in the table of the matrix. */
const bidAgainstBid = (conflicts: ReturnType<Page['getByRole']>) => conflicts.getByRole('row', { name: /^Bid Bid / });
