// The figures of one mode with one number of operations in flight, as the JSON file has them.

import type { Span } from '../../kit/closed-loop.ts';
import { median } from '../../kit/statistics.ts';
import type { Mode } from './question.ts';

export interface Row {
  mode: Mode;
  in_flight: number;
  ops_per_s: number;
  gateway_us_per_op: number;
  client_us_per_op: number;
}

/** The medians over a cell's rounds, separately for each figure. */
export function rowOf(mode: Mode, inFlight: number, spans: readonly Span[]): Row {
  return {
    mode,
    in_flight: inFlight,
    ops_per_s: Math.round(median(spans.map(({ count, seconds }) => count / seconds))),
    gateway_us_per_op: rounded(median(spans.map(({ server_cpu_us, count }) => server_cpu_us / count))),
    client_us_per_op: rounded(median(spans.map(({ client_cpu_us, count }) => client_cpu_us / count))),
  };
}

const rounded = (value: number) => Math.round(value * 100) / 100;
