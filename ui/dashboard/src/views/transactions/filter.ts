// The filter of the list of sampled transactions.
import type { TransactionSample } from '../../store/telemetryStore.ts';

export type OutcomeChoice = 'any' | 'committed' | 'aborted' | 'retried';

export interface TransactionFilter {
  /** null: any */
  label: string | null;
  outcome: OutcomeChoice;
  /** the time from the first known beginning to the end */
  slowerThan_ms: number;
}

export const NO_FILTER: TransactionFilter = { label: null, outcome: 'any', slowerThan_ms: 0 };
export const SLOW_CHOICES_MS: readonly number[] = [0, 5, 20, 100, 500];

export const lengthOf = ({ begun_ms, ended_ms }: TransactionSample) => ended_ms - begun_ms;

/** The sum over attempts and shards; waits at several shards may have overlapped. */
export function totalWait({ attempts }: TransactionSample): number {
  let waited_ms = 0;
  for (const { requests } of attempts) {
    // The operations of a request wait in parallel.
    for (const { operations } of requests) waited_ms += operations.reduce((most, { waitedMs }) => Math.max(most, waitedMs), 0);
  }
  return waited_ms;
}

/** Whether one of the sampled operations is on this record. */
export function touches({ attempts }: TransactionSample, key: string): boolean {
  return attempts.some(({ requests }) => requests.some(({ operations }) => operations.some((operation) => operation.key === key)));
}

export function passes(sample: TransactionSample, { label, outcome, slowerThan_ms }: TransactionFilter): boolean {
  if (label !== null && sample.label !== label) return false;
  if (outcome === 'retried' ? sample.retries === 0 : outcome !== 'any' && sample.outcome !== outcome) return false;
  return lengthOf(sample) >= slowerThan_ms;
}
