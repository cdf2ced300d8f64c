// The connection to the cluster: what the page shows without one, and how it recovers.
import { expect } from '@playwright/test';
import { startCluster, type Cluster } from '../../../scripts/cluster.js';
import { saidBy } from '@claret/ui/kit/e2e/said.ts';
import { asTable, endSpike, EXPLORE, on, test } from './dashboard.ts';

/** Long enough for a person to see it, also where the page stands still for some of it. */
const AWAY_MS = 4_000;
/** More would only take the processor from the page. */
const CLIENTS = 16;
/** into the recording: under commuting locks */
const INTO_MS = 19_000;

test.describe('without a cluster', () => {
  test.beforeEach(async ({ page }) => page.route('**/v1/**', (route) => route.abort()));

  test('the shipped recording plays, and every view shows its contents', async ({ page }) => {
    await page.goto(EXPLORE);
    await expect(on(page).recording).toContainText('No cluster answers');
    await expect(on(page).line).toHaveText('Recording');
    await expect(on(page).startSpike).toBeDisabled();
    // Under its second mode: under its last one nothing is in the way.
    const { playhead } = on(page);
    const pause = on(page).recording.getByRole('button', { name: 'Pause' });
    if (await pause.isVisible()) await pause.click();
    await playhead.fill(String(Number(await playhead.getAttribute('min')) + INTO_MS));
    for (const view of [on(page).conflicts, on(page).lanes]) {
      await expect((await asTable(view)).getByRole('row').nth(1)).toBeVisible();
    }

    await page.unroute('**/v1/**');
    await expect(on(page).line).toHaveText('Live');
    await expect(on(page).recording).toHaveCount(0);
  });

  test('a file that is not a recording is refused with a message, and the page keeps showing what it showed', async ({ page }) => {
    await page.goto(EXPLORE);
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
    await page.goto(own!.rest + EXPLORE);
    await expect(on(page).line).toHaveText('Live');
    await expect(on(page).time).toContainText('Last 60 s');

    const said = await saidBy(page, '[role=status]');
    process.kill(other!.pid, 'SIGKILL');
    const away = 'Shard 1 does not answer: what needs its records waits or fails. Everything else goes on.';
    await expect.poll(said).toContainEqual(away);
    await expect.poll(said).toContainEqual('All shards answer again.');

    const saidSince = await saidBy(page, '[role=status]');
    process.kill(own!.pid, 'SIGKILL');
    await expect.poll(saidSince).toContainEqual('Reconnecting');
    const lost = /^The connection to the cluster was lost\. Reconnecting\. The picture ends at /;
    await expect.poll(saidSince).toContainEqual(expect.stringMatching(lost));
    await expect(on(page).recording).toHaveCount(0);
    // The page may be connected before the shard answers.
    const back = /^(Connected again: you see the cluster as it is now|All shards answer again)\.$/;
    await expect.poll(saidSince).toContainEqual(expect.stringMatching(back));
    await expect(on(page).line).toHaveText('Live');
  });

  test('while a load runs, a shard takes half of the data and is killed: what needs it waits, and what was acknowledged is stored', async ({
    page,
  }) => {
    cluster = await startCluster({ shards: 2, dealtShards: 1, dashboard: true, durability: 'sync', restarts: { firstMs: AWAY_MS } });
    const { pid } = cluster.gateways[1]!;
    const headline = page.getByRole('heading', { level: 1 }).locator('..');
    const count = page.getByText(/bids acknowledged/);
    await page.route('**/v1/admin/spikes', (route) => {
      const wish = route.request().postDataJSON() as object | null;
      return wish === null ? route.fallback() : route.continue({ postData: { ...wish, clients: CLIENTS } });
    });
    await page.goto(cluster.gateways[0]!.rest);
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(count).toHaveText(/^[\d,]+ bids acknowledged, [\d,]+ stored$/);
    await expect(page.getByRole('button', { name: 'Kill shard 1' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Use shard 1 too' }).click();
    await expect(page.getByRole('button', { name: 'Kill shard 1' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Use shard 1 too' })).toHaveCount(0);
    const [said, offered] = [await saidBy(page, '[data-sentence]'), await saidBy(page, 'button:disabled')];
    await page.getByRole('button', { name: 'Kill shard 1' }).click();
    await expect.poll(said).toContainEqual('Shard 1 is down: what needs it waits or fails, and everything else goes on.');
    await expect.poll(offered).toContainEqual('A shard is down');
    // Meanwhile the page may say something else for a moment.
    await expect.poll(() => cluster!.gateways[1]!.pid).not.toBe(pid);
    await expect(headline).not.toContainText('Shard 1 is down');
    await endSpike(page);
    // A bid that was under way at the death may be stored without having been acknowledged.
    const [acknowledged, stored] = (await count.textContent())!
      .match(/[\d,]+(?= bids| stored)/g)!
      .map((text) => Number(text.replaceAll(',', '')));
    expect(stored).toBeGreaterThanOrEqual(acknowledged!);
    await expect(page.getByText('they differ')).toHaveCount(0);
  });
});
