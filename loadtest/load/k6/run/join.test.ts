import { expect, test } from 'vitest';
import { runsOf } from './join.ts';

test('a shard that joins two takes a third of the slots, in several runs from each', () => {
  const runs = runsOf(2);
  const from = (shard: number) => runs.filter((run) => run.from === shard).reduce((sum, { count }) => sum + count, 0);
  expect([from(0), from(1)]).toEqual([2_731, 2_730]);
  expect(runs.map((run) => run.from)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  expect(runs.every(({ count }) => count > 600)).toBe(true);
});

test('a shard that joins one takes half of the slots', () => {
  expect(runsOf(1).map(({ from, count }) => [from, count])).toEqual(Array.from({ length: 4 }, () => [0, 2_048]));
});
