// A shard joins while a page is open, and slots move to it: the page shows the shard, the move's progress, and flags its end. On a cluster of
// its own.
import { expect, type Page } from '@playwright/test';
import { fileURLToPath } from 'node:url';
import { bringAxe, expectReach } from '@claret/ui/kit/e2e/reach.ts';
import { startCluster, type TestCluster } from '../../../gateway/src/testing/cluster.ts';
import { asTable, EXPLORE, on, test } from './dashboard.ts';

const dashboardDir = fileURLToPath(new URL('../dist', import.meta.url));

let cluster: TestCluster;
test.beforeAll(async () => {
  cluster = await startCluster(2, { durability: 'sync', dashboardDir });
});
test.afterAll(() => cluster?.close());

const urlOf = (shard: number) => `http://${cluster.gateways[shard]!.member.rest}`;
const headers = { 'content-type': 'application/json' };

/** Returns the id of the move. */
async function beginMove({ request }: Page, data: object): Promise<string> {
  const answer = await request.post(`${urlOf(0)}/v1/admin/moves`, { headers, data });
  expect(answer.status(), await answer.text()).toBe(202);
  return ((await answer.json()) as { move: string }).move;
}

test('a shard that joins appears in an open page, and slots that move to it have progress and a flag', async ({ page, context }) => {
  await bringAxe(context);
  await page.goto(urlOf(0) + EXPLORE);
  await expect(on(page).line).toHaveText('Live');
  const banner = page.getByRole('banner');
  await expect(banner).toContainText('2 shards');
  await expect(on(page).owners).toContainText(`Shard 1 ${cluster.gateways[1]!.member.rest} 8,192 slots`);

  await cluster.join();
  await expect(banner).toContainText('3 shards');
  await expect(on(page).owners).toContainText(`Shard 2 ${cluster.gateways[2]!.member.rest} 0 slots`);

  // A taker that is away lets a move stand still.
  const filled = await page.request.post(`${urlOf(0)}/v1/transactions`, {
    headers,
    data: { operations: [{ key: cluster.keyOn(1, 'some'), type: 'counter', operation: 'add', arguments: [1] }] },
  });
  expect(filled.ok(), await filled.text()).toBe(true);
  await cluster.gateways[2]!.close();
  const id = await beginMove(page, { from: 1, to: 2, count: 8_192 });
  const moves = on(page).owners.getByRole('list', { name: 'Slots that move' });
  await expect(moves).toContainText('8,192 slots from shard 1 to 2');
  await expect(moves).toContainText('stands still: Shard 2');
  await expect(moves.getByRole('progressbar')).toBeVisible();
  await expectReach(page);
  expect((await page.request.delete(`${urlOf(0)}/v1/admin/moves/${id}`, { headers })).status()).toBe(200);
  const aborted = on(page).flags.getByRole('listitem').filter({ hasText: 'Move of 8,192 slots from shard 1 to 2 called off' });
  await expect(aborted).toHaveAttribute('title', /the slots stay: an operator has called it off/);
  await expect(moves).toHaveCount(0);

  await cluster.restart(2);
  await beginMove(page, { from: 1, to: 2, count: 2_730 });
  const done = on(page).flags.getByRole('listitem').filter({ hasText: '2,730 slots moved from shard 1 to 2' });
  await expect(done).toHaveAttribute('title', /held for [\d<.]+ m?s/);
  await expect(on(page).owners).toContainText('5,462 slots');
  await expect(on(page).owners).toContainText('2,730 slots');
  const table = await asTable(on(page).owners);
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table.getByRole('row').last()).toContainText('2,730');
  await expectReach(page);

  // A page that opens later, at the gateway that has joined, sees the same.
  await page.goto(urlOf(2) + EXPLORE);
  await expect(banner).toContainText('3 shards');
  await expect(on(page).flags).toContainText('2,730 slots moved from shard 1 to 2');
});
