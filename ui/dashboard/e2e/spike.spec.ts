// A real load spike on a real cluster of two shards, started through the page's laboratory and observed in its views. The tests are
// one story: each continues where the previous one ended.
import { expect, type Page } from '@playwright/test';
import { accessibilityFaults, asTable, calmDown, GATEWAYS, on, PHONE, stickingOut, test, watch } from './dashboard.ts';

/** Longer than the whole story takes; the test stops the spike. */
const SPIKE_SECONDS = 115;
const CLIENTS = 16;
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
    const readerWriter = on(page).ways.getByRole('button', { name: 'Reader/writer locks' });
    // Elements that have just loaded may still move under the pointer.
    await expect(async () => {
      await readerWriter.click();
      await expect(readerWriter).toHaveAttribute('aria-pressed', 'true', { timeout: 3_000 });
    }).toPass({ timeout: 20_000 });
    await expect(on(page).flags).toContainText('Reader/writer locks');
    await page.getByRole('button', { name: 'Duration and clients' }).click();
    await page.getByRole('textbox', { name: 'Seconds' }).fill(String(SPIKE_SECONDS));
    await page.getByRole('textbox', { name: 'Clients' }).fill(String(CLIENTS));
    await page.getByRole('button', { name: 'Apply' }).click();
    await on(page).startSpike.click();
    await expect(on(page).stopSpike).toBeVisible();
    await expect(page.getByText('The cluster is not in its normal mode: Reader/writer locks instead of + Combining.')).toBeVisible();
    await expect(on(page).flags).toContainText('Bid spike begins');

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
    const phasing = on(page).ways.getByRole('button', { name: '+ Phasing' });
    await phasing.click();
    await expect(phasing).toHaveAttribute('aria-pressed', 'true');
    const conflicts = await asTable(on(page).conflicts);
    await expect(bidAgainstBid(conflicts)).toHaveCount(0, { timeout: 20_000 });
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

  test('after the stop nothing was lost, and the whole spike can be saved', async () => {
    await zoom(page, '-');
    if (await on(page).stopSpike.isVisible()) await on(page).stopSpike.click(); // on a slow machine the spike may already be over
    await expect(page.getByText('verified: nothing lost')).toBeVisible({ timeout: 20_000 });
    await expect(on(page).flags).toContainText('Bid spike ends');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save' }).click();
    recording = await (await download).path();
  });

  test('the saved recording plays without a cluster, with all of its data in the views', async ({ page: elsewhere }) => {
    await elsewhere.route('**/v1/**', (route) => route.abort());
    await elsewhere.goto('/');
    await on(elsewhere).file.setInputFiles(recording);
    await expect(on(elsewhere).recording).toContainText('Recording: Claret', { timeout: 30_000 }); // several minutes of a spike
    const conflicts = await asTable(on(elsewhere).conflicts);
    const { playhead } = on(elsewhere);
    const first_ms = Number(await playhead.getAttribute('min'));
    let step = Math.ceil((blocked_ms - first_ms) / STEP_MS) + 1;
    // A page shows what happened before, on a busy machine by some seconds.
    await expect(async () => {
      await playhead.fill(String(first_ms + --step * STEP_MS));
      await expect(on(elsewhere).recording).toHaveAttribute('aria-busy', 'false');
      await expect(bidAgainstBid(conflicts)).toHaveCount(1, { timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    await playhead.press('End');
    await expect(playhead).toHaveAttribute('aria-valuetext', /^(.+) of \1$/); // the very end, not the last whole second
    await expect(on(elsewhere).recording).toHaveAttribute('aria-busy', 'false', { timeout: 30_000 });
    await expect(on(elsewhere).flags).toContainText('Bid spike ends');
    await expect(bidAgainstBid(conflicts)).toHaveCount(0);
    await expect((await asTable(on(elsewhere).lanes)).getByText('}:bids').first()).toBeVisible();
  });
});

/** Zooms from 60 s in to about 5 s (+), out to all ten minutes (-), or back. */
async function zoom(page: Page, key: '+' | '-'): Promise<void> {
  for (let presses = 0; presses < 6; presses++) await page.keyboard.press(key);
}

/** The pair's row in the table of the matrix. */
const bidAgainstBid = (conflicts: ReturnType<Page['getByRole']>) => conflicts.getByRole('row', { name: /^Bid Bid / });
