// Several dashboards in one browser, which opens only six connections to a gateway. Thirty pages: apps/site/e2e/tabs.long.spec.ts.
import { streamsOf } from '@claret/ui/kit/e2e/tabs.ts';
import { expect } from '@playwright/test';
import { EXPLORE, on, tell, test } from './dashboard.ts';

test('three dashboards hear of the cluster on one stream, also after the one with the stream is closed', async ({ context }) => {
  const streams = streamsOf(context, '/v1/telemetry/stream');
  const tabs = await Promise.all(Array.from({ length: 3 }, () => context.newPage()));
  await Promise.all(tabs.map((page) => page.goto(EXPLORE)));
  // Those that are drawn at once may be behind.
  for (const page of tabs) await expect(on(page).line).toHaveText(/^(Live|\d+ s behind)$/);
  await expect.poll(streams).toHaveLength(1);

  const [leader] = streams();
  await leader!.close();
  await tell(context.request, 'POST', '/v1/admin/marks', { text: 'three became two' });
  for (const page of tabs.filter((tab) => tab !== leader)) await expect(on(page).flags).toContainText('three became two');
  await expect.poll(streams).toHaveLength(1);
});
