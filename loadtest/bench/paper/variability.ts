// The variability of throughput, which the paper reports for rubis around closings (section 6.2).

import type { TraceRow } from './raw.ts';

export interface Variability {
  condition: string;
  window_s: number;
  mean_txn_per_s: number;
  /** standard deviation of the windows, relative to their mean */
  variation: number;
  lowest_txn_per_s: number;
}

/** One per condition, over all of its traces; in the order of the rows. */
export function variabilities(traces: readonly TraceRow[]): Variability[] {
  return [...new Set(traces.map(({ condition }) => condition))].map((condition) => {
    const own = traces.filter((trace) => trace.condition === condition);
    const windows = own.flatMap(({ txn_per_s }) => txn_per_s);
    const mean = windows.reduce((sum, value) => sum + value, 0) / windows.length;
    const variance = windows.reduce((sum, value) => sum + (value - mean) ** 2, 0) / windows.length;
    return {
      condition,
      window_s: own[0]!.window_s,
      mean_txn_per_s: mean,
      variation: mean === 0 ? 0 : Math.sqrt(variance) / mean,
      lowest_txn_per_s: Math.min(...windows),
    };
  });
}
