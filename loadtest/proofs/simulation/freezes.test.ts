// How long others stand still while an app server is frozen, on histories and frames written by hand. The times are ms.
import { expect, test } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { keyOn } from '../../../client/src/testing/keys.ts';
import { attempt, operation } from '../history/testing-attempts.ts';
import { Chance } from '../../kit/random.ts';
import type { AppServer } from './app-server.ts';
import { Freezes } from './freezes.ts';
import { SimulatedNode } from './node.ts';
import { World } from './world.ts';

/** ServerFrame with a turn, and ClientFrame with a request that begins an attempt with the id 0xab. */
const TURN = Uint8Array.of(0xa2, 0x01, 0x00);
const LOCKS = Uint8Array.of(0x4a, 0x05, 0x12, 0x03, 0x0a, 0x01, 0xab);
const BOTH = [keyOn(0), keyOn(1)];

/** One app server is frozen from 0 to 100. */
async function frozen() {
  const world = new World(new Chance(1), () => 0);
  const nodes = ['app', 'shard'].map((name) => new SimulatedNode(world, name, new Chance(2))) as [SimulatedNode, SimulatedNode];
  const stall = (forMs: number) => nodes[0].stall(forMs);
  const freezes = new Freezes(world, ['shard-0', 'shard-1'], () => [{ node: nodes[0], stall }] as unknown as AppServer[]);
  freezes.arm(0, 100);
  freezes.onDelivery(nodes[1], nodes[0], TURN);
  await world.runUntil(world.sleep(1));
  const take = (process: string, call: number, end: number, { keys = BOTH, ...more }: Partial<HistoryAttempt> & { keys?: string[] } = {}) =>
    freezes.take({
      ...attempt({ process, call: call * 1e6, return: end * 1e6, ops: keys.map((key) => operation(['Counter.value', key, [], 1])) }),
      ...more,
    });
  const longest = () => Math.round(freezes.standstills[0]!.ms);
  return { freezes, nodes, take, longest };
}

test('the time from the freeze to the first end counts, and that between two ends', async () => {
  const { take, longest } = await frozen();
  take('other', -5, 20);
  expect(longest()).toBe(20);
  take('other', 10, 60);
  expect(longest()).toBe(40);
});

test('time counts only while another one has a transaction over several shards under way', async () => {
  const { take, longest } = await frozen();
  take('other', 10, 13);
  take('other', 50, 57);
  take('app', -5, 99);
  take('other', 14, 45, { keys: BOTH.slice(1) });
  expect(longest()).toBe(7);
});

test('a transaction counts from its first attempt, and until the thaw', async () => {
  const { take, longest } = await frozen();
  take('other', 30, 40, { outcome: 'fail', error: 'denied', transaction: 't' });
  take('other', 90, 140, { transaction: 't' });
  expect(longest()).toBe(70);
});

test('a freeze with an attempt under way that takes locks is told apart', async () => {
  const { freezes, nodes, take } = await frozen();
  expect(freezes.standstills).toMatchObject([{ locks: false }]);
  freezes.onDelivery(nodes[0], nodes[1], LOCKS);
  take('app', -5, 110, { id: 'ab' });
  expect(freezes.standstills).toMatchObject([{ locks: true }]);
});
