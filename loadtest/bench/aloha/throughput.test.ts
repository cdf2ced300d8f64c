import { expect, test } from 'vitest';
import { listsPerSecond } from './beside.ts';
import { uniformly } from './lists.ts';
import { randomFrom } from '../../kit/random.ts';
import { SETTINGS } from './testing.ts';
import { baselineOf, cellsOf } from './throughput.ts';

test('each point is measured in each way, and its baseline is the same point without transactions', () => {
  const cells = cellsOf('size', SETTINGS);
  expect(cells.map(({ name, way }) => `${name} ${way}`)).toEqual(
    ['10', '1000'].flatMap((size) => ['epoch', 'locks', 'none'].map((way) => `${size} ${way}`)),
  );
  for (const cell of cells)
    expect(baselineOf(cell, cells)).toBe(
      cell.way === 'none' ? undefined : cells.find(({ size, way }) => size === cell.size && way === 'none'),
    );
});

test('the records of a list are distinct, and one is hot', () => {
  const random = randomFrom(1);
  for (let i = 0; i < 100; i++) {
    const keys = uniformly(random, { size: 10, keys: 12, hotKeys: 2 });
    expect(new Set(keys).size).toBe(10);
    expect(keys.filter((key) => key.startsWith('hot:'))).toHaveLength(1);
  }
});

test('lists beside are a fifth of all operations', () => {
  const transactions = 8_000;
  const [theirs, others] = [100 * listsPerSecond(transactions), 4 * transactions];
  expect(theirs / (theirs + others)).toBeCloseTo(0.2, 2);
});
