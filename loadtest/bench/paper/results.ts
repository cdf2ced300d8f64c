// Results: figures derived from the rows of a run. A figure is the median of the rounds; a condition's peak at a point is at the
// number of clients with the highest throughput.

import { median } from '../../kit/statistics.ts';
import { cellsOf, type CellName, type CellRow, type Row, type RunRow } from './raw.ts';
import { POINTS, type Sending, type WorkloadName } from './points.ts';

export interface Experiment {
  workload: WorkloadName;
  point: string;
  sending: Sending;
}

export interface Figures {
  clients: number;
  rounds: number;
  txn_per_s: number;
  slowest_txn_per_s: number;
  fastest_txn_per_s: number;
  /** the range of the rounds relative to the median */
  spread: number;
  mean_ms: number;
  p50_ms: number;
  p99_ms: number;
  retries_per_commit: number;
  failures: number;
  driver_cpu: number;
  /** without idle polling, of one CPU, on average over the drivers */
  driver_busy: number;
  /** of all gateways together */
  gateways_cpu: number;
  others_cpu: number;
  client_us_per_op: number;
  core_us_per_op: number;
}

/** Above this the driver limits the figure. */
const DRIVER_BUSY_MAX = 0.95;

/** In words: "one driver process", "4 driver processes". */
export const driversIn = ({ drivers }: RunRow['options']): string =>
  drivers === undefined ? 'one driver process' : `${drivers} driver processes`;

export const isDriverBound = ({ driver_busy }: Figures): boolean => driver_busy >= DRIVER_BUSY_MAX;

export class Results {
  readonly rows: readonly Row[];
  readonly cells: readonly CellRow[];
  readonly #figures = new Map<string, Figures>();

  /** If a cell occurs twice, the later row counts. */
  constructor(rows: readonly Row[]) {
    this.rows = rows;
    const byRound = new Map(cellsOf(rows).map((cell) => [nameOf(cell, cell.round), cell]));
    this.cells = [...byRound.values()];
    const rounds = new Map<string, CellRow[]>();
    for (const cell of this.cells) rounds.set(nameOf(cell), [...(rounds.get(nameOf(cell)) ?? []), cell]);
    for (const [name, of] of rounds) this.#figures.set(name, figuresOf(of));
  }

  /** The measured experiments, in the order of the list of points, interactive first. */
  experiments(): Experiment[] {
    const measured = new Set(this.cells.map(({ workload, point, sending }) => [workload, point, sending].join()));
    return POINTS.flatMap(({ workload, name: point }) =>
      (['interactive', 'one-shot'] as const).map((sending): Experiment => ({ workload, point, sending })),
    ).filter(({ workload, point, sending }) => measured.has([workload, point, sending].join()));
  }

  /** The measured conditions, in the order of `names`. */
  conditionsAt(experiment: Experiment, names: readonly string[]): string[] {
    return names.filter((condition) => this.peak(experiment, condition) !== null);
  }

  at(experiment: Experiment, condition: string, clients: number): Figures | null {
    return this.#figures.get(nameOf({ ...experiment, condition, clients })) ?? null;
  }

  /** The variation between rounds: the median over everything measured more than once; null: nothing was. */
  spread(): number | null {
    const spreads = [...this.#figures.values()].filter(({ rounds }) => rounds > 1).map(({ spread }) => spread);
    return spreads.length === 0 ? null : median(spreads);
  }

  peak(experiment: Experiment, condition: string): Figures | null {
    const clients = new Set(this.cells.map((cell) => cell.clients));
    const all = [...clients].map((count) => this.at(experiment, condition, count)).filter((figures) => figures !== null);
    return all.length === 0 ? null : all.reduce((best, figures) => (figures.txn_per_s > best.txn_per_s ? figures : best));
  }

  /** The ratio of one condition's throughput to another's, each at its peak, or both at one number of clients. */
  ratio(experiment: Experiment, condition: string, to: string, clients?: number): number | null {
    const [own, other] = [condition, to].map((name) =>
      clients === undefined ? this.peak(experiment, name) : this.at(experiment, name, clients),
    );
    return !own || !other || other.txn_per_s === 0 ? null : own.txn_per_s / other.txn_per_s;
  }

  /** A condition's throughput at a number of clients, as a share of its peak. */
  kept(experiment: Experiment, condition: string, clients: number): number | null {
    const [there, peak] = [this.at(experiment, condition, clients), this.peak(experiment, condition)];
    return there === null || peak === null || peak.txn_per_s === 0 ? null : there.txn_per_s / peak.txn_per_s;
  }
}

const nameOf = ({ workload, point, sending, condition, clients }: Omit<CellName, 'round'>, ...round: number[]): string =>
  [workload, point, sending, condition, clients, ...round].join();

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function spreadOf(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / Math.max(Number.MIN_VALUE, median(values));
}

function figuresOf(rounds: readonly CellRow[]): Figures {
  const middle = (figure: (cell: CellRow) => number) => median(rounds.map(figure));
  return {
    clients: rounds[0]!.clients,
    rounds: rounds.length,
    txn_per_s: middle((cell) => cell.txn_per_s),
    slowest_txn_per_s: Math.min(...rounds.map((cell) => cell.txn_per_s)),
    fastest_txn_per_s: Math.max(...rounds.map((cell) => cell.txn_per_s)),
    spread: spreadOf(rounds.map((cell) => cell.txn_per_s)),
    mean_ms: middle((cell) => cell.mean_ms),
    p50_ms: middle((cell) => cell.p50_ms),
    p99_ms: middle((cell) => cell.p99_ms),
    retries_per_commit: middle((cell) => cell.retries_per_commit),
    failures: sum(rounds.map((cell) => cell.failures)),
    driver_cpu: middle((cell) => cell.driver_cpu),
    driver_busy: middle((cell) => (cell.driver_cpu - cell.driver_polling) / (cell.drivers ?? 1)),
    gateways_cpu: middle((cell) => sum(cell.gateway_cpu)),
    others_cpu: middle((cell) => cell.others_cpu),
    client_us_per_op: middle((cell) => cell.client_us_per_op),
    core_us_per_op: middle((cell) => cell.core_us_per_op),
  };
}
