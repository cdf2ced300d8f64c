// One browser with thirty tabs: of both sites and of the dashboard.
import { streamsOf } from '@claret/ui/kit/e2e/tabs.ts';
import { expect, test } from '@playwright/test';
import { serversNamed } from './people.ts';

const EACH = 10;

test.use({ trace: 'off' }); // thirty pages that change all the time

test('thirty tabs of both sites and the dashboard are live at once, on three streams', async ({ context }) => {
  const counts = ['/api/live', '/v1/telemetry/stream'].map((path) => streamsOf(context, path));
  for (const name of ['CLARET_TEST_AUCTIONS', 'CLARET_TEST_TIMELINES', 'CLARET_TEST_GATEWAYS']) {
    const tabs = await Promise.all(Array.from({ length: EACH }, () => context.newPage()));
    await Promise.all(tabs.map((page) => page.goto(serversNamed(name)[0]!)));
    // Dashboards that are drawn at once may be behind.
    for (const page of tabs) {
      await expect(page.getByRole('status').getByText(/^(Live|\d+ s behind)$/)).toBeVisible({ timeout: 120_000 });
    }
  }
  await expect.poll(() => counts.map((streams) => streams().length)).toEqual([2, 1]);
});
