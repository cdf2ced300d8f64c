// From the cells of a run: medians over its rounds, the share of throughput that durability leaves, and the goal. Shares compare
// cells of the same round, because other work on the machine lowers both.

import { median } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';

/** What is durable when the client receives the commit, weakest first; `jetstream`: under sync, in a replicated log. */
export const DURABILITIES = {
  claret: ['none', 'async', 'sync', 'jetstream'],
  redis: ['none', 'everysec', 'always'],
} as const;

export type SystemName = keyof typeof DURABILITIES;

export interface System {
  system: SystemName;
  durability: (typeof DURABILITIES)[SystemName][number];
}

export const SYSTEMS: readonly System[] = [
  ...DURABILITIES.claret.map((durability) => ({ system: 'claret' as const, durability })),
  ...DURABILITIES.redis.map((durability) => ({ system: 'redis' as const, durability })),
];

/** One row of the `--json` output: medians over the rounds. */
export interface Row extends System {
  workload: WorkloadName;
  clients: number;
  txn_per_s: number;
  p99_ms: number;
}

export type WorkloadName = 'rubis' | 'rawmix';

/** A row of one round. */
export interface Cell extends Row {
  round: number;
}

const cellsOf = (cells: readonly Cell[], { workload, system, durability, clients }: Omit<Row, 'txn_per_s' | 'p99_ms'>) =>
  cells.filter(
    (cell) => cell.workload === workload && cell.system === system && cell.durability === durability && cell.clients === clients,
  );

/** By workload, then by system, weakest durability first, then by clients. */
export function rowsOf(cells: readonly Cell[]): Row[] {
  const rows: Row[] = [];
  for (const workload of new Set(cells.map((cell) => cell.workload))) {
    for (const { system, durability } of SYSTEMS) {
      for (const clients of new Set(cells.map((cell) => cell.clients))) {
        const rounds = cellsOf(cells, { workload, system, durability, clients });
        if (rounds.length === 0) continue;
        const middle = (name: 'txn_per_s' | 'p99_ms') => median(rounds.map((cell) => cell[name]));
        rows.push({ workload, system, durability, clients, txn_per_s: middle('txn_per_s'), p99_ms: middle('p99_ms') });
      }
    }
  }
  return rows;
}

/**
 * Throughput as a share of that of the same system with another durability: the median of the rounds' ratios. Null: one of them was not
 * measured.
 */
export function shareOf(than: System['durability'], cells: readonly Cell[], of: Omit<Row, 'txn_per_s' | 'p99_ms'>): number | null {
  const others = cellsOf(cells, { ...of, durability: than });
  const ratios = cellsOf(cells, of).flatMap(({ round, txn_per_s }) => {
    const same = others.find((cell) => cell.round === round);
    return same === undefined || same.txn_per_s === 0 ? [] : [txn_per_s / same.txn_per_s];
  });
  return ratios.length === 0 ? null : median(ratios);
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

/** The table of one workload. A replicated log is compared with a local one, too. */
export function workloadTable(cells: readonly Cell[], workload: WorkloadName): string {
  const rows = rowsOf(cells.filter((cell) => cell.workload === workload));
  return table(
    ['system', 'clients', 'txn/s', 'of none', 'of sync', 'p99 ms'],
    rows.map((row) => {
      const [ofNone, ofSync] = [shareOf('none', cells, row), row.durability === 'jetstream' ? shareOf('sync', cells, row) : null];
      return [
        `${row.system} ${row.durability}`,
        String(row.clients),
        Math.round(row.txn_per_s).toLocaleString('en'),
        ...[ofNone, ofSync].map((share) => (share === null ? '' : percent(share))),
        row.p99_ms.toFixed(2),
      ];
    }),
  );
}

/** The share of `none` that `sync` shall reach at this number of clients. */
const GOAL_SHARE = 0.6;
const GOAL_CLIENTS = 256;

/** The last line of a run. */
export function goalLine(cells: readonly Cell[]): string {
  const shares = (['rubis', 'rawmix'] as const).map((workload) => ({
    workload,
    share: shareOf('none', cells, { workload, system: 'claret', durability: 'sync', clients: GOAL_CLIENTS }),
  }));
  const found = shares.map(({ workload, share }) => `${workload} ${share === null ? 'not measured' : percent(share)}`).join(', ');
  const missed = shares.some(({ share }) => share !== null && share < GOAL_SHARE);
  const verdict = missed ? 'missed' : shares.some(({ share }) => share === null) ? 'open' : 'met';
  return `sync as a share of none at ${GOAL_CLIENTS} clients: ${found} (goal: ${percent(GOAL_SHARE)}): ${verdict}`;
}
