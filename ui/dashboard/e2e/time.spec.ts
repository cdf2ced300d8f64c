// Everything over time on one axis: the same left edge and width, legible flags, one crosshair, ranges.
import { expect, type Page } from '@playwright/test';
import { calmDown, GATEWAYS, on, PHONE, test, watch } from './dashboard.ts';

/** Longer than the tests under load take, which end it. */
const LOAD_SECONDS = 120;

/** The clock, the figures, hot records, lock phases, and turns and epochs once there were some. */
const chartsExpected = async (page: Page) =>
  3 +
  (await on(page).figures.getByRole('heading').count()) +
  (await on(page)
    .turns.getByRole('img', { name: /whose turn it is/ })
    .count()) +
  (await on(page)
    .epochs.getByRole('img', { name: /^Epochs of \d+ shard/ })
    .count());
const recordNames = (page: Page) => page.getByRole('list', { name: 'Record names' });
const charts = (page: Page) => page.locator('canvas[role="img"]');

test.describe('under load', () => {
  test.beforeAll(async ({ browser }) => {
    const page = await browser.newPage({ baseURL: GATEWAYS[0] });
    await calmDown(page.request);
    await watch(page);
    const spike = { spike: 'rawmix', seconds: LOAD_SECONDS, clients: 8, alpha: 1, update: 0.5 };
    const began = await page.request.post(`${GATEWAYS[0]}/v1/admin/spikes`, { data: spike });
    expect(began.ok(), await began.text()).toBe(true);
    await expect(recordNames(page)).toHaveCount(2);
    await page.close();
  });
  test.afterAll(({ request }) => calmDown(request));

  for (const [device, options] of [
    ['a desk', {}],
    ['a phone', PHONE],
  ] as const) {
    test.describe(`on ${device}`, () => {
      test.use(options);

      test('every chart, lane and row begins and ends where the axis does', async ({ page }) => {
        await watch(page);
        await expect(recordNames(page)).toHaveCount(2);
        // More charts may appear at any moment.
        await expect(async () => {
          const edges = await charts(page).evaluateAll((all) =>
            all.map((canvas) => {
              const { left, right } = canvas.getBoundingClientRect();
              return `${Math.round(left)}–${Math.round(right)}`;
            }),
          );
          expect(edges).toHaveLength(await chartsExpected(page));
          expect(new Set(edges).size, edges.join(', ')).toBe(1);
        }).toPass();
        const axis = await charts(page).first().boundingBox();
        const flags = await on(page).flags.boundingBox();
        expect(flags!.x + flags!.width).toBeCloseTo(axis!.x + axis!.width, 0);
        const names = await recordNames(page).first().boundingBox();
        expect(names!.x + names!.width).toBeCloseTo(flags!.x, 0);
      });
    });
  }

  test('pointing at one chart shows the same instant in all, with the values at it', async ({ page }) => {
    await watch(page);
    await expect(recordNames(page)).toHaveCount(2);
    const values = page.locator('[data-side]:visible').filter({ hasText: /\S/ });
    // A chart that appears meanwhile may move the others away from below the pointer.
    await expect(async () => {
      const throughput = await charts(page).nth(1).boundingBox();
      await page.mouse.move(throughput!.x + throughput!.width - 60, throughput!.y + 20);
      await expect(values.filter({ hasText: /^\d\d:\d\d:\d\d\.\d$/ })).toHaveCount(1, { timeout: 1_000 });
      expect(await values.filter({ hasText: /\/s/ }).count()).toBeGreaterThanOrEqual(1);
    }).toPass();
    await expect(values.filter({ hasText: /^p50 .*, p99 / })).toHaveCount(1);
    await expect(values.filter({ hasText: /at once$/ })).toHaveCount(1);
    const lines = () =>
      page.locator('[data-side]').evaluateAll((all) =>
        all
          .map((value) => value.parentElement!)
          .filter((line) => !line.hidden && line.matches('[class*="hover"]'))
          .map((line) => line.getBoundingClientRect())
          .filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight) // charts out of sight are not drawn
          .map(({ left }) => Math.round(left)),
      );
    await expect.poll(async () => new Set(await lines()).size).toBe(1);
  });

  test('the summary sentence links to the views that show its facts', async ({ page }) => {
    await watch(page);
    await page.getByRole('link', { name: /transactions a second$/ }).click();
    await expect(on(page).figures).toBeFocused();
  });
});

test('the ranges say how much time is shown', async ({ page }) => {
  await watch(page);
  const range = (name: string) => on(page).time.getByRole('button', { name, exact: true });
  await expect(range('1 min')).toHaveAttribute('aria-pressed', 'true');
  await range('10 min').click();
  await expect(on(page).time).toContainText('Last 10 min');
  await expect(range('10 min')).toHaveAttribute('aria-pressed', 'true');
  await expect(range('1 min')).toHaveAttribute('aria-pressed', 'false');
  await range('30 s').click();
  await expect(on(page).time).toContainText('Last 30 s');
});

test('flags close together stay legible: no label covers another', async ({ page }) => {
  await watch(page);
  const headers = { 'content-type': 'application/json' };
  for (let mark = 0; mark < 6; mark += 1) {
    const done = await page.request.post(`${GATEWAYS[0]}/v1/admin/marks`, { headers, data: { text: `note number ${mark} of this test` } });
    expect(done.ok(), await done.text()).toBe(true);
  }
  await expect(on(page).flags.getByRole('listitem').filter({ hasText: 'note number 5' })).toBeAttached();
  await expect
    .poll(async () => {
      const boxes = await on(page)
        .flags.locator('[class*="label"]')
        .evaluateAll((labels) =>
          labels
            .filter((label) => getComputedStyle(label).visibility === 'visible' && label.getClientRects().length > 0)
            .map((label) => label.getBoundingClientRect().toJSON() as DOMRect),
        );
      return (
        boxes.length > 0 &&
        boxes.every((one, at) =>
          boxes
            .slice(at + 1)
            .every((other) => one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top),
        )
      );
    })
    .toBe(true);
});

test('a term that a newcomer may not know is explained in place', async ({ page }) => {
  await watch(page);
  await on(page).figures.getByRole('button', { name: 'p99' }).click();
  await expect(page.getByRole('dialog', { name: 'What does “p99” mean?' })).toContainText('The slowest 1%');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
