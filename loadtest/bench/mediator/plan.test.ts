import { expect, test } from 'vitest';
import { cellsIn, planOf } from './plan.ts';
import { nameOf } from './raw.ts';
import type { Settings } from './settings.ts';

const settings: Settings = {
  shards: [1, 2],
  sizes: [4, 20],
  alphas: [0, 1],
  reads: [0, 1],
  shares: [0, 0.5, 1],
  clients: 8,
  rounds: 2,
  seed: 1,
  seconds: null,
  minutes: 1,
  poll: undefined,
  folder: '',
  noted: {},
};

test('every curve of every mix is planned once in each round', () => {
  const blocks = planOf(settings);
  const names = blocks.flatMap(({ round, mixes }) =>
    mixes.flatMap((mix) => mix.curves.map((curve) => [nameOf(mix), mix.share, curve, round].join())),
  );
  expect(names).toHaveLength(2 * 2 * 2 * 2 * 3 * 3 * 2);
  expect(new Set(names).size).toBe(names.length);
  expect(cellsIn(blocks)).toBe(names.length);
});

test('the mixes of a block share its cluster, and the order of the curves turns', () => {
  const [first, ...others] = planOf(settings);
  expect(first!.mixes.every(({ shards, size, alpha }) => shards === 1 && size === 4 && alpha === 0)).toBe(true);
  expect(first!.mixes.map(({ curves }) => curves[0])).toEqual(['bound', 'mediator', 'transactional', 'mediator', 'transactional', 'bound']);
  const second = others.find(({ round }) => round === 1)!;
  expect(second.mixes[0]!.curves[0]).toBe('mediator');
});
