// A shard joins while a page is open, and slots move to it: the page shows the shard, the move's progress, and flags its end. On a cluster of
// its own.
import { expect, type Page } from '@playwright/test';
import { fileURLToPath } from 'node:url';
import { bringAxe, expectReach } from '@claret/ui/kit/e2e/reach.ts';
import { saidBy } from '@claret/ui/kit/e2e/said.ts';
import { startCluster, type TestCluster } from '../../../gateway/src/testing/cluster.ts';
import { asTable, EXPLORE, on, openWithPast, tell, test } from './dashboard.ts';

const NOT_FOUND = 404;
const dashboardDir = fileURLToPath(new URL('../dist', import.meta.url));

let cluster: TestCluster;
test.beforeAll(async () => {
  cluster = await startCluster(2, { durability: 'sync', dashboardDir });
});
test.afterAll(() => cluster?.close());

const urlOf = (shard: number) => `http://${cluster.gateways[shard]!.member.rest}`;

/** Returns the id of the move. */
async function beginMove({ request }: Page, data: object): Promise<string> {
  const answer = await tell(request, 'POST', `${urlOf(0)}/v1/admin/moves`, data);
  expect(answer.status()).toBe(202);
  return ((await answer.json()) as { move: string }).move;
}

/** A taker that is silent for long has its move called off anyway: on a slow machine before an operator comes to do it. Then another one begins. */
async function callOff(page: Page, id: string, move: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const end = (one: string) => page.request.delete(`${urlOf(0)}/v1/admin/moves/${one}`, { headers });
  let answer = await end(id);
  while (answer.status() === NOT_FOUND) answer = await end(await beginMove(page, move));
  expect(answer.status(), await answer.text()).toBe(200);
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
  const add = { key: cluster.keyOn(1, 'some'), type: 'counter', operation: 'add', arguments: [1] };
  await tell(page.request, 'POST', `${urlOf(0)}/v1/transactions`, { operations: [add] });
  await cluster.gateways[2]!.close();
  const all = { from: 1, to: 2, count: 8_192 };
  const said = await saidBy(page, '[aria-label="Slots that move"]');
  const id = await beginMove(page, all);
  const moves = on(page).owners.getByRole('list', { name: 'Slots that move' });
  await expect(moves.getByRole('progressbar')).toBeVisible();
  await expect.poll(said).toContainEqual(expect.stringMatching(/8,192 slots from shard 1 to 2.*stands still: Shard 2/));
  await expectReach(page);
  await callOff(page, id, all);
  await expect(on(page).flags.getByTitle(/Move of 8,192 slots from shard 1 to 2 called off, the slots stay: an operator/)).toBeAttached();
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
  await openWithPast(page, urlOf(2) + EXPLORE, async (waiting) => {
    await on(page).time.getByRole('button', { name: '10 min' }).click(); // on a slow machine the move is long ago
    await expect(on(page).flags).toContainText('2,730 slots moved from shard 1 to 2', waiting);
  });
  await expect(banner).toContainText('3 shards');
});
