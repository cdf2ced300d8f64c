// Warranties on a real cluster: switched on and tried with the spike of a popular post, through the page's laboratory; what they save, how long
// changes wait for them, and a client that is frozen. The tests are one story: each continues where the previous one ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, type Page } from '@playwright/test';
import {
  accessibilityFaults,
  asTable,
  calmDown,
  endSpike,
  GATEWAYS,
  on,
  PHONE,
  setCluster,
  settingOf,
  startSpike,
  stickingOut,
  STORED,
  test,
  totalOf,
  watch,
} from './dashboard.ts';

/** Longer than the whole story takes; the test stops the spike. */
const SPIKE = { seconds: 115, clients: 16 };
const FROZEN = 'frozen-reader';
const FROZEN_KEY = 'frozen:set';

/** A client that has been promised how many members the set has, in a process of its own. */
async function startReader(addresses: string[]): Promise<ChildProcess> {
  const code = `
    import { connect } from '@claret/client';
    const claret = await connect({ addresses: ${JSON.stringify(addresses)}, name: '${FROZEN}' });
    const read = () => claret.transact('Read', [claret.on.set('${FROZEN_KEY}').size()]);
    const pause = () => new Promise((resolve) => setTimeout(resolve, 10));
    while (claret.counters.warrantedAnswers === 0) { await read(); await pause(); }
    process.stdout.write('promised');
    for (;;) { await read(); await pause(); }`;
  const reader = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(reader.stdout!, 'data');
  return reader;
}

test.describe('warranties', () => {
  test.describe.configure({ mode: 'serial' });
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage({ baseURL: GATEWAYS[0] });
    await calmDown(page.request);
    await watch(page);
  });
  test.afterAll(async () => {
    await calmDown(page.request);
    await page.close();
  });

  test('once they are on, what everybody reads needs no message', async () => {
    await startSpike(page, 'Popular post', SPIKE);
    await expect(on(page).further.getByText('answers/s', { exact: true })).toBeHidden();

    await setCluster(page, 'Warranties', 'Where it helps');
    await expect(on(page).flags).toContainText('+ Combining, warranties');
    await expect(page.getByText('The cluster is not in its normal mode: + Combining, warranties instead of + Combining.')).toBeVisible();
    await expect(on(page).further.getByText('answers/s', { exact: true })).toBeVisible();
    await expect(on(page).further.getByText(/^>?\d+%$/)).toBeVisible();
  });

  test('the lanes say on which records, and that changes waited', async () => {
    await expect(on(page).lanes.getByText('clients answer from memory')).toBeVisible();
    const lanes = await asTable(on(page).lanes);
    const total = (header: string) => totalOf(lanes, header);
    await expect.poll(() => total('Warranties')).toBeGreaterThan(0);
    await expect.poll(() => total('Warranties recalled')).toBeGreaterThan(0);
    await on(page)
      .lanes.getByRole('button', { name: /as a table/ })
      .click();
  });

  test('a change that waits for a frozen client names it', async () => {
    const { shards } = await (await page.request.get('/v1/topology')).json();
    const reader = await startReader(shards.map(({ address }: { address: string }) => address));
    try {
      reader.kill('SIGSTOP');
      const named = page.waitForFunction(
        ([id, name]) => document.getElementById(id!)?.textContent?.includes(`behind the warranty of Set.size: ${name} (silent for`),
        ['waits', FROZEN],
      );
      const added = page.request.post('/v1/transactions', {
        data: { label: 'Add', operations: [{ key: FROZEN_KEY, type: 'Set', operation: 'add', arguments: ['x'] }] },
      });
      await named;
      expect((await added).ok(), 'it is waited for no longer than a term').toBe(true);
    } finally {
      reader.kill('SIGKILL');
    }
  });

  test('passes the accessibility check, and fits a phone', async ({ browser }) => {
    expect(await accessibilityFaults(page)).toEqual([]);
    const phone = await browser.newPage({ ...PHONE, baseURL: GATEWAYS[1] });
    await watch(phone);
    expect(await settingOf(phone, 'Warranties')).toBe('Where it helps');
    await expect(on(phone).further.getByText('answers/s', { exact: true })).toBeVisible();
    expect(await stickingOut(phone)).toEqual([]);
    await phone.close();
  });

  test('after the stop nothing was lost, and the cluster goes back to normal', async () => {
    await endSpike(page);
    await expect(page.getByText(STORED)).toBeVisible();
    await page.getByRole('button', { name: 'Back to normal' }).click();
    expect(await settingOf(page, 'Warranties')).toBe('Off');
  });
});
