// What a retry repeats before its body runs, against real shards.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';

let cluster: InProcessCluster;
let claret: Claret;
let other: Claret;

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 1 });
  [claret, other] = [await cluster.connect({ combining: 'off' }), await cluster.connect({ combining: 'off' })];
});

afterEach(() => cluster.stop());

it('a retry whose body goes another way is not refused for what the last attempt did', async () => {
  await other.native.register('which').set('first');
  let runs = 0;
  const size = await claret.transaction('Follow', async (tx) => {
    runs++;
    const which = String(await tx.register('which').get());
    const found = await tx.set(which).size();
    if (runs === 1) {
      await other.native.counter('first').add(1);
      await other.native.set('second').add('m');
      await other.native.register('which').set('second');
    }
    tx.register('found').set(Number(found));
    return found;
  });
  expect(size).toBe(1);
  expect(runs).toBeGreaterThan(1);
  expect(await claret.native.register('found').get()).toBe(1);
});

it('a retry whose body goes the same way is refused, if what it asks for cannot be done any more', async () => {
  let runs = 0;
  const result = claret.transaction('Count', async (tx) => {
    runs++;
    const found = await tx.set('first').size();
    if (runs === 1) await other.native.counter('first').add(1);
    tx.register('found').set(Number(found));
  });
  await expect(result).rejects.toMatchObject({ code: 'wrong_type', commitState: 'none' });
});
