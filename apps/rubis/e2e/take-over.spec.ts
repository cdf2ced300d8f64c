// The gateway that owns an auction's shard is killed while the auction is open, and a standby takes the shard over: the page says so, goes on
// without a reload, and a bid counts once. On a replicated cluster of its own.
import { expect } from '@playwright/test';
import { saidBy } from '@claret/ui/kit/e2e/said.ts';
import { startCluster, type Cluster } from '../../../scripts/cluster.js';
import { findNatsServer } from '../../../scripts/setup/nats-server.js';
import { look, on, openAuction, test } from './site.ts';

test.describe('with a replicated log', () => {
  let cluster: Cluster | undefined;

  test.beforeAll(async () => {
    test.skip((await findNatsServer()) === null, 'nats-server is not installed');
    cluster = await startCluster({ shards: 1, auctionServers: 1, replicated: true, registrationsPerHour: 100_000, restarts: {} });
  });
  test.afterAll(() => cluster?.stop());

  test('an auction outlives the gateway that owns it, and a bid meanwhile counts once', async ({ enter }) => {
    const { url } = cluster!.auctions[0]!;
    const address = await openAuction(await enter('seller', url), { start_price_cents: 10_00 });
    const ada = await enter('ada', url);
    await look(ada, address);
    const { page } = ada;
    const reloads: string[] = [];
    page.on('framenavigated', (frame) => reloads.push(frame.url()));
    await on(page).amount.fill('14');
    const notices = await saidBy(page, '[role=status]');

    const [owner] = await cluster!.owners();
    process.kill(owner!.pid, 'SIGKILL');
    // What it says depends on who falls silent for how long: the gateway, its shard, or on a busy machine the app server.
    await expect.poll(notices).toContainEqual(expect.stringMatching(/^Reconnecting$|site can’t be reached\. Prices may be out of date, /));
    await on(page).bid.click();

    await expect(on(page).live).toBeVisible();
    const isTold = (await notices()).some((notice) => notice.includes('site can’t be reached'));
    const back = isTold ? 'The connection is back. This page is live again.' : 'Live';
    await expect.poll(notices).toContainEqual(expect.stringContaining(back));
    // The bid waits for the new owner as long as its time limit allows. If that is too long for it, the page says so.
    await expect(on(page).bidding).toContainText(/You’re leading with \$14|Your bid (wasn’t|may not have been) placed/);
    const leading = on(page).bidding.getByText('You’re leading with $14');
    await expect(async () => {
      if (!(await leading.isVisible())) await on(page).bid.click({ timeout: 5_000 });
      await expect(leading).toBeVisible({ timeout: 10_000 });
    }).toPass();
    await expect(on(page).bidding.getByRole('link', { name: '1 bid', exact: true })).toBeVisible();
    expect(reloads).toEqual([]);

    const [successor] = await cluster!.owners();
    expect(successor!.rest).not.toBe(owner!.rest);
  });
});
