import { expect, test } from 'vitest';
import { percentile, summary } from './report.ts';

test('a percentile is the least value that the given share does not exceed', () => {
  const values = Array.from({ length: 200 }, (_, i) => 200 - i);
  expect(percentile(values, 0.5)).toBe(100);
  expect(percentile(values, 0.99)).toBe(198);
  expect(percentile([7], 0.99)).toBe(7);
});

test('ratios compare each round with the same round of calm, and are null for kinds that calm lacks', () => {
  const calm = [{ post: [1, 1] }, { post: [2, 2] }, { post: [4, 4] }];
  const busy = [
    { post: [3, 3], famous: [9] },
    { post: [4, 4], famous: [8] },
    { post: [20, 20], famous: [7] },
  ];
  const shared = { part: 'busy', p50_ratio: null, p99_ratio: null };
  expect(summary('busy', busy, calm)).toEqual([
    { part: 'busy', who: 'post', count: 6, p50_ms: 4, p99_ms: 4, p50_ratio: 3, p99_ratio: 3 },
    { ...shared, who: 'famous', count: 3, p50_ms: 8, p99_ms: 8 },
  ]);
});
