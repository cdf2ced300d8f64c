// The operations that every record has, over real shards of the core: as natives, in transactions, and beside forecasts and epochs.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Claret } from './claret.ts';
import { CalmEnvironment } from './testing/calm-environment.ts';
import { inProcessCluster, type InProcessCluster } from './testing/in-process-cluster.ts';
import { keyOn } from './testing/keys.ts';

const A = keyOn(0, 'a');
const B = keyOn(1, 'b');

let environment: CalmEnvironment;
let cluster: InProcessCluster;
let claret: Claret;

beforeEach(async () => {
  environment = new CalmEnvironment();
  cluster = await inProcessCluster({ shards: 2, environment });
  claret = await cluster.connect({ name: 'test' });
});

afterEach(() => cluster.stop());

test('a record is there until it is deleted, and its key may take another type then', async () => {
  const { native } = claret;
  expect(await native.record(A).exists()).toBe(false);
  await native.counter(A).add(5);
  expect([await native.record(A).exists(), await native.record(A).type()]).toEqual([true, 'Counter']);
  expect([await native.record(A).delete(), await native.record(A).delete()]).toEqual([true, false]);
  expect(await native.record(A).type()).toBeNull();
  await native.set(A).add('x');
  expect(await native.record(A).type()).toBe('Set');
  await native.set(A).remove('x');
  expect(await native.record(A).exists()).toBe(false);
});

test('a transaction deletes records on several shards, all or none', async () => {
  await claret.native.counter(A).add(1);
  await claret.native.set(B).add('x');
  const failing = claret.transaction('Fail', async (tx) => {
    await tx.record(A).delete();
    await tx.record(B).delete();
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect([await claret.native.record(A).exists(), await claret.native.record(B).exists()]).toEqual([true, true]);
  const there = await claret.transaction('Clear', (tx) => Promise.all([tx.record(A).delete(), tx.record(B).delete()]));
  expect(there).toEqual([true, true]);
  expect([await claret.native.record(A).exists(), await claret.native.record(B).exists()]).toEqual([false, false]);
});

test('a record expires, unless it is told to stay', async () => {
  const { native } = claret;
  await native.register(A).set('short');
  await native.register(B).set('long');
  const atMs = Math.ceil(environment.wallMs()) + 200;
  expect(await native.record(A).expire(atMs, 'always')).toBe(true);
  expect(await native.record(B).expire(atMs, 'always')).toBe(true);
  expect(await native.record(B).expiresAt()).toBe(atMs);
  expect(await native.record(B).persist()).toBe(true);
  await vi.waitFor(async () => expect(await native.register(A).get()).toBeNull());
  expect(await native.register(B).get()).toBe('long');
  expect(await native.record(B).expiresAt()).toBeNull();
});

test('lists and forecast transactions delete by locks', async () => {
  const keys = Array.from({ length: 400 }, (_, n) => `key ${n}`);
  await claret.writeOnly(
    'Fill',
    keys.map((key) => claret.on.register(key).set(1)),
  );
  const deleted = await claret.transact(
    'Clear',
    keys.map((key) => claret.on.record(key).delete()),
  );
  expect(deleted.every((one) => one === true)).toBe(true);
  const again = await claret.transact(
    'Look',
    keys.map((key) => claret.on.record(key).exists()),
  );
  expect(again.every((one) => one === false)).toBe(true);
  const crowd = await cluster.connect({ combining: 'always' });
  const runs = Array.from({ length: 40 }, (_, n) =>
    crowd.transaction('Hot', async (tx) => {
      const was = await tx.record(A).delete();
      await tx.register(B).set(n);
      return was;
    }),
  );
  await Promise.all(runs);
  expect(await claret.native.record(A).exists()).toBe(false);
});
