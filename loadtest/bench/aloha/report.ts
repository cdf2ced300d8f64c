// What `bench -- aloha` prints: its table, and the targets of epochs. A target whose rows are missing is left out.

import { table } from '../../kit/table.ts';
import type { Row } from './row.ts';

/** Lists of 100 to 4,000 operations have at least this share of the throughput without transactions. */
const BASELINE_LEAST = 0.9;
const SIZES = [100, 4_000] as const;
/** Lists of 1,000 operations have at least so many times the throughput by locks. */
const LOCKS_TIMES = 50;
const LOCKS_SIZE = 1_000;

const count = (value: number) => Math.round(value).toLocaleString('en');
const ms = (value: number) => value.toFixed(value < 10 ? 2 : 1);
const ratio = (value: number | null) => (value === null ? '' : value.toFixed(3));
const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');

export function listsTable(rows: readonly Row[]): string {
  return table(
    [
      'operations',
      'way',
      'lists/s',
      'of the baseline',
      'mean ms',
      'p50 ms',
      'p99 ms',
      'gateways + driver CPU µs/op',
      'CPU to it',
      'retries',
      'in epochs',
    ],
    rows.map((row) => [
      count(row.size),
      row.way,
      count(row.lists_per_s),
      ratio(row.to_baseline),
      ms(row.mean_ms),
      ms(row.p50_ms),
      ms(row.p99_ms),
      `${row.gateway_us_per_op.toFixed(2)} + ${row.client_us_per_op.toFixed(2)}`,
      ratio(row.cpu_to_baseline),
      row.retries_per_commit.toFixed(2),
      row.epoch_share.toFixed(2),
    ]),
  );
}

function toBaseline(rows: readonly Row[]): string[] {
  const shares = rows.filter(
    ({ way, size, to_baseline }) => way === 'epoch' && size >= SIZES[0] && size <= SIZES[1] && to_baseline !== null,
  );
  if (shares.length === 0) return [];
  const told = shares.map(({ size, to_baseline }) => `${to_baseline!.toFixed(2)} at ${count(size)}`).join(', ');
  return [
    `of the baseline: ${told} (goal: ${BASELINE_LEAST}, ${verdict(shares.every(({ to_baseline }) => to_baseline! >= BASELINE_LEAST))})`,
  ];
}

function toLocks(rows: readonly Row[]): string[] {
  const [epoch, locks] = ['epoch', 'locks'].map((wanted) => rows.find(({ way, size }) => way === wanted && size === LOCKS_SIZE));
  if (epoch === undefined || locks === undefined) return [];
  const times = epoch.lists_per_s / locks.lists_per_s;
  const told = Number.isFinite(times)
    ? `${count(times)} times`
    : `${count(epoch.lists_per_s)} lists/s, where locks commit none in the span`;
  return [
    `lists of ${count(LOCKS_SIZE)} to locks, ${epoch.in_flight} in flight: ${told} (goal: ${LOCKS_TIMES} times, ${verdict(times >= LOCKS_TIMES)})`,
  ];
}

/** A line for each target. */
export const targetsOf = (rows: readonly Row[]): string[] => [...toBaseline(rows), ...toLocks(rows)];
