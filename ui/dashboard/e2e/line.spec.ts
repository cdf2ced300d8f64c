// The connection to the cluster: what the page shows without one, and how it recovers.
import { expect } from '@playwright/test';
import { startCluster, type Cluster } from '../../../scripts/cluster.js';
import { freePorts } from '../../../scripts/run/ports.js';
import { asTable, on, test } from './dashboard.ts';

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

test.describe('when a gateway restarts', () => {
  let cluster: Cluster | undefined;
  test.afterEach(() => cluster?.stop());

  test('the page says that the gateway is unreachable, keeps its data, and reconnects by itself', async ({ page }) => {
    const [rest, grpc] = (await freePorts(2)) as [number, number];
    const start = () =>
      startCluster({ ports: { gateways: [{ rest, grpc }], auctions: [], timelines: [] }, dataDir: 'temporary', dashboard: true });
    cluster = await start();
    await page.goto(cluster.gateways[0]!.rest);
    await expect(on(page).line).toHaveText('Live');
    await expect(on(page).time).toContainText('Last 60 s');

    await cluster.stop();
    await expect(on(page).line).toHaveText('Reconnecting');
    await expect(on(page).recording).toHaveCount(0);
    cluster = await start();
    await expect(on(page).line).toHaveText('Live');
  });
});
