// The figures of a cell's span, from what its drivers sampled at the span's two ends. Rates are each driver's own, added up; shares are
// of all drivers' counts; percentiles are those of all drivers' transactions together.

import type { Measured } from './raw.ts';
import type { Ended, Sample } from './question.ts';

/** What one driver reports of a span. */
export interface DriverSpan extends Pick<Ended, 'latencies_ms' | 'failures'> {
  first: Sample;
  last: Sample;
}

type SpanFigures = Omit<Measured, 'gateway_polling' | 'core_us_per_op' | 'conflicts'>;

/** REQUIRES: the first driver's samples have the CPU time of the gateways. */
export function figuresOf(drivers: readonly [DriverSpan, ...DriverSpan[]]): SpanFigures {
  const grown = (figure: (of: Sample) => number) => drivers.map(({ first, last }) => figure(last) - figure(first));
  const spansMs = grown((of) => of.at_ms);
  const perMs = (values: readonly number[]) => sum(values.map((value, i) => value / spansMs[i]!));
  const commits = grown((of) => of.commits);
  const operations = sum(grown((of) => of.operations));
  const owns_us = grown((of) => of.own_us);
  const [polledMs, awakeMs] = [grown((of) => of.polled_ms), grown((of) => of.awake_ms)];
  // Polling is counted in elapsed time. While the loop was active it had a CPU only part of the time if other processes needed one.
  const polled_us = owns_us.map((us, i) => us * Math.min(1, polledMs[i]! / Math.max(1e-9, awakeMs[i]!)));
  const { first, last } = drivers[0];
  const spanMs = spansMs[0]!;
  const gateways_us = last.gateways_us.map((us, i) => us - first.gateways_us[i]!);
  const others_us = last.machine_us - first.machine_us - sum(owns_us) - sum(gateways_us);
  return {
    seconds: spanMs / 1000,
    txn_per_s: 1000 * perMs(commits),
    retries_per_commit: sum(grown((of) => of.retries)) / Math.max(1, sum(commits)),
    operations_per_commit: operations / Math.max(1, sum(commits)),
    driver_cpu: perMs(owns_us) / 1000,
    driver_polling: perMs(polled_us) / 1000,
    gateway_cpu: gateways_us.map((us) => us / 1000 / spanMs),
    others_cpu: Math.max(0, others_us / 1000 / spanMs),
    client_us_per_op: (sum(owns_us) - sum(polled_us)) / Math.max(1, operations),
    ...latenciesOf(
      drivers.flatMap(({ latencies_ms }) => latencies_ms),
      spanMs,
    ),
    failures: sum(drivers.map(({ failures }) => failures)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** If nothing ended in the span, its length is a lower bound of the latencies. */
function latenciesOf(latencies: readonly number[], spanMs: number) {
  const sorted = Float64Array.from(latencies).sort();
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? spanMs;
  const mean_ms = sorted.length === 0 ? spanMs : sorted.reduce((total, ms) => total + ms, 0) / sorted.length;
  return { p50_ms: quantile(0.5), p99_ms: quantile(0.99), mean_ms };
}
