// Commit latencies as a Prometheus histogram. The core has counted them already, in buckets of a quarter of an octave, which are handed on as
// they are.
import type { Registry } from 'prom-client';
import { LATENCY_BUCKETS, latencyBoundMs } from '@claret/client/telemetry';
import { addCountedHistogram } from './counted-histogram.ts';

export interface Latencies {
  /** [bucket, count] of those that are not empty */
  latencies: [number, number][];
  latencyTotalMs: number;
}

/** The last bucket has no bound. */
const BOUNDS_S = Array.from({ length: LATENCY_BUCKETS - 1 }, (_, bucket) => latencyBoundMs(bucket) / 1000);

export function addLatencyHistogram(registry: Registry, read: () => Latencies): void {
  addCountedHistogram(registry, {
    name: 'claret_commit_seconds',
    help: 'Commits at home by the time from the begin of their transaction, earlier attempts included: each transaction counts at one shard.',
    boundsS: BOUNDS_S,
    read: () => {
      const { latencies, latencyTotalMs } = read();
      const counts = new Array<number>(LATENCY_BUCKETS).fill(0);
      for (const [bucket, count] of latencies) counts[bucket] = count;
      return { counts, seconds: latencyTotalMs / 1000 };
    },
  });
}
