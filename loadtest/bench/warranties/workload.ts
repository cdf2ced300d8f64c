// Workload: the transactions of one part of the benchmark, as one app server runs them.

import type { DriverTotals } from './question.ts';

export interface Workload {
  /** `run` makes several transactions; one by default */
  readonly isPages?: boolean;
  /** before each transaction; none by default */
  pauseMs?(way: string): number;
  /** Puts the records into the store that no other driver does. */
  load(): Promise<void>;
  /** Runs the next transaction, and resolves with whether it changes something. */
  run(way: string): Promise<boolean>;
  readonly totals: DriverTotals;
  /** @param totals of all drivers together */
  mismatches(totals: DriverTotals): Promise<string[]>;
}

/** What all have added, by record. */
export function together(all: readonly DriverTotals[]): DriverTotals {
  const sums: Record<string, number> = {};
  for (const totals of all) for (const [key, count] of Object.entries(totals)) sums[key] = (sums[key] ?? 0) + count;
  return sums;
}
