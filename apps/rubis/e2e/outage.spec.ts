// Processes die while an auction is open: the page says so, keeps what was typed, and recovers without a reload. The tests are one story, on a
// cluster of their own. What the dashboard says: ui/dashboard/e2e/line.spec.ts.
import { expect, type Page } from '@playwright/test';
import { saidBy } from '@claret/ui/kit/e2e/said.ts';
import { startCluster, type Cluster } from '../../../scripts/cluster.js';
import { look, on, openAuction, sendBid, test, type Enter } from './site.ts';

/** Long enough for a person to see it, and to bid meanwhile, also where a page stands still for some of it. */
const AWAY_MS = 5_000;
const BACK = 'The connection is back. This page is live again.';

const noticesOf = (page: Page) => saidBy(page, '[role=status]');
const any = (words: RegExp) => expect.stringMatching(words);

test.describe('while processes die', () => {
  test.describe.configure({ mode: 'serial' });
  let cluster: Cluster;

  test.beforeAll(async () => {
    cluster = await startCluster({
      shards: 1,
      auctionServers: 1,
      durability: 'sync',
      registrationsPerHour: 100_000,
      restarts: { firstMs: AWAY_MS },
    });
  });
  test.afterAll(() => cluster.stop());

  test('a gateway: the auction says so, and a bid counts once when it is back', async ({ enter }) => {
    const page = await lookAtAuction(enter);
    await on(page).amount.fill('14');
    const said = await noticesOf(page);

    process.kill(cluster.gateways[0]!.pid, 'SIGKILL');
    await expect.poll(said).toContainEqual(any(/^Part of the site can’t be reached\. Prices may be out of date, .* Trying again…$/));
    await expect(on(page).amount).toHaveValue('14');
    await on(page).bid.click();

    await expect.poll(said).toContainEqual(BACK);
    await expect(on(page).live).toBeVisible();
    // Whether the bid outlived the outage depends on how long the gateway took. If not, the page says so.
    await expect(on(page).bidding).toContainText(/You’re leading with \$14|Your bid (wasn’t|may not have been) placed/);
    const leading = on(page).bidding.getByText('You’re leading with $14');
    await expect(async () => {
      if (!(await leading.isVisible())) await on(page).bid.click({ timeout: 5_000 });
      await expect(leading).toBeVisible({ timeout: 10_000 });
    }).toPass();
    await expect(on(page).bidding.getByRole('link', { name: '1 bid', exact: true })).toBeVisible();
  });

  test('an app server: a bid without an answer says so, and counts once when it is sent again', async ({ enter }) => {
    const page = await lookAtAuction(enter);
    await on(page).amount.fill('20');
    const said = await noticesOf(page);

    process.kill(cluster.auctions[0]!.pid, 'SIGKILL');
    await expect.poll(said).toContainEqual(any(/^The site can’t be reached\. Prices may be out of date, .* Trying again…$/));
    await on(page).bid.click();
    await expect(on(page).bidding).toContainText('Your bid may not have been placed');
    await expect(on(page).amount).toHaveValue('20');

    await expect.poll(said).toContainEqual(BACK);
    await expect(on(page).live).toBeVisible();
    await sendBid(page);
    await expect(on(page).bidding).toContainText('You’re leading with $20');
    await expect(on(page).bidding.getByRole('link', { name: '1 bid', exact: true })).toBeVisible();
  });

  /** The page of a person at another person's auction. */
  async function lookAtAuction(enter: Enter): Promise<Page> {
    const { url } = cluster.auctions[0]!;
    const address = await openAuction(await enter('seller', url), { start_price_cents: 10_00 });
    const ada = await enter('ada', url);
    await look(ada, address);
    return ada.page;
  }
});
