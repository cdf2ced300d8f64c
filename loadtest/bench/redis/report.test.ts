import { expect, test } from 'vitest';
import { rowsOf, tableOf, verdictsOf, type Round } from './report.ts';

const round = (door: number, redis: number, more: Partial<Round> = {}): Round => ({
  durability: 'none',
  pipeline: 16,
  command: 'set',
  door,
  redis,
  ...more,
});

test('a ratio is the median of the ratios of its rounds', () => {
  const [row] = rowsOf([round(100, 200), round(90, 100), round(60, 100)]);
  expect(row).toMatchObject({ door_per_s: 90, redis_per_s: 100, ratio: 0.6, ratios: [0.5, 0.9] });
  expect(tableOf([row!])).toContain('0.60 (0.50 to 0.90)');
});

test('a target is met once the slowest command meets it', () => {
  const rows = rowsOf([round(95, 100), round(120, 100, { command: 'get' }), round(50, 100, { pipeline: 1 }), round(1, 1, { pipeline: 3 })]);
  expect(verdictsOf(rows)).toEqual([
    'durability none, pipeline 16: 1.07 in the middle, at least 0.95, by SET (target: 0.9, met)',
    'durability none, pipeline 1: 0.50 in the middle, at least 0.50, by SET (target: 0.55, missed)',
    'durability none, pipeline 3: 1.00 in the middle, at least 1.00, by SET',
  ]);
});
