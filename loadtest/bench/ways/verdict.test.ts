import { expect, it } from 'vitest';
import type { CellRow } from '../paper/raw.ts';
import { comparisonsOf, shortfalls, type WayName } from './verdict.ts';

const WAYS: readonly WayName[] = ['locks', 'chains', 'auto', 'promises'];

/** The rates of `WAYS`, one row for each round. */
const cells = (point: string, ...rounds: number[][]): CellRow[] =>
  rounds.flatMap((rates, round) =>
    rates.map((txn_per_s, at) => ({ workload: 'rawmix', point, sending: 'interactive', round, condition: WAYS[at], txn_per_s }) as CellRow),
  );
const compare = (rows: CellRow[]) => comparisonsOf(rows, (condition) => condition as WayName);

it('ways are compared within their rounds, and with the way that is better over all of them', () => {
  // The second round ran on a machine that was half as fast.
  const [one] = compare(cells('a', [100, 80, 90, 90], [50, 40, 50, 45], [100, 120, 97, 97]));
  expect(one).toEqual({
    name: 'rawmix a, interactive',
    per_s: { locks: 100, chains: 80, auto: 90, promises: 90 },
    auto: 0.97,
    promises: 1,
  });
});

it('a point, the middle of all points and promises may fall short', () => {
  const good = [100, 50, 100, 100];
  expect(shortfalls(compare([...cells('a', good), ...cells('b', good)]))).toEqual([]);
  expect(shortfalls(compare([...cells('a', good), ...cells('b', [100, 50, 94, 94]), ...cells('c', good)]))).toEqual([
    'rawmix b, interactive: auto has 0.94 of the better way',
  ]);
  expect(shortfalls(compare(cells('a', [100, 50, 97, 97])))).toEqual(['in the middle of all points, auto has 0.97 of the better way']);
  expect(shortfalls(compare(cells('a', [100, 50, 100, 96])))).toEqual(['rawmix a, interactive: with promised results it has 0.96 of that']);
});
