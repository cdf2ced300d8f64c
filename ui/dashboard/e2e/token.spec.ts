// A cluster with a token: everyone may watch; the page asks for the token before it changes anything.
import { expect } from '@playwright/test';
import { startCluster, type Cluster } from '../../../scripts/cluster.js';
import { accessibilityFaults, on, switchTo, test, watch } from './dashboard.ts';

const TOKEN = 'a-token-for-this-test-alone';
let cluster: Cluster;

test.beforeAll(async () => {
  cluster = await startCluster({ shards: 1, dashboard: true, env: { CLARET_TOKEN: TOKEN } });
});
test.afterAll(() => cluster.stop());

test('without the token a visitor sees everything and changes nothing; with it the switches work, in this tab', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: cluster.dashboard! });
  await watch(page);
  const field = page.getByLabel('The cluster’s token');
  await expect(field).toBeVisible();
  await expect(on(page).startSpike).toBeDisabled();
  expect(await accessibilityFaults(page)).toEqual([]);

  await field.fill('a-token-of-another-cluster');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('That is not the cluster’s token.')).toBeVisible();

  await field.fill(TOKEN);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(field).toBeHidden();
  await switchTo(page, 'Reader/writer');

  // Before the page knows what runs, a press would be lost.
  const answer = Promise.withResolvers<void>();
  await page.route('**/v1/admin/spikes', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.reload();
  const combining = on(page).card('+ Combining');
  await expect(on(page).line).toHaveText('Live');
  await expect(combining).toBeDisabled();
  await expect(combining).toHaveAttribute('title', 'This page does not know yet what runs on the cluster.');
  answer.resolve();
  await switchTo(page, '+ Combining');
  await expect(on(page).flags).toContainText('+ Combining');
  await page.close();
});
