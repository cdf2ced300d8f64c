// The rows of `bench -- aloha`, as `--json` and raw.jsonl have them, and how they come from what the rounds gave.

import { median, middleOf } from '../../kit/statistics.ts';
import type { RunRow as AnyRunRow } from '../paper/raw.ts';
import type { Answer, Way } from './question.ts';

export const PARTS = ['size', 'share', 'contention', 'straggler', 'switch', 'durability', 'beside', 'history'] as const;
export type Part = (typeof PARTS)[number];

/** What is measured. */
export interface Point {
  part: Part;
  /** what differs within the part */
  name: string;
  /** how the measured transactions go: in epochs, by locks, or each operation as a native */
  way: Way;
  /** operations of a transaction */
  size: number;
  /** share of the lists that read; of interactive transactions: of the operations */
  read_share: number;
  in_flight: number;
  /** records of which each list has one; 0: none */
  hot_keys: number;
  /** transactions that arrive in a second; 0: a closed loop */
  arrivals_per_s: number;
  shards: number;
}

export interface Row extends Point, Answer {
  /** to the throughput of the baseline in the same round, median of the rounds; null: it is the baseline, or has none */
  to_baseline: number | null;
  /** its range with a confidence of about 95 %, from six rounds on; with fewer it is lower */
  to_baseline_range: [number, number] | null;
  /** the same of the p99 */
  p99_to_baseline: number | null;
  /** the same of the CPU time of driver and gateways for each operation */
  cpu_to_baseline: number | null;
  /** of part `straggler` */
  straggler?: Straggling;
}

/** Milliseconds: medians of the rounds. */
export interface Straggling {
  /** stopped for so long; null: killed */
  stopped_ms: number | null;
  /** the longest time without a commit, from the stop until a while after its end */
  gap_ms: number;
  /** the greatest of the rounds */
  greatest_gap_ms: number;
  /** the longest time without a commit within as long a time before */
  calm_gap_ms: number;
  /** from the stop until a list that began after it has committed; null: none has in a round */
  until_commit_ms: number | null;
  /** the same of a list that committed in an epoch */
  until_epoch_ms: number | null;
}

export interface RunRow extends AnyRunRow {
  benchmark: 'aloha';
}

export type RawRow = RunRow | (Row & { kind: 'figures' });

export const POINT: Omit<Point, 'part' | 'name' | 'way'> = {
  size: 1_000,
  read_share: 0.5,
  in_flight: 64,
  hot_keys: 0,
  arrivals_per_s: 0,
  shards: 2,
};

/** A point, with what each round gave. */
export interface Cell extends Point {
  answers: Answer[];
}

const cpuUs = ({ client_us_per_op, gateway_us_per_op }: Answer): number | null =>
  client_us_per_op === null || gateway_us_per_op === null ? null : client_us_per_op + gateway_us_per_op;

/** Null: one of them is. */
function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 || known.length < values.length ? null : median(known);
}

/** REQUIRES: a round each; `baseline` has the same rounds. */
export function rowOf({ answers, ...point }: Cell, baseline: Cell | undefined): Row {
  const middle = (figure: (answer: Answer) => number) => median(answers.map(figure));
  const ratios = (figure: (answer: Answer) => number | null) =>
    answers.map((answer, round) => {
      const [own, other] = [answer, baseline?.answers[round]].map((one) => (one === undefined ? null : figure(one)));
      return own === null || other === null ? null : own! / other!;
    });
  const speeds = ratios(({ txn_per_s }) => txn_per_s).filter((one) => one !== null);
  return {
    ...point,
    txn_per_s: middle(({ txn_per_s }) => txn_per_s),
    mean_ms: middle(({ mean_ms }) => mean_ms),
    p50_ms: middle(({ p50_ms }) => p50_ms),
    p99_ms: middle(({ p99_ms }) => p99_ms),
    retries_per_commit: middle(({ retries_per_commit }) => retries_per_commit),
    epoch_share: middle(({ epoch_share }) => epoch_share),
    client_us_per_op: medianOf(answers.map(({ client_us_per_op }) => client_us_per_op)),
    gateway_us_per_op: medianOf(answers.map(({ gateway_us_per_op }) => gateway_us_per_op)),
    to_baseline: medianOf(speeds),
    to_baseline_range: speeds.length === 0 ? null : middleOf(speeds).range,
    p99_to_baseline: medianOf(ratios(({ p99_ms }) => p99_ms)),
    cpu_to_baseline: medianOf(ratios(cpuUs)),
  };
}
