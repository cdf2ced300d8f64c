import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import type { Claret } from '@claret/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { readDataset } from './dataset.ts';
import { load, UsageError, type Dataset } from './loader.ts';
import { writeAll } from './writing.ts';

let cluster: InProcessCluster;
let claret: Claret;
beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await cluster.connect();
});
afterEach(() => cluster.stop());

const MARKER = 'test:dataset';
const count = async () => Number((await claret.transact('Look', [claret.on.counter('written').value()]))[0]);

const dataset = (name: string, seed: number): Dataset => ({
  marker: MARKER,
  name,
  seed,
  async write(to) {
    await to.transact('Load', [to.on.counter('written').add(1)]);
    return 'one';
  },
});

describe('Loading', () => {
  test('happens once, and reports what it wrote', async () => {
    expect((await readDataset(claret, MARKER)).state).toBe('none');
    expect(await load(claret, dataset('small', 3))).toMatch(/^loaded small \(seed 3\) in \d+\.\d s: one$/);
    expect(await readDataset(claret, MARKER)).toEqual({ state: 'loaded', name: 'small', seed: 3 });
    expect(await load(claret, dataset('small', 3))).toBe('small (seed 3) is there already');
    expect(await count()).toBe(1);
  });

  test('is refused if the cluster holds another data set, another seed’s, or an incomplete one', async () => {
    await load(claret, dataset('small', 3));
    await expect(load(claret, dataset('large', 3))).rejects.toThrow('this cluster holds the data set small (seed 3)');
    await expect(load(claret, dataset('small', 4))).rejects.toThrow(UsageError);
    const broken: Dataset = { ...dataset('small', 3), marker: 'other:dataset', write: () => Promise.reject(new Error('it broke')) };
    await expect(load(claret, broken)).rejects.toThrow('it broke');
    await expect(load(claret, { ...dataset('small', 3), marker: 'other:dataset' })).rejects.toThrow('holds a part of');
    expect(await count()).toBe(1);
  });

  test('by two programs at once writes the data set once', async () => {
    const outcomes = await Promise.allSettled([load(claret, dataset('small', 3)), load(claret, dataset('small', 3))]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
    expect(await count()).toBe(1);
  });
});

describe('Writing', () => {
  test('sends every operation to its record, on any shard, and counts them', async () => {
    const numbers = Array.from({ length: 10_000 }, (_, i) => i);
    let written = 0;
    await writeAll(
      claret,
      numbers.map((i) => claret.on.set(`set:${i % 7}`).add(String(i))),
      (operations) => void (written += operations),
    );
    const sizes = await claret.transact(
      'Look',
      Array.from({ length: 7 }, (_, i) => claret.on.set(`set:${i}`).size()),
    );
    expect(sizes.map(Number).reduce((sum, size) => sum + size, 0)).toBe(10_000);
    expect(new Set(Array.from({ length: 7 }, (_, i) => claret.topology.shardOf(`set:${i}`))).size).toBe(2);
    expect(written).toBe(10_000);
  });

  test('fails when a shard refuses an operation, and stops asking for more', async () => {
    let asked = 0;
    function* endless() {
      for (;;) {
        asked++;
        yield asked < 5_000 ? claret.on.counter('number').add(1) : claret.on.set('number').add('not a set');
      }
    }
    await expect(writeAll(claret, endless())).rejects.toThrow();
    expect(asked).toBeLessThan(50_000);
  });
});
