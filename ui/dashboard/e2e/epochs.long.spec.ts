// Epochs on a real cluster: the spike of long lists, through the page's laboratory; what the lanes and their table say, and a shard that is frozen,
// so that epochs are called off. The tests are one story: each continues where the previous one ended.
import { expect, type Page } from '@playwright/test';
import { startCluster, type Cluster } from '../../../scripts/cluster.js';
import { accessibilityFaults, asTable, endSpike, on, PHONE, startSpike, stickingOut, STORED, test, totalOf, watch } from './dashboard.ts';

/** Longer than the whole story takes; the test stops the spike. */
const SPIKE = { seconds: 115, clients: 8 };
/** Longer than any list is waited for, and too short for its clients to lose their sessions. */
const FROZEN_MS = 1_500;

const lanes = (page: Page) => on(page).epochs.getByRole('img', { name: /^Epochs of \d shards over time/ });

test.describe('epochs', () => {
  test.describe.configure({ mode: 'serial' });
  let cluster: Cluster;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    cluster = await startCluster({ shards: 2, dashboard: true });
    page = await browser.newPage({ baseURL: cluster.gateways[0]!.rest });
    await watch(page);
  });
  test.afterAll(async () => {
    await page.close();
    await cluster.stop();
  });

  test('before any list there are none, and long lists run in epochs, which the lanes and their table show', async () => {
    await expect(on(page).epochs).toContainText('no list of operations ran in one');
    await expect(on(page).further.getByRole('heading', { name: 'Epochs' })).toHaveCount(0);
    await startSpike(page, 'Long lists', SPIKE);
    await expect(on(page).further.getByRole('heading', { name: 'Epochs' })).toBeVisible();
    await expect(lanes(page)).toBeVisible();
    await expect(on(page).epochs.getByText(/^[\d.,]+\/s, \d+% held$/)).toHaveCount(2);
    const table = await asTable(on(page).epochs);
    await expect(table.getByRole('row')).toHaveCount(3);
    for (const header of ['Epochs', 'Writes', 'Reads', 'Operations']) {
      await expect.poll(() => totalOf(table, header)).toBeGreaterThan(0);
    }
    await on(page)
      .epochs.getByRole('button', { name: /as a table/ })
      .click();
  });

  test('pointing at a lane tells of the epochs there', async () => {
    await page.evaluate(() => document.querySelector('#epochs')!.scrollIntoView({ block: 'center' }));
    await expect(async () => {
      const { x, y, width } = (await lanes(page).boundingBox())!;
      await page.mouse.move(x + width - 30, y + 30);
      await expect(page.getByText(/^Shard 0 at \d/)).toBeVisible({ timeout: 1_000 });
      await expect(page.getByText(/ with [\d,]+ operations committed$/)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.mouse.move(0, 0);
  });

  test('a frozen shard is late: the epoch is called off, and its name stands beside the lanes', async () => {
    const { pid } = cluster.gateways[1]!;
    await expect(async () => {
      process.kill(pid, 'SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, FROZEN_MS));
      process.kill(pid, 'SIGCONT');
      await expect(on(page).epochs.getByText('called off: shard 1 late')).toBeVisible({ timeout: 5_000 });
    }).toPass();
    const table = await asTable(on(page).epochs);
    await expect.poll(() => totalOf(table, 'Called off')).toBeGreaterThan(0);
    await on(page)
      .epochs.getByRole('button', { name: /as a table/ })
      .click();
  });

  test('passes the accessibility check, and fits a phone', async ({ browser }) => {
    expect(await accessibilityFaults(page)).toEqual([]);
    const phone = await browser.newPage({ ...PHONE, baseURL: cluster.gateways[1]!.rest });
    await watch(phone);
    await expect(lanes(phone)).toBeVisible();
    expect(await stickingOut(phone)).toEqual([]);
    await phone.close();
  });

  test('after the stop nothing was lost', async () => {
    await endSpike(page);
    await expect(page.getByText(STORED)).toBeVisible();
  });
});
