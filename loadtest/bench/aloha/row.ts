// The rows of `bench -- aloha`, as `--json` and raw.jsonl have them, and how they come from what the rounds gave.

import { median } from '../../kit/statistics.ts';
import type { RunRow as AnyRunRow } from '../paper/raw.ts';
import type { Answer, Way } from './question.ts';

/** What is measured. */
export interface Point {
  way: Way;
  /** operations of a list */
  size: number;
  /** lists */
  in_flight: number;
}

export interface Row extends Point, Answer {
  /** to the throughput without transactions in the same round, median of the rounds; null: it is that one, or was not measured */
  to_baseline: number | null;
  /** the same of the CPU time of driver and gateways for each operation */
  cpu_to_baseline: number | null;
}

export interface RunRow extends AnyRunRow {
  benchmark: 'aloha';
}

export type RawRow = RunRow | (Row & { kind: 'figures' });

/** A point, with what each round gave. */
export interface Cell extends Point {
  answers: Answer[];
}

export const cellsOf = (sizes: readonly number[], ways: readonly Way[], in_flight: number): Cell[] =>
  sizes.flatMap((size) => ways.map((way): Cell => ({ way, size, in_flight, answers: [] })));

const speedOf = ({ lists_per_s }: Answer): number => lists_per_s;
const cpuUsOf = ({ client_us_per_op, gateway_us_per_op }: Answer): number => client_us_per_op + gateway_us_per_op;

/** REQUIRES: a round each. */
function rowOf({ answers, ...point }: Cell, baseline: Cell | undefined): Row {
  const middle = (figure: (answer: Answer) => number) => median(answers.map(figure));
  const ratio = (figure: (answer: Answer) => number) =>
    baseline === undefined ? null : median(answers.map((answer, round) => figure(answer) / figure(baseline.answers[round]!)));
  return {
    ...point,
    lists_per_s: middle(speedOf),
    mean_ms: middle(({ mean_ms }) => mean_ms),
    p50_ms: middle(({ p50_ms }) => p50_ms),
    p99_ms: middle(({ p99_ms }) => p99_ms),
    retries_per_commit: middle(({ retries_per_commit }) => retries_per_commit),
    epoch_share: middle(({ epoch_share }) => epoch_share),
    client_us_per_op: middle(({ client_us_per_op }) => client_us_per_op),
    gateway_us_per_op: middle(({ gateway_us_per_op }) => gateway_us_per_op),
    to_baseline: ratio(speedOf),
    cpu_to_baseline: ratio(cpuUsOf),
  };
}

/** The baseline of a point is the same point without transactions. REQUIRES: all cells have the same rounds. */
export const rowsOf = (cells: readonly Cell[]): Row[] =>
  cells.map((cell) => rowOf(cell, cell.way === 'none' ? undefined : cells.find(({ way, size }) => way === 'none' && size === cell.size)));
