// The figures of the fan-out benchmark, from the times of its rounds.

import { median } from '../../kit/statistics.ts';
import type { Answer } from './question.ts';

export interface Figures {
  part: string;
  who: string;
  /** of all rounds */
  count: number;
  /** medians of the rounds' percentiles */
  p50_ms: number;
  p99_ms: number;
  /** medians of the rounds' ratios; null: no comparable rounds */
  p50_ratio: number | null;
  p99_ratio: number | null;
}

/** The least value that this share of all values does not exceed. REQUIRES: at least one value. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

/** One row for each kind of transaction; `calm`: the rounds with which this load's rounds are compared, one by one. */
export function summary(part: string, rounds: readonly Answer[], calm: readonly Answer[] | null): Figures[] {
  const round = (value: number) => Math.round(1_000 * value) / 1_000;
  return Object.keys(rounds[0]!).map((who) => {
    const times = rounds.map((answer) => answer[who]!);
    const middle = (share: number) => round(median(times.map((values) => percentile(values, share))));
    const ratio = (share: number) =>
      calm === null || calm[0]![who] === undefined
        ? null
        : round(median(times.map((values, i) => percentile(values, share) / percentile(calm[i]![who]!, share))));
    return {
      part,
      who,
      count: times.reduce((sum, values) => sum + values.length, 0),
      p50_ms: middle(0.5),
      p99_ms: middle(0.99),
      p50_ratio: ratio(0.5),
      p99_ratio: ratio(0.99),
    };
  });
}
