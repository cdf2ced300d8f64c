// The connection to the cluster: what the page shows without one, and how it recovers.
import { expect } from '@playwright/test';
import { startCluster, type Cluster } from '../../../scripts/cluster.js';
import { asTable, on, test } from './dashboard.ts';

/** Long enough for a person to see it. */
const AWAY_MS = 2_000;

test.describe('without a cluster', () => {
  test.beforeEach(async ({ page }) => page.route('**/v1/**', (route) => route.abort()));

  test('the shipped recording plays, and every view shows its contents', async ({ page }) => {
    await page.goto('/');
    await expect(on(page).recording).toContainText('No cluster answers');
    await expect(on(page).line).toHaveText('Recording');
    await expect(on(page).startSpike).toHaveCount(0);
    await on(page).playhead.press('End');
    for (const view of [on(page).conflicts, on(page).lanes]) {
      await expect((await asTable(view)).getByRole('row').nth(1)).toBeVisible();
    }

    await page.unroute('**/v1/**');
    await expect(on(page).line).toHaveText('Live');
    await expect(on(page).recording).toHaveCount(0);
  });

  test('a file that is not a recording is refused with a message, and the page keeps showing what it showed', async ({ page }) => {
    await page.goto('/');
    await expect(on(page).recording).toContainText('No cluster answers');
    await on(page).file.setInputFiles({ name: 'notes.gz', mimeType: 'application/gzip', buffer: Buffer.from('no recording') });
    await expect(page.getByText('Could not open the file', { exact: true })).toBeVisible();
    await expect(on(page).recording).toContainText('No cluster answers');
  });
});

test.describe('when gateways die', () => {
  let cluster: Cluster | undefined;
  test.afterEach(() => cluster?.stop());

  test('the page says what does not answer, keeps its data, and says when it is whole again', async ({ page }) => {
    cluster = await startCluster({ shards: 2, dashboard: true, restarts: { firstMs: AWAY_MS } });
    const [own, other] = cluster.gateways;
    const banner = page.getByRole('status').filter({ hasText: /\w+ .*[.:]/ });
    await page.goto(own!.rest);
    await expect(on(page).line).toHaveText('Live');
    await expect(on(page).time).toContainText('Last 60 s');

    process.kill(other!.pid, 'SIGKILL');
    await expect(banner).toHaveText('Shard 1 does not answer: what needs its records waits or fails. Everything else goes on.');
    await expect(banner).toHaveText('All shards answer again.');

    process.kill(own!.pid, 'SIGKILL');
    await expect(on(page).line).toHaveText('Reconnecting');
    await expect(banner).toHaveText(/^The connection to the cluster was lost\. Reconnecting\. The picture ends at /);
    await expect(on(page).recording).toHaveCount(0);
    // The page may be connected before the shard answers.
    await expect(banner).toHaveText(/^(Connected again: you see the cluster as it is now|All shards answer again)\.$/);
    await expect(on(page).line).toHaveText('Live');
  });
});
