// Standbys as `claret shards` shows them: the words, and a real standby of a replicated cluster.
import { afterAll, describe, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../../scripts/cluster.js';
import { findNatsServer } from '../../scripts/setup/nats-server.js';
import { screenOf } from './screen.ts';
import { standbyTable, withLag } from './standbys.ts';
import { claret } from './testing.ts';

const terminal = { env: {}, isTerminal: false, size: () => ({ columns: 80, rows: 40 }) } as never;
const screen = screenOf(terminal, false);
const standby = (state: string, follows: { shard: number; position: number; ready: boolean }[]) => ({
  rest_address: 'c:2',
  grpc_address: 'c:1',
  state,
  follows,
});
const linesOf = (text: string[]) => text.flatMap((part) => part.split('\n')).slice(2);

test('the lag is what the owner has beyond the standby, and unknown without the owner', () => {
  const follows = [
    { shard: 0, position: 90, ready: true },
    { shard: 1, position: 120, ready: true },
    { shard: 2, position: 7, ready: false },
  ];
  const owners = [
    { shard: 0, log_position: 1_100 },
    { shard: 1, log_position: 118 },
    { shard: 2, log_position: null },
  ];
  const found = withLag([standby('standby', follows)], owners);
  expect(found[0]!.follows.map(({ behind }) => behind)).toEqual([1_010, 0, null]);
  expect(linesOf(standbyTable(screen, found)).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['c:2', 'c:1', '0', '1,010 entries behind'],
    ['1', 'up to date'],
    ['2', 'still reading, at entry 7'],
  ]);
});

test('a standby that does not answer, or that serves a shard meanwhile, says so', () => {
  const found = withLag([standby('no answer', []), standby('serving', [])], []);
  expect(linesOf(standbyTable(screen, found)).map((line) => line.trim().split(/ {2,}/).at(-1))).toEqual(['no answer', 'serving']);
  expect(standbyTable(screen, [])).toEqual([]);
});

const hasNats = (await findNatsServer()) !== null;
describe.skipIf(!hasNats)('with a replicated log', () => {
  let cluster: Cluster | undefined;
  afterAll(() => cluster?.stop());

  test('shards lists the standby, and how far it is with the shard', async () => {
    cluster = await startCluster({ shards: 1, replicated: true });
    const owners = await cluster.owners();
    const env = { CLARET_GATEWAY: owners[0]!.rest.slice('http://'.length) };
    const shards = async () => JSON.parse((await claret(['shards', '--json'], { env })).out) as any;
    const follows = [{ shard: 0, ready: true, behind: 0, position: expect.any(Number) }];
    await expect.poll(shards, { interval: 200 }).toMatchObject({ standbys: [{ state: 'standby', follows }] });
    // The owner's log goes on, so the standby may be an entry behind in any one answer.
    let out = '';
    await expect
      .poll(async () => ({ out } = await claret(['shards'], { env, columns: 80 })).out, { interval: 200 })
      .toMatch(/standby REST +gRPC +shard {2}lag\n127\.0\.0\.1:\d+ +127\.0\.0\.1:\d+ +0 {2}up to date\n$/);
    expect(out).toContain('1 shard · 1 standby · durability sync');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
