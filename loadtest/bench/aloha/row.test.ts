import { expect, test } from 'vitest';
import { POINT, rowOf, type Cell } from './row.ts';
import { answer } from './testing.ts';

const cell = (speeds: readonly number[]): Cell => ({
  ...POINT,
  part: 'size',
  name: '1000',
  way: 'epoch',
  answers: speeds.map((txn_per_s) => answer({ txn_per_s, p99_ms: 1_000 / txn_per_s })),
});

test('a figure is the median of the rounds, and a ratio that of the ratios within them', () => {
  const row = rowOf(cell([50, 300, 100]), cell([100, 900, 400]));
  expect(row.txn_per_s).toBe(100);
  expect(row.to_baseline).toBeCloseTo(1 / 3);
  expect(row.to_baseline_range![0]).toBeLessThanOrEqual(row.to_baseline!);
  expect(row.p99_to_baseline).toBeCloseTo(3);
  expect(row.cpu_to_baseline).toBe(1);
});

test('what a round has not measured has no median', () => {
  const cells = [cell([1, 2]), cell([1, 2])] as const;
  cells[0].answers[1]!.gateway_us_per_op = null;
  expect(rowOf(...cells)).toMatchObject({ client_us_per_op: 2, gateway_us_per_op: null, cpu_to_baseline: null, to_baseline: 1 });
});

test('a row has the members that are promised, and no rounds', () => {
  const row = rowOf(cell([1]), undefined);
  for (const name of ['part', 'way', 'size', 'read_share', 'in_flight', 'txn_per_s', 'p50_ms', 'p99_ms']) expect(row).toHaveProperty(name);
  expect(row).not.toHaveProperty('answers');
  expect(row.to_baseline).toBe(null);
});
