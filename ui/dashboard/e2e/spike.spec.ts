// A real load spike on a real cluster of two shards, started through the page's laboratory and observed in its views. The tests are
// one story: each continues where the previous one ended.
import { expect, type Page } from '@playwright/test';
import {
  accessibilityFaults,
  asTable,
  calmDown,
  countShifts,
  EXPLORE,
  GATEWAYS,
  on,
  PHONE,
  startSpike,
  stickingOut,
  STORED,
  test,
  watch,
} from './dashboard.ts';

/** Longer than the whole story takes; the test stops the spike. */
const SPIKE_SECONDS = 115;
const CLIENTS = 16;
const SHIFTS_MAX = 0.1;
/** of the playhead */
const STEP_MS = 1_000;
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
    const readerWriter = on(page).card('Reader/writer');
    // Elements that have just loaded may still move under the pointer.
    await expect(async () => {
      await readerWriter.click();
      await expect(readerWriter).toHaveAttribute('aria-pressed', 'true', { timeout: 3_000 });
    }).toPass();
    await expect(on(page).flags).toContainText('Reader/writer locks');
    await startSpike(page, 'Bid spike', { seconds: SPIKE_SECONDS, clients: CLIENTS });
    await expect(on(page).stopSpike).toBeVisible();
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
    await zoom(page, '+');
    await expect(on(page).time.getByText(SPAN)).toBeVisible();
    const phasing = on(page).card('+ Phasing');
    await phasing.click();
    await expect(phasing).toHaveAttribute('aria-pressed', 'true');
    const conflicts = await asTable(on(page).conflicts);
    await expect(bidAgainstBid(conflicts)).toHaveCount(0);
    await expect(conflicts.getByRole('row').filter({ hasText: 'ViewAuction' }).first()).toBeVisible();
  });

  test('phases of bids and of views take turns on the hot record', async () => {
    const lanes = await asTable(on(page).lanes);
    const phases = async (mode: string) => {
      const row = lanes
        .getByRole('row')
        .filter({ hasText: '}:bids' })
        .filter({ has: page.getByRole('cell', { name: mode, exact: true }) });
      return Number((await row.getByRole('cell').nth(5).textContent({ timeout: 5_000 })) ?? 0);
    };
    await expect
      .poll(async () => {
        const [adds, reads] = [await phases('add'), await phases('read')];
        return Math.min(adds, reads) >= 5 && Math.max(adds, reads) <= 2 * Math.min(adds, reads);
      })
      .toBe(true);
  });

  test('pausing freezes all views, while the page continues to collect telemetry', async () => {
    await on(page).time.getByRole('button', { name: 'Pause' }).click();
    await expect(on(page).time.getByRole('button', { name: 'Resume' })).toBeVisible();
    const conflicts = await asTable(on(page).conflicts);
    const held = await conflicts.innerText();
    await expect(on(page).time).toContainText(/, [3-9] s ago/);
    expect(await conflicts.innerText()).toBe(held);
    await page.keyboard.press('Home');
    await expect(on(page).time.getByText(SPAN)).toBeVisible();
  });

  test('passes the accessibility check during the spike', async () => {
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('fits a phone', async ({ browser }) => {
    const phone = await browser.newPage({ ...PHONE, baseURL: GATEWAYS[1] });
    await watch(phone);
    await expect(on(phone).lanes.getByText('}:bids').first()).toBeVisible();
    await expect(on(phone).flags).toContainText('+ Phasing'); // switched through the other gateway before this page opened
    expect(await stickingOut(phone)).toEqual([]);
    await phone.close();
  });

  test('after the stop as much is stored as was acknowledged, and the whole spike can be saved', async () => {
    await zoom(page, '-');
    if (await on(page).stopSpike.isVisible()) await on(page).stopSpike.click(); // on a slow machine the spike may already be over
    await expect(page.getByText(STORED)).toBeVisible();
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
    let step = Math.ceil((blocked_ms - first_ms) / STEP_MS) + 1;
    // A page shows what happened before, on a busy machine by some seconds.
    await expect(async () => {
      await playhead.fill(String(first_ms + --step * STEP_MS));
      await expect(on(elsewhere).recording).toHaveAttribute('aria-busy', 'false');
      await expect(bidAgainstBid(conflicts)).toHaveCount(1, { timeout: 1_000 });
    }).toPass();
    await playhead.press('End');
    await expect(playhead).toHaveAttribute('aria-valuetext', /^(.+) of \1$/); // the very end, not the last whole second
    await expect(on(elsewhere).recording).toHaveAttribute('aria-busy', 'false');
    await expect(on(elsewhere).flags).toContainText('Bid spike: end');
    await expect(bidAgainstBid(conflicts)).toHaveCount(0);
    await expect((await asTable(on(elsewhere).lanes)).getByText('}:bids').first()).toBeVisible();
  });
});

test('little moves in a session of clicks, whatever figures there are to show', async ({ page }) => {
  await calmDown(page.request);
  const shifts = await countShifts(page);
  await watch(page);
  await startSpike(page, 'Bid spike', { seconds: 60, clients: 64 });
  for (const mode of ['Reader/writer', 'Commuting', '+ Phasing', '+ Combining']) {
    await on(page).card(mode).click();
    await expect(on(page).card(mode)).toHaveAttribute('aria-pressed', 'true');
    await expect(page.locator('[data-sentence]')).not.toHaveText(/^Measuring/);
  }
  await expect(on(page).further.getByRole('heading', { name: 'Batches' })).toBeAttached({ timeout: 30_000 });
  await page.locator('body').click({ position: { x: 2, y: 500 } });
  await page.keyboard.press('3');
  await expect(on(page).card('+ Phasing')).toHaveAttribute('aria-pressed', 'true');
  await on(page).time.getByRole('button', { name: '10 min' }).click();
  await on(page).time.getByRole('button', { name: 'Pause' }).click();
  await on(page).time.getByRole('button', { name: 'Resume' }).click();
  await on(page).stopSpike.click();
  await expect(page.getByText(STORED)).toBeVisible({ timeout: 30_000 });
  const { most, moved } = await shifts();
  expect(most, moved.join('\n')).toBeLessThan(SHIFTS_MAX);
  await calmDown(page.request);
});

/** Zooms from 60 s in to about 5 s (+), out to all ten minutes (-), or back. */
async function zoom(page: Page, key: '+' | '-'): Promise<void> {
  for (let presses = 0; presses < 6; presses++) await page.keyboard.press(key);
}

/** The pair's row in the table of the matrix. */
const bidAgainstBid = (conflicts: ReturnType<Page['getByRole']>) => conflicts.getByRole('row', { name: /^Bid Bid / });
