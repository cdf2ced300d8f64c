// The tables of `bench -- aloha`.

import { table } from '../../kit/table.ts';
import type { Part, Row } from './row.ts';

const HEADS: Readonly<Record<Part, string>> = {
  size: 'operations',
  share: 'share of reads',
  contention: 'hot records',
  straggler: 'lists',
  switch: 'shards',
  durability: 'durability',
  beside: 'transactions',
  history: 'gateways',
};

const count = (value: number) => Math.round(value).toLocaleString('en');
const ms = (value: number | null) => (value === null ? 'never' : value.toFixed(value < 10 ? 2 : 1));
const ratio = (value: number | null) => (value === null ? '' : value.toFixed(3));

/** The CPU time of the gateways and that of the driver. */
const cpu = ({ gateway_us_per_op, client_us_per_op }: Row) =>
  [gateway_us_per_op, client_us_per_op].map((us) => (us === null ? '-' : us.toFixed(2))).join(' + ');

function stragglerTable(rows: readonly Row[]): string {
  return table(
    [HEADS.straggler, 'way', 'calm gap ms', 'gap ms', 'greatest', 'until a commit ms', 'in an epoch ms', 'lists/s'],
    rows.map(({ name, way, txn_per_s, straggler }) => {
      const { calm_gap_ms, gap_ms, greatest_gap_ms, until_commit_ms, until_epoch_ms } = straggler!;
      return [name, way, ms(calm_gap_ms), ms(gap_ms), ms(greatest_gap_ms), ms(until_commit_ms), ms(until_epoch_ms), count(txn_per_s)];
    }),
  );
}

export function partTable(part: Part, rows: readonly Row[]): string {
  if (part === 'straggler') return stragglerTable(rows);
  return table(
    [
      HEADS[part],
      'way',
      'operations',
      'transactions/s',
      'of the baseline',
      'mean ms',
      'p50 ms',
      'p99 ms',
      'p99 to it',
      'CPU µs/op',
      'CPU to it',
      'retries',
      'in epochs',
    ],
    rows.map((row) => [
      row.name,
      row.way,
      count(row.size),
      count(row.txn_per_s),
      ratio(row.to_baseline),
      ms(row.mean_ms),
      ms(row.p50_ms),
      ms(row.p99_ms),
      ratio(row.p99_to_baseline),
      cpu(row),
      ratio(row.cpu_to_baseline),
      row.retries_per_commit.toFixed(2),
      row.epoch_share.toFixed(2),
    ]),
  );
}
