// What viewers are told of owners and standbys, on a clock under the test's control.
import { randomFrom } from '@claret/client/testing';
import { expect, test } from 'vitest';
import { Directory } from './directory.ts';
import { Overview } from './overview.ts';
import { encodeOwner, ownerKey } from './owner.ts';
import type { Owner } from './owner.ts';
import type { Ownership } from './ownership.ts';
import { standbyKey } from './standbys.ts';
import type { Followed } from './standbys.ts';
import { Machine, World } from './testing/machines.ts';

const LEASE_MS = 2_000;
const owner = (change: Partial<Owner>): Owner => ({
  gateway: 'g',
  grpc: 'a:1',
  rest: 'a:2',
  incarnation: 5,
  sinceMs: 1_000,
  wallMs: 1_000,
  renewals: 0,
  isReleased: false,
  log: 'log',
  before: null,
  ...change,
});
const STANDBY = { gateway: 'c', grpc: 'c:1', rest: 'c:2' };

/** The gateway of shard 0, beside that of shard 1. */
function begin(own: Owner, aliveAfterMs?: number) {
  const world = new World(randomFrom(1));
  const { environment } = new Machine(world, 1);
  const directory = new Directory({ environment, leaseMs: LEASE_MS, onTrouble: () => {} });
  const positions = new Map<number, number>();
  const ownership = { shard: 0, owner: own, untilMs: environment.monotonicMs() + 1_800 } as Ownership;
  const overview = new Overview({
    seat: { ownership, directory, aliveAfterMs },
    configured: ['a:2', 'd:2'],
    position: (shard) => positions.get(shard),
    environment,
  });
  let revision = 0;
  const take = (shard: number, change: Partial<Owner>) =>
    directory.take(ownerKey(shard), { value: encodeOwner(owner(change)), revision: ++revision });
  const say = (follows: Followed[]) =>
    directory.take(standbyKey(STANDBY), { value: JSON.stringify({ ...STANDBY, follows }), revision: ++revision });
  const pass = (ms: number) => world.runUntil(world.nowMs + ms);
  return { overview, positions, take, say, pass, environment };
}

test('the owners are those of the entries, but for the own shard: there this gateway is the owner, whatever an older entry says', async () => {
  const { overview, take, pass } = begin(owner({ grpc: 'b:1', rest: 'b:2', incarnation: 6, sinceMs: 7_000 }));
  take(1, { grpc: 'd:1', rest: 'd:2', sinceMs: 2_000 });
  take(0, {});
  expect(overview.describe().owners).toEqual([
    { shard: 0, address: 'b:1', rest_address: 'b:2', incarnation: 6, since_ms: 7_000, present: true },
    { shard: 1, address: 'd:1', rest_address: 'd:2', incarnation: 5, since_ms: 2_000, present: true },
  ]);
  await pass(0.95 * LEASE_MS);
  expect(
    overview.describe().owners.map(({ present }) => present),
    'its own lease is over',
  ).toEqual([false, true]);
  await pass(2 * LEASE_MS);
  expect(overview.describe().owners.map(({ present }) => present)).toEqual([false, false]);
});

test('the gateways that serve are the owners and standbys; known are those that have been there before, too', () => {
  const { overview, take, say } = begin(owner({ grpc: 'b:1', rest: 'b:2' }));
  take(1, { grpc: 'e:1', rest: 'e:2', before: { grpc: 'f:1', rest: 'f:2' } });
  say([]);
  expect(overview.serving()).toEqual(['b:2', 'e:2', 'c:2']);
  expect(overview.known()).toEqual(['b:2', 'a:2', 'd:2', 'e:2', 'f:2', 'c:2']);
});

test('a standby counts as up to date if it lacks no more than the owner writes in a second', async () => {
  const { overview, positions, take, say, pass } = begin(owner({}));
  take(1, {});
  const behind = (shard = 0) => overview.describe().standbys[0]!.follows.find((one) => one.shard === shard)!.behind;
  positions.set(0, 1_000);
  say([
    { shard: 0, position: 900, isReady: false },
    { shard: 1, position: 3, isReady: true },
  ]);
  expect([behind(), behind(1)], 'nothing is known of the owners yet').toEqual([undefined, undefined]);
  await pass(1_000);
  positions.set(0, 1_100);
  say([{ shard: 0, position: 1_000, isReady: true }]);
  expect(behind()).toBe(0);
  say([{ shard: 0, position: 999, isReady: true }]);
  expect(behind()).toBe(101);
  await pass(1_000);
  say([{ shard: 0, position: 1_050, isReady: true }]);
  expect(behind(), 'it was busier a moment ago').toBe(0);
  for (let seconds = 0; seconds < 6; seconds++) {
    await pass(1_000);
    overview.describe();
  }
  say([{ shard: 0, position: 1_050, isReady: true }]);
  expect(behind(), 'an owner that writes nothing').toBe(50);
  say([{ shard: 0, position: 1_100, isReady: true }]);
  expect(behind()).toBe(0);
  say([{ shard: 0, position: 1_200, isReady: true }]);
  expect(behind(), 'what the owner has said is older').toBe(0);
});

test('a take-over is told with the owner before, and with the longest time without answers if that is known', async () => {
  const before = { grpc: 'a:1', rest: 'a:2' };
  const taken = owner({ grpc: 'b:1', rest: 'b:2', before });
  const { overview, environment } = begin(taken);
  expect(overview.ownTakeOver()).toEqual({ shard_taken_over: 0, by: 'b:2', from: 'a:2' });
  const known = begin(taken, environment.monotonicMs() + 100);
  await known.pass(2_600);
  expect(known.overview.ownTakeOver()).toEqual({ shard_taken_over: 0, by: 'b:2', from: 'a:2', unanswered_ms: 2_500 });
  expect(begin(owner({ before })).overview.ownTakeOver(), 'it had the shard before').toBeUndefined();
  expect(begin(owner({})).overview.ownTakeOver(), 'nobody had the shard before').toBeUndefined();
});

test('the metrics tell of the own shard, and of each take-over', async () => {
  const { overview, positions, pass } = begin(owner({ grpc: 'b:1', before: { grpc: 'a:1', rest: 'a:2' } }));
  positions.set(0, 12);
  const told = { shard: 0, incarnation: 5, position: 12 };
  expect(overview.ownership()).toMatchObject({ ...told, leaseMs: 1_800 });
  expect([...overview.ownership().takeOvers]).toEqual([
    [0, 1],
    [1, 0],
  ]);
  await pass(2_000);
  overview.noteTakeOver(1);
  expect(overview.ownership().leaseMs).toBe(-200);
  expect(overview.ownership().takeOvers.get(1)).toBe(1);
});

test('a start of another shard is a take-over if the owner before had another address', () => {
  const { overview, take } = begin(owner({}));
  take(1, { grpc: 'd:1', incarnation: 8, before: { grpc: 'a:1', rest: 'a:2' } });
  expect([overview.isTakeOver(1, 8), overview.isTakeOver(1, 7), overview.isTakeOver(0, 5), overview.isTakeOver(2, 1)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  take(1, { grpc: 'd:1', incarnation: 9, before: { grpc: 'd:1', rest: 'd:2' } });
  expect(overview.isTakeOver(1, 9)).toBe(false);
});
