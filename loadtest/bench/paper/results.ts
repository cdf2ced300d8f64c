// Results: what the rows of a run come to. A figure is the median of the rounds; a condition's peak at a point is at the
// number of clients that gave it the highest throughput.

import { median } from '../../kit/statistics.ts';
import { cellsOf, type CellName, type CellRow, type Row } from './raw.ts';
import { POINTS, type Sending, type WorkloadName } from './points.ts';

export interface Place {
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
  /** the rounds' range, to the median */
  spread: number;
  mean_ms: number;
  p50_ms: number;
  p99_ms: number;
  retries_per_commit: number;
  failures: number;
  driver_cpu: number;
  /** of the driver's CPU, what did not go into polling in vain */
  driver_busy: number;
  /** of all gateways together */
  gateways_cpu: number;
  others_cpu: number;
  client_us_per_op: number;
  core_us_per_op: number;
}

/** Above this the driver is what limits the figure. */
const DRIVER_BUSY_MAX = 0.95;

export const isDriverBound = ({ driver_busy }: Figures): boolean => driver_busy >= DRIVER_BUSY_MAX;

export class Results {
  readonly rows: readonly Row[];
  readonly cells: readonly CellRow[];
  readonly #figures = new Map<string, Figures>();

  /** Of a cell that is there twice, the later row counts. */
  constructor(rows: readonly Row[]) {
    this.rows = rows;
    const byRound = new Map(cellsOf(rows).map((cell) => [nameOf(cell, cell.round), cell]));
    this.cells = [...byRound.values()];
    const rounds = new Map<string, CellRow[]>();
    for (const cell of this.cells) rounds.set(nameOf(cell), [...(rounds.get(nameOf(cell)) ?? []), cell]);
    for (const [name, of] of rounds) this.#figures.set(name, figuresOf(of));
  }

  /** Where something was measured: as in the list of points, interactive first. */
  places(): Place[] {
    const measured = new Set(this.cells.map(({ workload, point, sending }) => [workload, point, sending].join()));
    return POINTS.flatMap(({ workload, name: point }) =>
      (['interactive', 'one-shot'] as const).map((sending): Place => ({ workload, point, sending })),
    ).filter(({ workload, point, sending }) => measured.has([workload, point, sending].join()));
  }

  /** As measured, in the order of first appearance in `names`. */
  conditionsAt(place: Place, names: readonly string[]): string[] {
    return names.filter((condition) => this.peak(place, condition) !== null);
  }

  at(place: Place, condition: string, clients: number): Figures | null {
    return this.#figures.get(nameOf({ ...place, condition, clients })) ?? null;
  }

  /** How much rounds differ: the median over all that was measured more than once; null: nothing was. */
  spread(): number | null {
    const spreads = [...this.#figures.values()].filter(({ rounds }) => rounds > 1).map(({ spread }) => spread);
    return spreads.length === 0 ? null : median(spreads);
  }

  peak(place: Place, condition: string): Figures | null {
    const clients = new Set(this.cells.map((cell) => cell.clients));
    const all = [...clients].map((count) => this.at(place, condition, count)).filter((figures) => figures !== null);
    return all.length === 0 ? null : all.reduce((best, figures) => (figures.txn_per_s > best.txn_per_s ? figures : best));
  }

  /** One condition's throughput to another's, each at its peak, or both at one number of clients. */
  ratio(place: Place, condition: string, to: string, clients?: number): number | null {
    const [own, other] = [condition, to].map((name) => (clients === undefined ? this.peak(place, name) : this.at(place, name, clients)));
    return !own || !other || other.txn_per_s === 0 ? null : own.txn_per_s / other.txn_per_s;
  }

  /** A condition's throughput at a number of clients, to its peak. */
  kept(place: Place, condition: string, clients: number): number | null {
    const [there, peak] = [this.at(place, condition, clients), this.peak(place, condition)];
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
    driver_busy: middle((cell) => cell.driver_cpu - cell.driver_polling),
    gateways_cpu: middle((cell) => sum(cell.gateway_cpu)),
    others_cpu: middle((cell) => cell.others_cpu),
    client_us_per_op: middle((cell) => cell.client_us_per_op),
    core_us_per_op: middle((cell) => cell.core_us_per_op),
  };
}
