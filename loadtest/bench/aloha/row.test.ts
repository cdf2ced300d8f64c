import { expect, test } from 'vitest';
import { cellsOf, rowsOf } from './row.ts';
import { answer } from './testing.ts';

test('each size is measured in each way', () => {
  expect(cellsOf([10, 1_000], ['epoch', 'none'], 64).map(({ size, way }) => `${size} ${way}`)).toEqual([
    '10 epoch',
    '10 none',
    '1000 epoch',
    '1000 none',
  ]);
});

test('a figure is the median of the rounds, and a ratio that of the ratios to the same size without transactions', () => {
  const cells = cellsOf([10, 1_000], ['epoch', 'none'], 64);
  const speeds = [
    [50, 300, 100],
    [100, 900, 400],
    [8, 8, 8],
    [2, 2, 2],
  ];
  for (const [at, cell] of cells.entries()) cell.answers = speeds[at]!.map((lists_per_s) => answer({ lists_per_s }));
  const [small, baseline, large] = rowsOf(cells);
  expect(small).toMatchObject({ lists_per_s: 100, cpu_to_baseline: 1 });
  expect(small!.to_baseline).toBeCloseTo(1 / 3);
  expect(large!.to_baseline).toBe(4);
  expect(baseline).toMatchObject({ to_baseline: null, cpu_to_baseline: null });
  expect(small).not.toHaveProperty('answers');
});
