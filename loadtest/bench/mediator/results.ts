// Results: medians over the rounds, by mix and curve, and the ratios of the curves.

import { median } from '../../kit/statistics.ts';
import type { Curve } from './curves.ts';
import { equilibriumOf, type Equilibrium, type Point } from './equilibrium.ts';
import type { Sent } from './question.ts';
import { nameOf, type CellRow, type LatencyRow, type Row, type RunRow, type Workload } from './raw.ts';

export interface Figures {
  share: number;
  rounds: number;
  ops_per_s: number;
  slowest_ops_per_s: number;
  fastest_ops_per_s: number;
  txn_per_s: number;
  txn_p99_ms: number | null;
  retries_per_txn: number;
  gateway_us_per_op: number;
  client_us_per_op: number;
  /** attempts that natives ended, for each transaction that began */
  breaks_per_txn: number;
  failures: number;
}

export interface LatencyFigures {
  sent: Sent;
  beside: number | null;
  read: { p50_ms: number; p99_ms: number };
  write: { p50_ms: number; p99_ms: number };
}

/** The speed of a cell: more is better. */
export type Speed = (cell: CellRow) => number;

export const throughput: Speed = ({ ops_per_s }) => ops_per_s;
/** Operations for each second of CPU time, of gateways and driver: other work on the machine affects it less than throughput. */
export const opsPerCpuSecond: Speed = ({ gateway_us_per_op, client_us_per_op }) => 1e6 / (gateway_us_per_op + client_us_per_op);

export class Results {
  readonly run: RunRow;
  readonly cells: readonly CellRow[];
  readonly #latencyRows: readonly LatencyRow[];
  readonly #cells: Map<string, CellRow[]>;

  /** Throws if the row of the run is missing. */
  constructor(rows: readonly Row[]) {
    const run = rows.find((row) => row.kind === 'run');
    if (run === undefined) throw new Error('the rows lack a row of the run');
    this.run = run;
    this.cells = rows.filter((row) => row.kind === 'cell');
    this.#latencyRows = rows.filter((row) => row.kind === 'latency');
    this.#cells = Map.groupBy(this.cells, (cell) => cellName(cell, cell.share, cell.curve));
  }

  get rounds(): number {
    return Math.max(0, ...this.cells.map(({ round }) => round + 1));
  }

  /** The workloads with cells, in the order of measurement. */
  workloads(): Workload[] {
    const first = new Map(
      this.cells.map(({ shards, size, alpha, reads }) => [nameOf({ shards, size, alpha, reads }), { shards, size, alpha, reads }]),
    );
    return [...first.values()];
  }

  shares(workload: Workload): number[] {
    const own = this.cells.filter((cell) => nameOf(cell) === nameOf(workload));
    return [...new Set(own.map(({ share }) => share))].sort((a, b) => a - b);
  }

  at(workload: Workload, share: number, curve: Curve): Figures | null {
    const rounds = this.#cells.get(cellName(workload, share, curve));
    return rounds === undefined ? null : figuresOf(share, rounds);
  }

  /** One curve over the shares of natives. */
  curve(workload: Workload, curve: Curve): Figures[] {
    return this.shares(workload).flatMap((share) => this.at(workload, share, curve) ?? []);
  }

  /**
   * The speed of one curve relative to another's, by share: the median of the rounds' ratios, since the curves of one mix are measured
   * directly after each other.
   */
  ratios(workload: Workload, curve: Curve, to: Curve, speedOf: Speed = throughput): Point[] {
    return this.shares(workload).flatMap((share) => {
      const [own, others] = [curve, to].map((name) => this.#cells.get(cellName(workload, share, name)) ?? []);
      const pairs = own!.flatMap((cell) => {
        const other = others!.find(({ round }) => round === cell.round);
        return other === undefined || other.ops_per_s === 0 ? [] : [speedOf(cell) / speedOf(other)];
      });
      return pairs.length === 0 ? [] : [{ share, ratio: median(pairs) }];
    });
  }

  equilibrium(workload: Workload, speedOf: Speed = throughput): Equilibrium {
    return equilibriumOf(this.ratios(workload, 'mediator', 'transactional', speedOf));
  }

  /** Single operations, by way of sending and by what runs beside them; medians over the rounds. */
  latencies(): LatencyFigures[] {
    const groups = Map.groupBy(this.#latencyRows, ({ sent, beside }) => JSON.stringify([sent, beside]));
    return [...groups.values()].map((rows) => {
      const { sent, beside } = rows[0]!;
      const of = (operation: 'read' | 'write') => {
        const own = rows.filter((row) => row.operation === operation);
        return { p50_ms: median(own.map(({ p50_ms }) => p50_ms)), p99_ms: median(own.map(({ p99_ms }) => p99_ms)) };
      };
      return { sent, beside, read: of('read'), write: of('write') };
    });
  }
}

const cellName = (workload: Workload, share: number, curve: Curve): string => `${nameOf(workload)},${share},${curve}`;

function figuresOf(share: number, rounds: readonly CellRow[]): Figures {
  const middle = (figure: (cell: CellRow) => number) => median(rounds.map(figure));
  const p99s = rounds.flatMap(({ txn_p99_ms }) => txn_p99_ms ?? []);
  const speeds = rounds.map(({ ops_per_s }) => ops_per_s);
  return {
    share,
    rounds: rounds.length,
    ops_per_s: median(speeds),
    slowest_ops_per_s: Math.min(...speeds),
    fastest_ops_per_s: Math.max(...speeds),
    txn_per_s: middle((cell) => cell.txn_per_s),
    txn_p99_ms: p99s.length === 0 ? null : median(p99s),
    retries_per_txn: middle((cell) => cell.retries_per_txn),
    gateway_us_per_op: middle((cell) => cell.gateway_us_per_op),
    client_us_per_op: middle((cell) => cell.client_us_per_op),
    breaks_per_txn: middle((cell) => cell.breaks / Math.max(1, cell.begun)),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
  };
}
