// A results folder's raw.jsonl: what was measured, one JSON object a line. It is only ever appended to, so that a run which
// was cut off can go on, and a line that was cut off with it is left out.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../../kit/machine.ts';
import type { Sending, WorkloadName } from './points.ts';

/** First line of the file, and again where a run is gone on with. */
export interface RunRow {
  kind: 'run';
  commit: string;
  /** there were changes that no commit holds */
  dirty: boolean;
  machine: Machine;
  begun_at: string;
  seed: number;
  options: Record<string, string | number | boolean | string[]>;
}

/** Which cell it is: one condition at one point, sent one way by so many clients, in one of the rounds. */
export interface CellName {
  workload: WorkloadName;
  point: string;
  sending: Sending;
  clients: number;
  condition: string;
  round: number;
}

export interface Conflicts {
  /** labels of transactions: who held or waited in front, and who came */
  holder: string;
  waiter: string;
  count: number;
}

export interface Measured {
  /** of the measured span */
  seconds: number;
  txn_per_s: number;
  p50_ms: number;
  p99_ms: number;
  mean_ms: number;
  retries_per_commit: number;
  /** given up in time; none of it was applied */
  failures: number;
  /** issued by transactions, those of retries included */
  operations_per_commit: number;
  /** of one CPU, over the span: all of it, and what went into polling while nothing came */
  driver_cpu: number;
  driver_polling: number;
  gateway_cpu: number[];
  /** of the time, warm-up included, what went into polling while nothing came */
  gateway_polling: number[];
  /** CPUs that neither driver nor gateways used, and that were not idle either */
  others_cpu: number;
  /** the driver's CPU time, without polling in vain, for each operation issued; drawing the work is in it */
  client_us_per_op: number;
  /** time within the core for each operation that a shard executed */
  core_us_per_op: number;
  conflicts?: Conflicts[];
}

export interface CellRow extends CellName, Measured {
  kind: 'cell';
  shards: number;
  seed: number;
  /** under none: what is stored and what was acknowledged differ in so many places */
  anomalies?: number;
}

/** Throughput over time, rubis bid-heavy around closing times. */
export interface TraceRow {
  kind: 'trace';
  condition: string;
  round: number;
  window_s: number;
  txn_per_s: number[];
  /** seconds from the trace's beginning */
  closings: number[];
}

export interface DistributionRow {
  kind: 'distribution';
  name: 'followers' | 'reposts';
  /** value, and how often it occurs; by ascending value */
  counts: [number, number][];
}

export type Row = RunRow | CellRow | TraceRow | DistributionRow;

export class RawFile {
  readonly path: string;

  constructor(folder: string) {
    this.path = join(folder, 'raw.jsonl');
    mkdirSync(folder, { recursive: true });
  }

  /** Leaves the file as it is: a line that is not whole may be one that another process is writing. */
  peek(): Row[] {
    return existsSync(this.path) ? rowsOf(wholeLines(readFileSync(this.path, 'utf8'))) : [];
  }

  /** Takes a line that was cut off out of the file. REQUIRES: nobody else writes it. */
  read(): Row[] {
    if (!existsSync(this.path)) return [];
    const text = readFileSync(this.path, 'utf8');
    const whole = wholeLines(text);
    if (whole.length < text.length) writeFileSync(this.path, whole);
    return rowsOf(whole);
  }

  append(row: Row): void {
    appendFileSync(this.path, `${JSON.stringify(row)}\n`);
  }

  clear(): void {
    writeFileSync(this.path, '');
  }
}

const wholeLines = (text: string) => text.slice(0, text.lastIndexOf('\n') + 1);
const rowsOf = (lines: string) =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

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

/** The cells as CSV with a line of titles; what is one figure for each gateway is joined by spaces. */
export function csvOf(cells: readonly CellRow[]): string {
  const lines = cells.map((cell) => COLUMNS.map((column) => [cell[column] ?? ''].flat().join(' ')).join(','));
  return `${[COLUMNS.join(','), ...lines].join('\n')}\n`;
}
