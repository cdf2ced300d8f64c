// The cost of watching, from pairs of spans without and with a viewer.

import { median, middleOf } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import type { Span } from './question.ts';
import type { Seen } from './viewer.ts';

/** Fewer pairs give no reliable range. */
const PAIRS_MIN = 6;

export interface Pair {
  without: Span;
  with: Span;
  seen: Seen;
}

export interface Measured {
  /** workload, point, way of sending */
  name: string;
  pairs: Pair[];
}

interface Side {
  txn_per_s: number;
  gateway_us_per_txn: number;
}

export interface Row {
  name: string;
  /** the increase of the gateways' CPU time per committed transaction: the middle of the pairs */
  cost_share: number;
  /** the range with a confidence of about 95 % */
  cost_share_range: [number, number];
  /** of each pair */
  cost_shares: number[];
  without: Side;
  with: Side;
  /** received by the viewer */
  frames_per_s: number;
  bytes_per_frame: number;
}

const usPerTransaction = ({ gateways_us, commits }: Span) => gateways_us / commits;
export const costOf = (pair: Pair): number => usPerTransaction(pair.with) / usPerTransaction(pair.without) - 1;

const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;

export function rowOf({ name, pairs }: Measured): Row {
  const middle = (figure: (pair: Pair) => number) => median(pairs.map(figure));
  const side = (which: 'without' | 'with'): Side => ({
    txn_per_s: Math.round(middle((pair) => pair[which].commits / pair[which].seconds)),
    gateway_us_per_txn: rounded(
      middle((pair) => usPerTransaction(pair[which])),
      2,
    ),
  });
  return {
    name,
    ...costOfAll(pairs),
    cost_shares: pairs.map((pair) => rounded(costOf(pair), 5)),
    without: side('without'),
    with: side('with'),
    frames_per_s: rounded(
      middle(({ seen, with: { seconds } }) => seen.frames / seconds),
      2,
    ),
    bytes_per_frame: Math.round(middle(({ seen }) => seen.bytes / seen.frames)),
  };
}

export function costOfAll(pairs: readonly Pair[]): Pick<Row, 'cost_share' | 'cost_share_range'> {
  // The logarithm of a ratio scatters symmetrically.
  const { value, range } = middleOf(pairs.map((pair) => Math.log1p(costOf(pair))));
  const [low, high] = range.map((one) => rounded(Math.expm1(one), 5)) as [number, number];
  return { cost_share: rounded(Math.expm1(value), 5), cost_share_range: [low, high] };
}

export const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
/** Whether the goal is met, as far as the pairs show. */
export function verdict({ cost_share_range: [low, high] }: Pick<Row, 'cost_share_range'>, pairs: number, goal: number): string {
  if (pairs >= PAIRS_MIN && high <= goal) return 'met';
  return pairs >= PAIRS_MIN && low > goal ? 'missed' : 'open: only more pairs, or a quieter machine, would tell';
}

const count = (value: number) => value.toLocaleString('en');

export function costTable(rows: readonly Row[]): string {
  return table(
    ['workload', 'cost', 'with 95 % between', 'µs/txn', 'watched', 'txn/s', 'watched', 'frames/s', 'bytes/frame'],
    rows.map((row) => [
      row.name,
      percent(row.cost_share),
      row.cost_share_range.map(percent).join(' and '),
      row.without.gateway_us_per_txn.toFixed(1),
      row.with.gateway_us_per_txn.toFixed(1),
      count(row.without.txn_per_s),
      count(row.with.txn_per_s),
      row.frames_per_s.toFixed(1),
      count(row.bytes_per_frame),
    ]),
  );
}
