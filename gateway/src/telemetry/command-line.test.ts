// What a gateway sends is what the command line reads: it ships with the client, and has types of its own for the messages.
import { expect, test } from 'vitest';
import { LATENCY_BUCKETS, TELEMETRY_VERSION, latencyBoundMs } from '@claret/ui/telemetry';
import type { TelemetryMessage } from '@claret/ui/telemetry';
import * as read from '../../../client/cli/telemetry/messages.ts';

test('every message is one that the command line reads', () => {
  // By type: this does not compile where a member is missing or has changed.
  const same: (message: TelemetryMessage) => read.Message = (message) => message;
  expect(same).toBeTypeOf('function');
  expect(read.VERSION).toBe(TELEMETRY_VERSION);
});

test('latencies are read in the same buckets', () => {
  expect(read.LATENCY_BUCKETS).toBe(LATENCY_BUCKETS);
  for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket += 1) expect(read.latencyBoundMs(bucket)).toBe(latencyBoundMs(bucket));
});
