import { inProcessCluster } from '@claret/client/testing';
import { expect, it } from 'vitest';
import { randomFrom } from '../kit/random.ts';
import { sentAsNatives } from '../kit/sent-as-natives.ts';
import { OPERATIONS, Rawmix } from './rawmix.ts';

it('the sets hold exactly the adds of committed rawmix transactions', async () => {
  const cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect();
  const rawmix = new Rawmix({ alpha: 1, update: 0.5, name: 'r', sets: 20 }, randomFrom(7));
  const worker = async (number: number) => {
    for (let i = 0; i < 20; i++) await rawmix.run(claret, rawmix.draw(claret), number % 2 === 0 ? 'interactive' : 'one-shot');
  };
  await Promise.all(Array.from({ length: 8 }, (_, number) => worker(number)));
  expect(rawmix.added.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
  expect(await rawmix.mismatches(claret)).toEqual([]);
  rawmix.added[0]!--;
  expect((await rawmix.mismatches(claret))[0]).toContain('adds were committed');
  await cluster.stop();
});

it('all adds are stored if every operation is sent as a native, without an attempt', async () => {
  const cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect();
  const sender = sentAsNatives(claret, { oneAtATime: false });
  const rawmix = new Rawmix({ alpha: 1, update: 0.5, name: 'r', sets: 20 }, randomFrom(3));
  const worker = async (number: number) => {
    for (let i = 0; i < 20; i++) await rawmix.run(sender, rawmix.draw(sender), number % 2 === 0 ? 'interactive' : 'one-shot');
  };
  await Promise.all(Array.from({ length: 8 }, (_, number) => worker(number)));
  expect(cluster.shards.map((shard) => shard.counters().begun)).toEqual([0, 0]);
  expect(claret.counters.natives).toBe(8 * 20 * OPERATIONS);
  expect(await rawmix.mismatches(claret)).toEqual([]);
  await cluster.stop();
});
