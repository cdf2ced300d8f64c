// Helpers shared by the dashboard's browser tests: the cluster under test, and the page's elements by the names that people see. No
// test sleeps for a fixed time: each waits for the expected event.
import { accessibilityFaults as faultsOf } from '@claret/ui/kit/e2e/reach.ts';
import { expect, test as base, type APIRequestContext, type APIResponse, type Locator, type Page } from '@playwright/test';

export { stickingOut } from '@claret/ui/kit/e2e/reach.ts';

/** Base URLs of a running cluster's gateways, which serve the dashboard. */
export const GATEWAYS = (process.env['CLARET_TEST_GATEWAYS'] ?? '').split(',').filter(Boolean);

export const test = base.extend({ baseURL: GATEWAYS[0] });

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Locators of the page's elements, by their accessible names. */
export const on = (page: Page) => ({
  line: page.getByRole('banner').getByRole('status'),
  recording: page.getByRole('region', { name: 'Recording', exact: true }),
  playhead: page.getByRole('slider', { name: 'Position in the recording' }),
  /** the file input behind "Open" */
  file: page.locator('input[type="file"]'),
  /** a card of the load's story, by the name of its mode: it switches the cluster */
  card: (mode: string) => page.getByRole('list', { name: 'Modes' }).getByRole('button', { name: mode }),
  settings: page.getByRole('dialog', { name: 'Settings' }),
  startSpike: page.getByRole('button', { name: 'Start', exact: true }),
  stopSpike: page.getByRole('button', { name: 'Stop', exact: true }),
  figures: page.getByRole('region', { name: 'Key figures' }),
  further: page.getByRole('region', { name: 'Further figures' }),
  flags: page.getByRole('list', { name: 'Changes to the cluster' }),
  time: page.getByRole('region', { name: 'Time shown' }),
  conflicts: page.getByRole('region', { name: 'Who blocks whom?' }),
  turns: page.getByRole('region', { name: 'Turns of clients' }),
  epochs: page.getByRole('region', { name: 'Epochs', exact: true }),
  owners: page.getByRole('region', { name: 'Who owns which shard?' }),
  lanes: page.getByRole('region', { name: 'Lock phases of hot records' }),
});

/** The verdict of a spike: what was acknowledged is stored. A spike whose site has visitors may have more stored. */
export const STORED = /^[\d,]+ .+ acknowledged, [\d,]+ stored$/;

/** The page with every view. */
export const EXPLORE = '/explore';

/** Three data types, of which each has something that the others have not: drawing and checking all of them takes a page seconds. */
const FEW_TYPES = ['Register', 'Set', 'ScoredSet'];

/** The page of data types shows a few of the cluster's, and in `npm run test:long` all of them. */
export async function showFew(page: Page): Promise<void> {
  if (process.env['CLARET_LONG'] === '1') return;
  await page.route('**/v1/types', async (route) => {
    const response = await route.fetch();
    const { types, ...more } = (await response.json()) as { types: { name: string }[] };
    await route.fulfill({ response, json: { ...more, types: types.filter(({ name }) => FEW_TYPES.includes(name)) } });
  });
}

/** Opens the page with every view and waits until telemetry arrives. */
export async function watch(page: Page): Promise<void> {
  await page.goto(EXPLORE);
  await expect(on(page).line).toHaveText('Live');
}

/**
 * Opens a page that is to show what happened before, and waits until it does. A page waits some seconds for the history of a busy cluster, and then
 * goes on without it, until it is opened again.
 */
export async function openWithPast(page: Page, address: string, isShown: (waiting: { timeout: number }) => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.goto(address);
    // Not for the header, which a dialog that opens with the page would hide.
    await isShown({ timeout: 30_000 });
  }).toPass();
}

/** Switches a panel to its table, and returns the table. */
export async function asTable(panel: Locator): Promise<Locator> {
  const turn = panel.getByRole('button', { name: /as a table/ });
  // What has just loaded may still move under the pointer, and a click miss it.
  await expect(async () => {
    if ((await turn.getAttribute('aria-pressed')) === 'false') await turn.click();
    await expect(turn).toHaveAttribute('aria-pressed', 'true', { timeout: 5_000 });
  }).toPass();
  return panel.getByRole('table');
}

/**
 * Measures layout shifts from when the page is opened, also those after a click, as browsers sum them up: over a window of 5 s at most, that ends
 * where nothing moves for a second. So the sum does not grow with the time that a busy machine takes.
 */
export async function countShifts(page: Page): Promise<() => Promise<Shifts>> {
  await page.addInitScript(() => {
    const counted = window as unknown as { shifts: { most: number; moved: string[] } };
    counted.shifts = { most: 0, moved: [] };
    let [sum, beganAt, lastAt] = [0, -Infinity, -Infinity];
    type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect };
    type Shift = PerformanceEntry & { value: number; sources: Source[] };
    const nameOf = ({ node, previousRect: from, currentRect: to }: Source) =>
      `${(node as Element | null)?.className ?? node?.nodeName} by ${Math.round(to.x - from.x)}, ${Math.round(to.y - from.y)}`;
    new PerformanceObserver((list) => {
      for (const { value, sources, startTime } of list.getEntries() as Shift[]) {
        if (startTime - lastAt > 1_000 || startTime - beganAt > 5_000) [sum, beganAt] = [0, startTime];
        lastAt = startTime;
        sum += value;
        counted.shifts.most = Math.max(counted.shifts.most, sum);
        counted.shifts.moved.push(`${value.toFixed(3)}: ${sources.map(nameOf).join('; ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts);
}

export interface Shifts {
  /** the greatest sum of a window; below .1 is good by the browsers' own scale */
  most: number;
  /** what moved, and how much each time */
  moved: string[];
}

/** The sum of a column of figures. */
export async function totalOf(table: Locator, header: string): Promise<number> {
  const headers = await table.getByRole('columnheader').allTextContents();
  const cells = table.locator(`tbody tr td:nth-child(${headers.indexOf(header) + 1})`);
  return (await cells.allTextContents()).reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
}

/** Opens the settings, does something there, and closes them. */
async function inSettings(page: Page, act: (settings: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await act(on(page).settings);
  await page.keyboard.press('Escape');
  await expect(on(page).settings).toBeHidden();
}

/** Switches one of the cluster's settings, and waits until the cluster reports it to be in force. */
export const setCluster = (page: Page, name: string, value: string): Promise<void> =>
  inSettings(page, async (settings) => {
    const choice = settings.getByRole('group', { name, exact: true }).getByRole('button', { name: value, exact: true });
    await choice.click();
    await expect(choice).toHaveAttribute('aria-pressed', 'true');
  });

/** What one of the cluster's settings is. */
export async function settingOf(page: Page, name: string): Promise<string | null> {
  let value: string | null = null;
  await inSettings(page, async (settings) => {
    value = await settings.getByRole('group', { name, exact: true }).getByRole('button', { pressed: true }).textContent();
  });
  return value;
}

export interface LoadSize {
  seconds: number;
  clients: number;
}

/** Presses a card until the cluster is in its mode. A page that is behind for a moment, or has just loaded and still moves, loses a press. */
export async function switchTo(page: Page, mode: string): Promise<void> {
  const card = on(page).card(mode);
  await expect(async () => {
    if ((await card.getAttribute('aria-pressed')) !== 'true') await card.click();
    await expect(card).toHaveAttribute('aria-pressed', 'true', { timeout: 5_000 });
  }).toPass();
}

/** Starts a load under the conditions of the cluster, and waits until it has begun. */
export async function startSpike(page: Page, name: string, { seconds, clients }: LoadSize): Promise<void> {
  await page.getByRole('combobox', { name: 'Which load' }).selectOption(name);
  await inSettings(page, async (settings) => {
    await settings.getByRole('textbox', { name: 'Seconds' }).fill(String(seconds));
    await settings.getByRole('textbox', { name: 'Clients' }).fill(String(clients));
    await settings.getByRole('checkbox', { name: /modes in turn/ }).uncheck();
  });
  await expect(async () => {
    if (await on(page).startSpike.isVisible()) await on(page).startSpike.click();
    await expect(on(page).stopSpike).toBeVisible({ timeout: 10_000 });
  }).toPass();
  // On a machine under load a spike takes a while to begin.
  await expect(page.getByText(/^\d+ clients, \d+ of \d+ s$/)).toBeVisible();
}

/** Stops the load that runs, if it does: on a slow machine it may be over. */
export async function endSpike(page: Page): Promise<void> {
  await expect(async () => {
    if (await on(page).stopSpike.isVisible()) await on(page).stopSpike.click({ timeout: 5_000 });
    await expect(on(page).startSpike).toBeVisible({ timeout: 30_000 });
  }).toPass();
}

const UNAVAILABLE = 503;

/**
 * Asks a gateway to change something, again while a shard of a busy cluster does not answer in time. `url`: a path is one of the first gateway of the
 * cluster under test.
 */
export async function tell(
  request: APIRequestContext,
  method: 'POST' | 'PUT' | 'DELETE',
  url: string,
  data?: unknown,
): Promise<APIResponse> {
  const ask = () =>
    request.fetch(url.startsWith('/') ? GATEWAYS[0] + url : url, {
      method,
      headers: { 'content-type': 'application/json' },
      data,
      maxRetries: 5,
    });
  let answer = await ask();
  while (answer.status() === UNAVAILABLE) answer = await ask();
  expect(answer.ok(), `${url}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return answer;
}

/** Starts a load without a page. */
export const startLoad = (request: APIRequestContext, load: object): Promise<APIResponse> =>
  tell(request, 'POST', '/v1/admin/spikes', load);

/** Restores the state before the tests: no spike, and the conditions with which the cluster is started. */
export async function calmDown(request: APIRequestContext): Promise<void> {
  await tell(request, 'DELETE', '/v1/admin/spikes');
  const { normal } = await (await request.get(`${GATEWAYS[0]}/v1/admin/conditions`)).json();
  await tell(request, 'PUT', '/v1/admin/conditions', normal);
}

/** Violations of WCAG 2.2 AA found by axe, one line each. */
export const accessibilityFaults = (page: Page): Promise<string[]> => faultsOf(page);
