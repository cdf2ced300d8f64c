// The message file and the core say the same: by type here, by value in server-core/addon.test.ts.
import type { TelemetryFrame } from '@claret/core';
import { expect, test } from 'vitest';
import { LATENCY_BUCKETS, latencyBoundMs } from './frame.ts';
import type { ShardTelemetry } from './frame.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

test('what a shard tells is what the messages carry', () => {
  const same: Same<{ [K in keyof TelemetryFrame]: TelemetryFrame[K] }, { [K in keyof ShardTelemetry]: ShardTelemetry[K] }> = true;
  expect(same).toBe(true);
});

test('buckets of latencies follow each other without a gap, four to an octave', () => {
  expect(latencyBoundMs(0)).toBe(1 / 16);
  expect(latencyBoundMs(4)).toBe(1 / 8);
  for (let bucket = 1; bucket < LATENCY_BUCKETS; bucket += 1) {
    expect(latencyBoundMs(bucket)).toBeGreaterThan(latencyBoundMs(bucket - 1));
  }
  expect(latencyBoundMs(LATENCY_BUCKETS - 1)).toBe(Infinity);
});
