import { expect, test } from 'vitest';
import { LATENCY_BUCKETS, latencyBoundMs } from './latency.ts';

test('latency buckets are contiguous, four to an octave', () => {
  expect(latencyBoundMs(0)).toBe(1 / 16);
  expect(latencyBoundMs(4)).toBe(1 / 8);
  for (let bucket = 1; bucket < LATENCY_BUCKETS; bucket += 1) {
    expect(latencyBoundMs(bucket)).toBeGreaterThan(latencyBoundMs(bucket - 1));
  }
  expect(latencyBoundMs(LATENCY_BUCKETS - 1)).toBe(Infinity);
});
