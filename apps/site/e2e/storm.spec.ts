// Both sites while k6 overloads one of them: people browse, register, bid and post as usual, and in the end every acknowledged bid of the
// load test is there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { newName, PASSWORD, sent, serversNamed } from './people.ts';

const MAIN = join(import.meta.dirname, '..', '..', '..', 'loadtest', 'load', 'k6', 'main.ts');
const AUCTIONS = serversNamed('CLARET_TEST_AUCTIONS');
const TIMELINES = serversNamed('CLARET_TEST_TIMELINES');
/** the title of the auction that the load test bids on */
const HOT_TITLE = 'Storm lantern';
const PEAK_PER_S = 20;
const DURATION_S = 30;

const folder = mkdtempSync(join(tmpdir(), 'claret-storm-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the load test on the auctions; `over` resolves to its summary. It ends with the test at the latest. */
function storm(): { over: Promise<{ invariants: string; accepted_per_s: number }>; end(): void } {
  const json = join(folder, 'summary.json');
  const rate = ['--rate', String(PEAK_PER_S), '--duration', String(DURATION_S)];
  const args = [MAIN, 'last-minute-auction', '--target', AUCTIONS[0]!, ...rate, '--out', folder, '--json', json];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  const over = once(child, 'close').then(() => {
    try {
      return JSON.parse(readFileSync(json, 'utf8'))[0];
    } catch {
      throw new Error(`the storm left no summary:\n${output}`);
    }
  });
  return { over, end: () => void child.kill('SIGTERM') };
}

const strangerAt = async (browser: Browser, baseURL: string): Promise<Page> => (await browser.newContext({ baseURL })).newPage();

/** Looks for the load test's auction until it exists and receives bids. */
async function findHot(page: Page): Promise<void> {
  await expect(async () => {
    await page.goto(`/search?q=${encodeURIComponent(HOT_TITLE)}`);
    await page.getByRole('link', { name: HOT_TITLE }).first().click({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('region', { name: 'Bidding' })).toContainText(/\d+ bids/);
}

const bids = async (page: Page): Promise<number> =>
  Number(/([\d,]+) bids?/.exec(await page.getByRole('region', { name: 'Bidding' }).innerText())?.[1]?.replaceAll(',', '') ?? 0);

test('during a load test of the auctions, people look and bid there, and post at the timelines', { tag: '@long' }, async ({ browser }) => {
  const { over, end } = storm();
  const ended = over.catch((error: Error) => error); // checked below
  try {
    const looker = await strangerAt(browser, AUCTIONS[1]!);
    await findHot(looker);
    const before = await bids(looker);
    await expect.poll(() => bids(looker), { message: 'bids come in live' }).toBeGreaterThan(before);

    const writer = await strangerAt(browser, TIMELINES[0]!);
    await writer.goto('/register');
    const username = newName('nell');
    await writer.getByRole('textbox', { name: 'Username' }).fill(username);
    await writer.getByLabel('Password').fill(PASSWORD);
    await sent(writer, '/api/register', () => writer.getByRole('button', { name: 'Sign up' }).click());
    await expect(writer.getByRole('button', { name: `Account of ${username}` })).toBeVisible();
    await writer.goto('/');
    await writer.getByRole('main').getByRole('textbox', { name: 'What’s happening?' }).fill(`Calm here, says ${username}`);
    await writer.keyboard.press('Control+Enter');
    await expect(writer.getByRole('article').filter({ hasText: `Calm here, says ${username}` })).toBeVisible();

    const bidder = await strangerAt(browser, AUCTIONS[0]!);
    await bidder.goto('/register');
    await bidder.getByRole('textbox', { name: 'Nickname' }).fill(username);
    await bidder.getByLabel('Password').fill(PASSWORD);
    await bidder.getByRole('combobox', { name: 'Region' }).selectOption({ index: 2 });
    await sent(bidder, '/api/register', () => bidder.getByRole('button', { name: 'Register' }).click());
    await expect(bidder.getByRole('button', { name: `Account of ${username}` })).toBeVisible();
    await bidder.goto('/browse');
    await bidder.getByRole('main').getByRole('heading').getByRole('link').last().click();
    await bidder.getByRole('group', { name: 'Suggested bids' }).getByRole('button').last().click();
    await sent(bidder, '/bids', () => bidder.getByRole('button', { name: /^Bid \$/ }).click());
    await expect(bidder.getByRole('region', { name: 'Bidding' })).toContainText(/You’re leading with|You’ve been outbid/);

    await expect(looker.getByRole('heading', { name: /^(Auction ended|Someone else won)$/ })).toBeVisible();
    const summary = await ended;
    if (summary instanceof Error) throw summary;
    expect(summary.accepted_per_s).toBeGreaterThan(0);
    expect(summary.invariants).toBe('hold');
  } finally {
    end();
    await ended;
  }
});
