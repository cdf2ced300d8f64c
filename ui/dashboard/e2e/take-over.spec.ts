// The gateway that serves the page is killed: the page goes on at the standby, which takes the shard over, and shows that. On a replicated
// cluster of its own.
import { expect } from '@playwright/test';
import { bringAxe, expectReach } from '@claret/ui/kit/e2e/reach.ts';
import { startCluster, type Cluster } from '../../../scripts/cluster.js';
import { findNatsServer } from '../../../scripts/setup/nats-server.js';
import { asTable, EXPLORE, on, openWithPast, test } from './dashboard.ts';

test.describe('with a replicated log', () => {
  let cluster: Cluster | undefined;

  test.beforeAll(async () => {
    test.skip((await findNatsServer()) === null, 'nats-server is not installed');
    cluster = await startCluster({ shards: 1, replicated: true, dashboard: true });
  });
  test.afterAll(() => cluster?.stop());

  test('the page outlives its gateway, and flags the take-over of the shard', async ({ page, context }) => {
    await bringAxe(context);
    const [owner] = await cluster!.owners();
    const standby = cluster!.gateways.find(({ rest }) => rest !== owner!.rest)!;
    const [first, second] = [owner!, standby].map(({ rest }) => rest.slice('http://'.length));
    for (const gateway of [standby, owner!]) {
      await page.goto(gateway.rest + EXPLORE);
      await expect(on(page).line).toHaveText('Live');
    }
    await expect(on(page).owners).toContainText(`Shard 0 ${first} since`);
    await expect(on(page).owners).toContainText(`Standby ${second} up to date`);
    await expect(page.getByRole('banner')).toContainText('1 shard, 1 standby');
    await expectReach(page);

    process.kill(owner!.pid, 'SIGKILL');
    await expect(on(page).flags).toContainText(`Shard 0 taken over by ${second}`);
    await expect(page.getByRole('status').filter({ hasText: 'does not answer' })).toContainText(
      new RegExp(`You see the cluster through ${second}, .* ${second} has taken shard 0 over from ${first}\\.`),
    );
    await expect(on(page).line).toHaveText('Live');
    await expect(on(page).owners).toContainText(`Shard 0 ${second} since`);
    await expect(on(page).owners).toContainText('No standby');
    await expect((await asTable(on(page).owners)).getByRole('row')).toHaveCount(2);
    await expectReach(page);
    await page.getByRole('link', { name: 'Open it there' }).click();
    await expect(page).toHaveURL(standby.rest + EXPLORE);
    await openWithPast(page, standby.rest + EXPLORE, async (waiting) => {
      await on(page).time.getByRole('button', { name: '10 min' }).click(); // on a slow machine the take-over is long ago
      await expect(on(page).flags).toContainText(`Shard 0 taken over by ${second}`, waiting);
    });
  });
});
