import { CalmEnvironment, inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import type { Claret } from '@claret/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { senderUnder, sentAsNatives } from './sent-as-natives.ts';

let cluster: InProcessCluster;
let claret: Claret;

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2, environment: new CalmEnvironment() });
  claret = await cluster.connect();
});
afterEach(() => cluster.stop());

const begun = () => cluster.shards.reduce((sum, shard) => sum + shard.counters().begun, 0);

test('a body runs without an attempt: each of its operations is a native', async () => {
  const sender = sentAsNatives(claret, { oneAtATime: false });
  const found = await sender.transaction('Body', async (tx) => {
    tx.counter('a').add(3);
    tx.set('b').add('x');
    const value = await tx.counter('a').value();
    return { value, size: await tx.set('b').size() };
  });
  expect(found).toEqual({ value: 3, size: 1 });
  expect(claret.counters).toMatchObject({ natives: 4, operations: 0, commits: 0 });
  expect(begun()).toBe(0);
});

test('the result is that of the operation that the body returns or finishes with', async () => {
  const sender = sentAsNatives(claret, { oneAtATime: false });
  await sender.transact('Adds', [claret.on.counter('a').add(3), claret.on.counter('b').add(4)]);
  expect(await sender.transaction('Returned', (tx) => tx.counter('a').value())).toBe(3);
  expect(await sender.transaction('Finished', async (tx) => tx.finish(tx.perform(claret.on.counter('b').value())))).toBe(4);
  expect(await sender.transact('Reads', [claret.on.counter('a').value(), claret.on.counter('b').value()])).toEqual([3, 4]);
  expect(begun()).toBe(0);
});

test('operations that nobody awaits are answered before the body counts as done', async () => {
  for (const oneAtATime of [false, true]) {
    const sender = sentAsNatives(claret, { oneAtATime });
    await sender.transaction('Adds', async (tx) => {
      for (let i = 0; i < 100; i++) tx.counter(`c${i}`).add(1);
    });
    const values = await Promise.all(Array.from({ length: 100 }, (_, i) => claret.native.counter(`c${i}`).value()));
    expect(new Set(values)).toEqual(new Set([oneAtATime ? 2 : 1]));
  }
});

test('with oneAtATime an operation is sent after the one before has been answered', async () => {
  const sent = async (oneAtATime: boolean) => {
    const sender = sentAsNatives(claret, { oneAtATime });
    const frames = claret.counters.frames;
    await sender.transaction('Adds', async (tx) => {
      for (let i = 0; i < 20; i++) tx.counter('{one}').add(1);
    });
    await sender.transact(
      'Adds',
      Array.from({ length: 20 }, () => claret.on.counter('{one}').add(1)),
    );
    return claret.counters.frames - frames;
  };
  expect(await sent(true)).toBe(40);
  expect(await sent(false)).toBeLessThan(10);
});

test('the error of an operation is the error of the body, and what else the body has sent stays', async () => {
  const sender = sentAsNatives(claret, { oneAtATime: false });
  const refused = sender.transaction('Refused', async (tx) => {
    tx.boundedCounter('stock').decrement(1);
    tx.counter('a').add(1);
  });
  await expect(refused).rejects.toMatchObject({ code: 'below_bound' });
  const thrown = sender.transaction('Thrown', async (tx) => {
    tx.counter('a').add(1);
    await tx.counter('a').value();
    throw new Error('the body');
  });
  await expect(thrown).rejects.toThrow('the body');
  await expect(sender.transact('Refused', [claret.on.boundedCounter('stock').decrement(1)])).rejects.toMatchObject({ code: 'below_bound' });
  expect(await claret.native.counter('a').value()).toBe(2);
});

test('only where there are no transactions does a workload get it', () => {
  expect(senderUnder('abstract', claret, { oneAtATime: false })).toBe(claret);
  expect(senderUnder('none', claret, { oneAtATime: false })).not.toBe(claret);
});
