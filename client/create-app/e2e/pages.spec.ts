// The page of a new app, in a browser, against the cluster of all browser tests. Each worker has an app of its own, with a poll in which nobody
// else votes. It lies inside the workspace, whose packages it uses.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test as plain, type Locator, type Page } from '@playwright/test';

import { createApp } from '../src/create.ts';

const RESULTS = fileURLToPath(new URL('../../../test-results', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const READY_WITHIN_MS = 30_000;

/** the gRPC addresses of the cluster */
async function gateways(): Promise<string> {
  const [rest] = (process.env['CLARET_TEST_GATEWAYS'] ?? '').split(',');
  const { shards } = (await (await fetch(`${rest}/v1/topology`)).json()) as { shards: { address: string }[] };
  return shards.map(({ address }) => address).join(',');
}

/** An app in the folder, whose poll is called `id`. */
function makeApp(folder: string, id: string): void {
  createApp({ folder, client: null });
  const file = join(folder, 'server', 'polls.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace("id: 'next'", `id: '${id}'`));
}

async function startApp(folder: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(folder, 'server', 'main.ts')], {
    env: { ...process.env, CLARET_GATEWAYS: await gateways(), PORT: '0' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const said = () => /The poll is at (\S+)\n/.exec(output)?.[1] ?? '';
  await expect.poll(said, { timeout: READY_WITHIN_MS }).not.toBe('');
  return { url: said(), child };
}

const test = plain.extend<object, { app: string }>({
  app: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs
    async ({}, use) => {
      const id = `poll-${randomUUID()}`;
      const folder = join(RESULTS, id);
      makeApp(folder, id);
      const { url, child } = await startApp(folder);
      await use(url);
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

/** Opens the page, and fails the test if the browser complains about it, such as for its content policy. */
async function open(page: Page, app: string): Promise<void> {
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) expect.soft(message.text()).toBe('');
  });
  await page.goto(app);
  await expect(stateOf(page)).toHaveText('Live');
}

const stateOf = (page: Page): Locator => page.locator('#state');
const noteOf = (page: Page): Locator => page.getByRole('status');
const option = (page: Page, text: string): Locator => page.getByRole('button', { name: text });
const countIn = async (button: Locator): Promise<number> => Number(/\d+/.exec(await button.locator('.count').innerText())?.[0]);

test('a vote is taken, shown to everybody, changed, and remembered @phone', async ({ page, browser, app }) => {
  await open(page, app);
  const elsewhere = await (await browser.newContext()).newPage();
  await open(elsewhere, app);

  const seen = await countIn(option(elsewhere, 'A dark theme'));
  await option(page, 'A dark theme').click();
  await expect(noteOf(page)).toHaveText('Your vote: A dark theme. You may change it.');
  await expect.poll(() => countIn(option(elsewhere, 'A dark theme'))).toBe(seen + 1);
  await expect(option(elsewhere, 'A dark theme')).toHaveAttribute('aria-pressed', 'false');

  await option(page, 'A faster search').click();
  await expect(noteOf(page)).toHaveText('Your vote: A faster search. You may change it.');
  await expect.poll(() => countIn(option(elsewhere, 'A dark theme'))).toBe(seen);
  await page.reload();
  await expect(option(page, 'A faster search')).toHaveAttribute('aria-pressed', 'true');

  const loved = await countIn(option(elsewhere, 'Love it'));
  await option(page, 'Love it').click();
  await expect.poll(() => countIn(option(elsewhere, 'Love it'))).toBe(loved + 1);
  await elsewhere.context().close();
});

test('a vote can be cast with the keyboard alone', async ({ page, app }) => {
  await open(page, app);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(option(page, 'Work without a network')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(option(page, 'Work without a network')).toHaveAttribute('aria-pressed', 'true');
  await expect(noteOf(page)).toContainText('Work without a network');
});

test('the page is accessible, in light and in dark, and no wider than its screen @phone', async ({ page, app }) => {
  await open(page, app);
  await option(page, 'A shortcut for everything').click();
  await expect(noteOf(page)).toContainText('You may change it.');
  await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const faults = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: { id: string }[] }> } };
      return (await axe.run()).violations.map(({ id }) => id);
    });
    expect(faults, colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('what was refused is tried again, then taken back, and said', async ({ page, app }) => {
  await open(page, app);
  let asked = 0;
  const detail = 'The store cannot be reached at the moment. Nothing has changed.';
  await page.route('**/api/votes', (route) => {
    asked++;
    return route.fulfill({
      status: 503,
      headers: { 'retry-after': '1' },
      contentType: 'application/problem+json',
      body: JSON.stringify({ detail }),
    });
  });
  await option(page, 'A dark theme').click();
  await expect(noteOf(page)).toHaveText('Not done yet. Trying again …');
  await expect(noteOf(page)).toHaveText(detail);
  await expect(option(page, 'A dark theme')).toHaveAttribute('aria-pressed', 'false');
  expect(asked).toBe(3);
  await page.unroute('**/api/votes');
  await option(page, 'A dark theme').click();
  await expect(noteOf(page)).toContainText('Your vote: A dark theme');
});

test('a stream that was refused is opened again', async ({ page, app }) => {
  await page.route('**/api/live', (route) => route.fulfill({ status: 503 }), { times: 1 });
  const refused = page.waitForResponse((response) => response.url().endsWith('/api/live') && response.status() === 503);
  await page.goto(app);
  await refused;
  await expect(stateOf(page)).toHaveText('Live');
});

test('the page says so when its counts may be old', async ({ page, app }) => {
  const [{ id }] = (await (await page.request.get(`${app}/api/polls`)).json()).polls;
  await page.addInitScript((poll: string) => {
    const polls = { [poll]: { votes: { dark: 3, search: 1 }, reactions: {} } };
    class Stream extends EventTarget {
      constructor() {
        super();
        setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ live: false, polls }) })));
      }
    }
    Object.assign(globalThis, { EventSource: Stream });
  }, id);
  await page.goto(app);
  await expect(stateOf(page)).toHaveText('The store cannot be reached: these counts may be old');
  await expect(option(page, 'A dark theme').locator('.count')).toHaveText('3 · 75%');
  await expect(page.getByText('4 votes')).toBeVisible();
});
