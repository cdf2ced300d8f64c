// A results folder's raw.jsonl: measurements, one JSON object per line. It is only ever appended to, so that an interrupted run can
// be resumed; an incomplete last line is ignored.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../../kit/machine.ts';
import type { Sending, WorkloadName } from './points.ts';

/** The first line of the file, repeated whenever a run is resumed. */
export interface RunRow {
  kind: 'run';
  commit: string;
  /** the working tree had uncommitted changes */
  dirty: boolean;
  machine: Machine;
  begun_at: string;
  seed: number;
  options: Record<string, string | number | boolean | string[]>;
}

/** Identifies a cell: one condition at one point, one way of sending, a number of clients, one round. */
export interface CellName {
  workload: WorkloadName;
  point: string;
  sending: Sending;
  clients: number;
  condition: string;
  round: number;
}

export interface Conflicts {
  /** labels of transactions: the holder or earlier waiter, and the newcomer */
  holder: string;
  waiter: string;
  count: number;
}

export interface Measured {
  /** length of the measured span */
  seconds: number;
  txn_per_s: number;
  p50_ms: number;
  p99_ms: number;
  mean_ms: number;
  retries_per_commit: number;
  /** given up in time; none of them was applied */
  failures: number;
  /** issued by transactions, including retries */
  operations_per_commit: number;
  /** of all drivers, in CPUs, over the span: the total, and the share spent polling while nothing arrived */
  driver_cpu: number;
  driver_polling: number;
  gateway_cpu: number[];
  /** share of the time, including warm-up, spent polling while nothing arrived */
  gateway_polling: number[];
  /** CPUs used by processes other than drivers and gateways */
  others_cpu: number;
  /** the drivers' CPU time per issued operation, without idle polling; includes drawing the work */
  client_us_per_op: number;
  /** time within the core per operation that a shard executed */
  core_us_per_op: number;
  conflicts?: Conflicts[];
}

export interface CellRow extends CellName, Measured {
  kind: 'cell';
  shards: number;
  /** processes that shared the clients; undefined: one */
  drivers?: number;
  seed: number;
  /** under none: number of differences between stored and acknowledged data */
  anomalies?: number;
}

/** Throughput over time, rubis bid-heavy around closing times. */
export interface TraceRow {
  kind: 'trace';
  condition: string;
  round: number;
  window_s: number;
  txn_per_s: number[];
  /** seconds since the beginning of the trace */
  closings: number[];
}

export interface DistributionRow {
  kind: 'distribution';
  name: 'followers' | 'reposts';
  /** value, and how often it occurs; by ascending value */
  counts: [number, number][];
}

export type Row = RunRow | CellRow | TraceRow | DistributionRow;

/** `Line`: the rows of the benchmark that writes the file. */
export class RawFile<Line = Row> {
  readonly path: string;

  constructor(folder: string) {
    this.path = join(folder, 'raw.jsonl');
    mkdirSync(folder, { recursive: true });
  }

  /** Leaves the file unchanged: an incomplete line may be one that another process is writing. */
  peek(): Line[] {
    return existsSync(this.path) ? rowsOf<Line>(wholeLines(readFileSync(this.path, 'utf8'))) : [];
  }

  /** Removes an incomplete line from the file. REQUIRES: no other process writes the file. */
  read(): Line[] {
    if (!existsSync(this.path)) return [];
    const text = readFileSync(this.path, 'utf8');
    const whole = wholeLines(text);
    if (whole.length < text.length) writeFileSync(this.path, whole);
    return rowsOf<Line>(whole);
  }

  append(row: Line): void {
    appendFileSync(this.path, `${JSON.stringify(row)}\n`);
  }

  clear(): void {
    writeFileSync(this.path, '');
  }
}

const wholeLines = (text: string) => text.slice(0, text.lastIndexOf('\n') + 1);
const rowsOf = <Line>(lines: string) =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

export const cellsOf = (rows: readonly Row[]): CellRow[] => rows.filter((row) => row.kind === 'cell');

const COLUMNS = [
  'workload',
  'point',
  'sending',
  'clients',
  'condition',
  'round',
  'shards',
  'seed',
  'seconds',
  'txn_per_s',
  'p50_ms',
  'p99_ms',
  'mean_ms',
  'retries_per_commit',
  'failures',
  'anomalies',
  'operations_per_commit',
  'driver_cpu',
  'driver_polling',
  'gateway_cpu',
  'gateway_polling',
  'others_cpu',
  'client_us_per_op',
  'core_us_per_op',
] as const satisfies (keyof CellRow)[];

/** The cells as CSV with a header line; a figure with a value for each gateway is joined by spaces. */
export function csvOf(cells: readonly CellRow[]): string {
  const lines = cells.map((cell) => COLUMNS.map((column) => [cell[column] ?? ''].flat().join(' ')).join(','));
  return `${[COLUMNS.join(','), ...lines].join('\n')}\n`;
}
