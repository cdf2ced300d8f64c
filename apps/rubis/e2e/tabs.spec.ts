// Several tabs of one person's browser, which opens only six connections to a server. Thirty: apps/site/e2e/tabs.long.spec.ts.
import { hide, show, streamsOf } from '@claret/ui/kit/e2e/tabs.ts';
import { expect, type Page, type Request } from '@playwright/test';
import { bid, look, on, openAuction, placeBid, SERVERS, test } from './site.ts';

const LIVE = '/api/live';
/** network idle as Playwright defines it: so long without a request in flight */
const IDLE_MS = 500;
/** less than a page may go on loading until it opens its stream (ui/site/live/whenLoaded.ts): the two clocks are not quite the same */
const GOES_ON_MS = 2_900;

test('three tabs are live on one stream, and a bid made elsewhere reaches each', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  const streams = streamsOf(ada.context, LIVE);
  const auctions = [await openAuction(seller), await openAuction(seller)];
  const tabs: { page: Page; address: string }[] = [];
  for (let i = 0; i < 3; i++) tabs.push({ page: await ada.context.newPage(), address: auctions[i % 2]! });
  await Promise.all(tabs.map(({ page, address }) => look({ ...ada, page }, address)));
  await expect.poll(streams).toHaveLength(1);

  for (const address of auctions) await bid(ben, address, { amount_cents: 15_00 });
  for (const { page } of tabs) await expect(on(page).bidding.getByRole('link', { name: '1 bid', exact: true })).toBeVisible();

  const [leader] = streams();
  await leader!.close();
  for (const address of auctions) await bid(ada, address, { amount_cents: 20_00 });
  const left = tabs.filter(({ page }) => page !== leader);
  for (const { page } of left) await expect(on(page).bidding.getByRole('link', { name: '2 bids', exact: true })).toBeVisible();
  await expect.poll(streams).toHaveLength(1);
});

test('hidden tabs have no stream, and miss nothing', async ({ enter }) => {
  const seller = await enter('seller');
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  const streams = streamsOf(ada.context, LIVE);
  const address = await openAuction(seller);
  const other = await ada.context.newPage();
  await look(ada, address);
  await look({ ...ada, page: other }, address);
  await placeBid(ada.page, '12');
  for (const page of [ada.page, other]) await expect(on(page).bidding).toContainText('You’re leading with $12');
  await expect.poll(streams).toHaveLength(1);

  await Promise.all([hide(ada.page), hide(other)]);
  await expect.poll(streams).toEqual([]);
  await bid(ben, address, { amount_cents: 20_00 });

  // The first hears of it before the other one is back.
  await show(ada.page);
  await expect(on(ada.page).bidding).toContainText('You’ve been outbid');
  await expect(on(other).bidding).toContainText('You’re leading with $12');
  await show(other);
  for (const page of [ada.page, other]) {
    await expect(on(page).bidding).toContainText('You’ve been outbid');
    await expect(on(page).notices).toHaveAccessibleName(/1 new/);
    await expect(on(page).live).toBeVisible();
  }
  await expect.poll(streams).toHaveLength(1);
});

test('an auction’s page comes to network idle, and then is live', async ({ enter, page }) => {
  const address = await openAuction(await enter('seller'));
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await page.goto(address);
  await expect(on(page).live).toBeVisible();
  const stream = requests.findIndex((request) => new URL(request.url()).pathname === LIVE);
  const [arrived_ms, opened_ms] = [
    Math.max(...requests.slice(0, stream).map((request) => request.timing().startTime + request.timing().responseEnd)),
    requests[stream]!.timing().startTime,
  ];
  const loaded_ms = await page.evaluate(
    () => performance.timeOrigin + (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventEnd,
  );
  // Where a slow machine lets a page load on and on, the stream does not wait for that.
  if (opened_ms - loaded_ms < GOES_ON_MS) expect(opened_ms - arrived_ms).toBeGreaterThanOrEqual(IDLE_MS);
});
