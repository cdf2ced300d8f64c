// Everything over time on one axis: the same left edge and width, legible flags, one crosshair, ranges.
import { expect, type Page } from '@playwright/test';
import { calmDown, GATEWAYS, on, openWithPast, PHONE, startLoad, tell, test, watch } from './dashboard.ts';

/** Longer than a test under load usually takes. */
const LOAD = { spike: 'rawmix', seconds: 120, clients: 4, alpha: 1, update: 0.5 };

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

/** Every chart, lane and row begins and ends where the axis does. */
async function expectOneAxis(page: Page): Promise<void> {
  // More charts may appear at any moment, and all of them move when a name needs more room.
  await expect(async () => {
    const edges = await charts(page).evaluateAll((all) =>
      all.map((canvas) => {
        const { left, right } = canvas.getBoundingClientRect();
        return `${Math.round(left)}–${Math.round(right)}`;
      }),
    );
    expect(edges).toHaveLength(await chartsExpected(page));
    expect(new Set(edges).size, edges.join(', ')).toBe(1);
    const boxes = await page.evaluate(() =>
      ['canvas[role="img"]', '[aria-label="Changes to the cluster"]', '[aria-label="Record names"]'].map((selector) => {
        const { left, right } = document.querySelector(selector)!.getBoundingClientRect();
        return { left, right };
      }),
    );
    const [axis, flags, names] = boxes as [(typeof boxes)[0], (typeof boxes)[0], (typeof boxes)[0]];
    expect(flags.right).toBeCloseTo(axis.right, 0);
    expect(names.right).toBeCloseTo(flags.left, 0);
  }).toPass();
}

test.describe('under load', () => {
  test.beforeAll(({ request }) => calmDown(request));
  test.beforeEach(async ({ page }) => {
    const { running } = (await (await page.request.get(`${GATEWAYS[0]}/v1/admin/spikes`)).json()) as { running: object | null };
    if (running === null) await startLoad(page.request, LOAD);
    await watch(page);
    await expect(recordNames(page)).toHaveCount(2);
  });
  test.afterAll(({ request }) => calmDown(request));

  test('on a desk every chart, lane and row begins and ends where the axis does, and pointing at one shows the same instant in all', async ({
    page,
  }) => {
    await expectOneAxis(page);
    const values = page.locator('[data-side]:visible').filter({ hasText: /\S/ });
    const lines = () =>
      page.locator('[data-side]').evaluateAll((all) =>
        all
          .map((value) => value.parentElement!)
          .filter((line) => !line.hidden && line.matches('[class*="hover"]'))
          .map((line) => line.getBoundingClientRect())
          .filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight) // charts out of sight are not drawn
          .map(({ left }) => Math.round(left)),
      );
    // A chart that appears meanwhile may move the others away from below the pointer.
    await expect(async () => {
      await on(page).time.evaluate((time) => time.scrollIntoView({ block: 'start' })); // charts out of sight are not drawn
      const throughput = await charts(page).nth(1).boundingBox();
      await page.mouse.move(throughput!.x + throughput!.width - 60, throughput!.y + 20);
      await expect(values.filter({ hasText: /^\d\d:\d\d:\d\d\.\d$/ })).toHaveCount(1, { timeout: 2_000 });
      expect(await values.filter({ hasText: /\/s/ }).count()).toBeGreaterThanOrEqual(1);
      await expect(values.filter({ hasText: /^p50 .*, p99 / })).toHaveCount(1, { timeout: 2_000 });
      await expect(values.filter({ hasText: / per commit\b/ })).toHaveCount(1, { timeout: 2_000 });
      expect(new Set(await lines()).size).toBe(1);
    }).toPass();
  });

  test.describe('on a phone', () => {
    test.use(PHONE);
    test('every chart, lane and row begins and ends where the axis does', async ({ page }) => expectOneAxis(page));
  });
});

test.describe('under reader/writer locks', () => {
  test.beforeEach(({ request }) => calmDown(request));
  test.afterEach(({ request }) => calmDown(request));

  test('the address carries range, moment, record and what is open, and shows them elsewhere', async ({ page, context }) => {
    await watch(page);
    await startLoad(page.request, { ...LOAD, conditions: { locks: 'rw', phasing: false, combining: 'off' } });
    const transaction = page.getByRole('region', { name: 'Single transactions' }).getByRole('listitem').getByRole('button').first();
    const cell = on(page).conflicts.getByRole('button', { name: 'conflicts per second: Rawmix blocks Rawmix' });
    await expect(transaction).toBeVisible();
    await expect(cell).toBeVisible();
    const entries = await page.evaluate(() => history.length);
    await on(page).time.getByRole('button', { name: '3 min' }).click();
    await on(page).time.getByRole('button', { name: 'Pause' }).click();
    await expect(on(page).time.getByRole('button', { name: 'Resume' })).toBeVisible(); // from now on nothing moves below the pointer
    await calmDown(page.request); // what is shown has happened, and the pages have the processor
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
    const dialog = elsewhere.getByRole('dialog', { name: 'Rawmix blocks Rawmix' });
    await openWithPast(elsewhere, page.url(), (waiting) => expect(dialog).toContainText(/in the \d+ s before \d\d:\d\d:\d\d/, waiting));
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
  });
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
    await Promise.all(Array.from({ length: 50 }, () => tell(page.request, 'POST', '/v1/transactions', data)));
    await expect(found).toContainText(key, { timeout: 2_000 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/range=40&at=\d+&record=find-me/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('flags close together stay legible, and share a flag in a long range, which lists them', async ({ page }) => {
  await watch(page);
  for (let mark = 0; mark < 6; mark += 1) await tell(page.request, 'POST', '/v1/admin/marks', { text: `note number ${mark} of this test` });
  await expect(on(page).flags.getByRole('listitem').filter({ hasText: 'note number 5' }).last()).toBeAttached();
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

  const texts = ['one of three', 'two of three', 'three of three'].map((text) => `${text}, ${Date.now()}`);
  for (const text of texts) await tell(page.request, 'POST', '/v1/admin/marks', { text });
  await on(page).time.getByRole('button', { name: '10 min' }).click();
  const shared = on(page)
    .flags.getByRole('button', { name: new RegExp(`^\\d+ changes: .*${texts.at(-1)}`) })
    .last();
  await expect(shared).toBeVisible();
  await on(page).time.getByRole('button', { name: 'Pause' }).click();
  await expect(on(page).time.getByRole('button', { name: 'Resume' })).toBeVisible(); // from now on it does not move
  await shared.click();
  const list = page.getByRole('dialog', { name: 'Changes close together' });
  for (const text of texts) await expect(list).toContainText(text);
});

test('the ranges say how much time is shown, and a term that a newcomer may not know is explained in place', async ({ page }) => {
  await watch(page);
  const range = (name: string) => on(page).time.getByRole('button', { name, exact: true });
  await expect(range('1 min')).toHaveAttribute('aria-pressed', 'true');
  await range('10 min').click();
  await expect(on(page).time).toContainText('Last 10 min');
  await expect(range('10 min')).toHaveAttribute('aria-pressed', 'true');
  await expect(range('1 min')).toHaveAttribute('aria-pressed', 'false');
  await range('30 s').click();
  await expect(on(page).time).toContainText('Last 30 s');

  await on(page).figures.getByRole('button', { name: 'p99' }).click();
  await expect(page.getByRole('dialog', { name: 'What does “p99” mean?' })).toContainText('The slowest 1%');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
