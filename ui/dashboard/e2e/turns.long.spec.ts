// Turns, batches and broken chains on a real cluster: two clients send transactions of several shards at the same records, from processes of
// their own. The tests are one story: each continues where the previous one ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { startCluster, type Cluster } from '../../../scripts/cluster.js';
import { freePorts } from '../../../scripts/run/ports.js';
import { accessibilityFaults, asTable, on, PHONE, stickingOut, test, watch } from './dashboard.ts';

const DRIVER = fileURLToPath(new URL('../../../loadtest/load/spike/main.ts', import.meta.url));
/** Longer than the whole story takes; the test stops the load. */
const SECONDS = 115;

test.describe('two clients at the same records of two shards', () => {
  test.describe.configure({ mode: 'serial' });
  let cluster: Cluster;
  let page: Page;
  const drivers: ChildProcess[] = [];

  test.beforeAll(async ({ browser }) => {
    const ports = (await freePorts(4)) as [number, number, number, number];
    const gateways = [
      { rest: ports[0], grpc: ports[1] },
      { rest: ports[2], grpc: ports[3] },
    ];
    cluster = await startCluster({ ports: { gateways, auctions: [], timelines: [] }, dataDir: 'temporary', dashboard: true });
    page = await browser.newPage({ baseURL: cluster.gateways[0]!.rest });
  });
  test.afterAll(async () => {
    for (const driver of drivers) {
      driver.kill('SIGKILL');
      if (driver.exitCode === null && driver.signalCode === null) await once(driver, 'exit');
    }
    await page.close();
    await cluster.stop();
  });

  test('without transactions of several shards nobody has a turn', async () => {
    await watch(page);
    await expect(on(page).turns).toContainText('No turns in the time shown');
    await expect(on(page).further.getByRole('heading', { name: 'Batches' })).toHaveCount(0);
  });

  test('both have turns, which the band and its table show', async () => {
    const addresses = cluster.gateways.map(({ grpc }) => grpc).join(',');
    for (const seed of ['1', '2']) {
      const flags = [
        '--addresses',
        addresses,
        '--spike',
        'rawmix',
        '--seconds',
        String(SECONDS),
        '--clients',
        '32',
        '--alpha',
        '1.4',
        '--seed',
        seed,
      ];
      drivers.push(spawn(process.execPath, [DRIVER, ...flags], { stdio: ['pipe', 'ignore', 'ignore'] }));
    }
    await expect(on(page).turns.getByRole('img', { name: /whose turn it is/ })).toBeVisible();
    const rows = (await asTable(on(page).turns)).getByRole('row');
    await expect.poll(() => rows.count()).toBeGreaterThan(2);
    const headers = await (await asTable(on(page).turns)).getByRole('columnheader').allTextContents();
    expect(headers).toEqual(expect.arrayContaining(['Client', 'Share of the time', 'Turns', 'Recalled', 'Most waiting']));
    await expect
      .poll(async () => numberIn(await rows.nth(1).getByRole('cell').nth(headers.indexOf('Recalled')).textContent()))
      .toBeGreaterThan(0);
    await on(page)
      .turns.getByRole('button', { name: /as a table/ })
      .click();
  });

  test('pointing at the band tells of the turns there', async () => {
    const band = on(page).turns.getByRole('img', { name: /whose turn it is/ });
    await page.evaluate(() => document.querySelector('#turns')!.scrollIntoView({ block: 'center' }));
    await expect(async () => {
      const { x, y, width } = (await band.boundingBox())!;
      await page.mouse.move(x + width - 8, y + 30);
      await expect(page.getByText(/^Turns at \d/)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.mouse.move(0, 0);
  });

  test('batches have a row of their own, and every broken chain a reason', async () => {
    await expect(on(page).further.getByRole('heading', { name: 'Batches' })).toBeVisible();
    await expect(on(page).further.getByRole('heading', { name: 'Broken chains' })).toBeVisible();
    const reasons = page.getByRole('list', { name: /Broken chains and batches that stood back/ }).getByRole('listitem');
    await expect(reasons.first()).toContainText(/^\D+(15 ms)? \d+/);
  });

  test('passes the accessibility check, and fits a phone', async ({ browser }) => {
    expect(await accessibilityFaults(page)).toEqual([]);
    const phone = await browser.newPage({ ...PHONE, baseURL: cluster.gateways[1]!.rest });
    await watch(phone);
    await expect(on(phone).turns.getByRole('img', { name: /whose turn it is/ })).toBeVisible();
    expect(await stickingOut(phone)).toEqual([]);
    await phone.close();
  });
});

const numberIn = (text: string | null): number => Number((text ?? '').replaceAll(',', ''));
