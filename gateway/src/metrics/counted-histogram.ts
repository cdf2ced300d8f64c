// A histogram whose values are counted already: prom-client's own only takes single observations, so a custom metric hands the counts on.
import type { Metric, Registry } from 'prom-client';

export interface CountedTimes {
  /** by bucket; the last one has no bound */
  counts: readonly number[];
  seconds: number;
}

interface Sample {
  metricName: string;
  labels: { le?: string };
  value: number;
}

/** `boundsS`: the upper bounds of the buckets, in seconds, but for the last one. */
export function addCountedHistogram(
  registry: Registry,
  { name, help, boundsS, read }: { name: string; help: string; boundsS: readonly number[]; read: () => CountedTimes },
): void {
  const [type, aggregator] = ['histogram', 'sum'];
  const values = (): Sample[] => {
    const { counts, seconds } = read();
    let sum = 0;
    const buckets = counts.map((count, i): Sample => {
      sum += count;
      return { metricName: `${name}_bucket`, labels: { le: i < boundsS.length ? String(boundsS[i]) : '+Inf' }, value: sum };
    });
    return [...buckets, { metricName: `${name}_sum`, labels: {}, value: seconds }, { metricName: `${name}_count`, labels: {}, value: sum }];
  };
  const histogram = {
    name,
    help,
    type,
    aggregator,
    get: async () => ({ name, help, type, aggregator, values: values() }),
    reset: () => {},
  };
  registry.registerMetric(histogram as unknown as Metric);
}
