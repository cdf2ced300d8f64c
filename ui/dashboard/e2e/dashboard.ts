// What the dashboard's browser tests share: the cluster under test, and the page as people use it. Nothing waits by the
// clock where something must come: it is waited for.
import { accessibilityFaults as faultsOf } from '@claret/ui/kit/e2e/reach.ts';
import { expect, test as base, type APIRequestContext, type Locator, type Page } from '@playwright/test';

export { stickingOut } from '@claret/ui/kit/e2e/reach.ts';

/** Base URLs of a running cluster's gateways, which serve the dashboard. */
export const GATEWAYS = (process.env['CLARET_TEST_GATEWAYS'] ?? '').split(',').filter(Boolean);

export const test = base.extend({ baseURL: GATEWAYS[0] });

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** The page as people use it: what they look for by name. */
export const on = (page: Page) => ({
  line: page.getByRole('banner').getByRole('status'),
  recording: page.getByRole('region', { name: 'Recording', exact: true }),
  playhead: page.getByRole('slider', { name: 'Position in the recording' }),
  /** behind "Open" */
  file: page.locator('input[type="file"]'),
  ways: page.getByRole('group', { name: 'Concurrency control' }),
  startSpike: page.getByRole('button', { name: 'Start a spike' }),
  stopSpike: page.getByRole('button', { name: 'Stop', exact: true }),
  figures: page.getByRole('region', { name: 'Key figures' }),
  flags: page.getByRole('list', { name: 'Changes to the cluster' }),
  time: page.getByRole('region', { name: 'Time shown' }),
  conflicts: page.getByRole('region', { name: 'Who blocks whom?' }),
  lanes: page.getByRole('region', { name: 'Lock phases of hot records' }),
});

/** Opens the instrument and waits until telemetry arrives. */
export async function watch(page: Page): Promise<void> {
  await page.goto('/');
  await expect(on(page).line).toHaveText('Live');
}

/** Turns a view to its table; answers the table. */
export async function asTable(panel: Locator): Promise<Locator> {
  const turn = panel.getByRole('button', { name: /as a table/ });
  if ((await turn.getAttribute('aria-pressed')) === 'false') await turn.click();
  return panel.getByRole('table');
}

/** What the cluster is started with. */
const USUAL_CONDITIONS = { locks: 'abstract', phasing: true, combining: 'auto' };

/** As it was before the tests: no spike, the usual conditions. */
export async function calmDown(request: APIRequestContext): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await request.delete(`${GATEWAYS[0]}/v1/admin/spikes`, { headers });
  const done = await request.put(`${GATEWAYS[0]}/v1/admin/conditions`, { headers, data: USUAL_CONDITIONS });
  expect(done.ok(), await done.text()).toBe(true);
}

// Names beside the rows of the heatmap are lower than 24 px; those beside the lanes, which do the same, are not.
export const RULES = { 'target-size': { enabled: false } };

/** What axe finds against WCAG 2.2 AA, a line each. */
export const accessibilityFaults = (page: Page): Promise<string[]> => faultsOf(page, RULES);
