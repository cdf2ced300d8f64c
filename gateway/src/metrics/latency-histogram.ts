// Commit latencies as a Prometheus histogram. prom-client's own only takes single observations; the core has counted them
// already, in buckets of a quarter of an octave, which are handed on as they are.
import type { Metric, Registry } from 'prom-client';
import { LATENCY_BUCKETS, latencyBoundMs } from '@claret/client/telemetry';

export interface Latencies {
  /** [bucket, count] of those that are not empty */
  latencies: [number, number][];
  latencyTotalMs: number;
}

const NAME = 'claret_commit_seconds';

interface Sample {
  metricName: string;
  labels: { le?: string };
  value: number;
}

export function addLatencyHistogram(registry: Registry, read: () => Latencies): void {
  const histogram = {
    name: NAME,
    help: 'Commits at home by the time from the begin of their transaction, earlier attempts included: each transaction counts at one shard.',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({
      name: NAME,
      help: histogram.help,
      type: histogram.type,
      aggregator: histogram.aggregator,
      values: samples(read()),
    }),
    reset: () => {},
  };
  registry.registerMetric(histogram as unknown as Metric);
}

function samples({ latencies, latencyTotalMs }: Latencies): Sample[] {
  const counts = new Map(latencies);
  const values: Sample[] = [];
  let sum = 0;
  for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket++) {
    sum += counts.get(bucket) ?? 0;
    const boundMs = latencyBoundMs(bucket);
    const le = boundMs === Infinity ? '+Inf' : String(boundMs / 1000);
    values.push({ metricName: `${NAME}_bucket`, labels: { le }, value: sum });
  }
  values.push({ metricName: `${NAME}_sum`, labels: {}, value: latencyTotalMs / 1000 });
  values.push({ metricName: `${NAME}_count`, labels: {}, value: sum });
  return values;
}
