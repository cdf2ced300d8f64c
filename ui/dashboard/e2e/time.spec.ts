// Everything over time on one axis: the same left edge and width, legible flags, one crosshair, ranges.
import { expect, type Page } from '@playwright/test';
import { calmDown, GATEWAYS, on, PHONE, test, watch } from './dashboard.ts';

/** Longer than the tests under load take, which end it. */
const LOAD_SECONDS = 120;

/** The clock, the figures, hot records, lock phases, and turns and epochs once there were some. */
const chartsExpected = async (page: Page) =>
  3 +
  (await on(page).figures.getByRole('heading').count()) +
  (await on(page).further.getByRole('heading').count()) +
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
      await on(page).time.evaluate((time) => time.scrollIntoView({ block: 'start' })); // charts out of sight are not drawn
      const throughput = await charts(page).nth(1).boundingBox();
      await page.mouse.move(throughput!.x + throughput!.width - 60, throughput!.y + 20);
      await expect(values.filter({ hasText: /^\d\d:\d\d:\d\d\.\d$/ })).toHaveCount(1, { timeout: 1_000 });
      expect(await values.filter({ hasText: /\/s/ }).count()).toBeGreaterThanOrEqual(1);
    }).toPass();
    await expect(values.filter({ hasText: /^p50 .*, p99 / })).toHaveCount(1);
    await expect(values.filter({ hasText: / per commit\b/ })).toHaveCount(1);
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
});

test('the address carries range, moment, record and what is open, and shows them elsewhere', async ({ page, context }) => {
  await calmDown(page.request);
  await watch(page);
  const conditions = { locks: 'rw', phasing: false, combining: 'off' };
  // It goes on until the end of the test: what blocks what is shown of the moment.
  const load = { spike: 'rawmix', seconds: 120, clients: 8, alpha: 1, update: 0.5, conditions };
  const began = await page.request.post(`${GATEWAYS[0]}/v1/admin/spikes`, { data: load });
  expect(began.ok(), await began.text()).toBe(true);
  const transaction = page.getByRole('region', { name: 'Single transactions' }).getByRole('listitem').getByRole('button').first();
  const cell = on(page).conflicts.getByRole('button', { name: 'conflicts per second: Rawmix blocks Rawmix' });
  await expect(transaction).toBeVisible();
  await expect(cell).toBeVisible();
  const entries = await page.evaluate(() => history.length);
  await on(page).time.getByRole('button', { name: '3 min' }).click();
  await on(page).time.getByRole('button', { name: 'Pause' }).click();
  await on(page).lanes.getByRole('list', { name: 'Record names' }).getByRole('button').first().click();
  await transaction.click();
  await expect(page.getByRole('dialog')).toContainText(/Attempt \d+/);
  await expect(page).toHaveURL(/\?range=180&at=\d+&record=.+&transaction=.+/);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/transaction=/);
  await cell.click();
  await expect(page).toHaveURL(/\?range=180&at=\d+&record=.+&holder=Rawmix&blocked=Rawmix$/);
  expect(await page.evaluate(() => history.length)).toBe(entries);

  const elsewhere = await context.newPage();
  await elsewhere.goto(page.url());
  await expect(elsewhere.getByRole('dialog', { name: 'Rawmix blocks Rawmix' })).toContainText(/in the \d+ s before \d\d:\d\d:\d\d/);
  await elsewhere.keyboard.press('Escape');
  await expect(elsewhere).not.toHaveURL(/holder=/);
  await expect(on(elsewhere).time.getByRole('button', { name: 'Resume' })).toBeVisible();
  await expect(on(elsewhere).time.getByRole('button', { name: '3 min' })).toHaveAttribute('aria-pressed', 'true');
  const selected = (of: Page) => on(of).lanes.getByRole('list', { name: 'Record names' }).getByRole('button', { pressed: true });
  await page.keyboard.press('Escape');
  await expect(selected(elsewhere)).toHaveAttribute('title', (await selected(page).getAttribute('title'))!);
  await elsewhere.keyboard.press('Home');
  await expect(elsewhere).not.toHaveURL(/at=/);
  await elsewhere.close();
  await calmDown(page.request);
});

test('the keys of Perfetto move time, and a search goes to where a record occurred last', async ({ page }) => {
  await watch(page);
  const shown = on(page).time;
  await page.keyboard.press('w');
  await expect(shown).toContainText('Last 40 s');
  await page.keyboard.press('a');
  await expect(shown.getByRole('button', { name: 'Resume' })).toBeVisible();
  await page.keyboard.press('Home');
  await shown.getByRole('button', { name: 'Keys' }).click();
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('find a record or a label');
  await page.keyboard.press('Escape');

  await page.keyboard.press('/');
  // Its letters are those of the keys, and move nothing while they are typed.
  await page.getByRole('textbox', { name: 'Part of its name' }).pressSequentially('find-me');
  const key = `find-me:${Date.now()}`;
  const data = { operations: [{ key, type: 'counter', operation: 'add', arguments: [1] }] };
  const found = page.getByRole('list', { name: 'Found' }).getByRole('button').first();
  // Shards tell of their hottest records only.
  await expect(async () => {
    const written = await Promise.all(Array.from({ length: 50 }, () => page.request.post(`${GATEWAYS[0]}/v1/transactions`, { data })));
    expect(written.every((one) => one.ok())).toBe(true);
    await expect(found).toContainText(key, { timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/range=40&at=\d+&record=find-me/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
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

test('changes close together share a flag, which lists them', async ({ page }) => {
  await watch(page);
  const headers = { 'content-type': 'application/json' };
  const texts = ['one of three', 'two of three', 'three of three'].map((text) => `${text}, ${Date.now()}`);
  for (const text of texts) {
    const done = await page.request.post(`${GATEWAYS[0]}/v1/admin/marks`, { headers, data: { text } });
    expect(done.ok(), await done.text()).toBe(true);
  }
  await on(page).time.getByRole('button', { name: '10 min' }).click();
  await on(page)
    .flags.getByRole('button', { name: /^\d+ changes: .*three of three/ })
    .last()
    .click();
  const list = page.getByRole('dialog', { name: 'Changes close together' });
  for (const text of texts) await expect(list).toContainText(text);
});

test('a term that a newcomer may not know is explained in place', async ({ page }) => {
  await watch(page);
  await on(page).figures.getByRole('button', { name: 'p99' }).click();
  await expect(page.getByRole('dialog', { name: 'What does “p99” mean?' })).toContainText('The slowest 1%');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
