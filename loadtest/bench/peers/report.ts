// From the cells of a run: medians over its rounds, a table for each point, and the targets. Ratios are within the run: other work
// on the machine lowers all figures, and the rounds take turns.

import { median } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import type { WorkloadName } from '../paper/points.ts';
import type { CellAnswer } from './question.ts';
import type { WayName } from './ways.ts';

export interface CellName {
  workload: WorkloadName;
  point: string;
  clients: number;
  way: WayName;
}

export interface CellRow extends CellName, Omit<CellAnswer, 'mismatches'> {
  kind: 'cell';
  round: number;
}

export type Figures = CellName & Omit<CellAnswer, 'mismatches'> & { rounds: number };

const MEASURED = [
  'txn_per_s',
  'p50_ms',
  'p99_ms',
  'aborts_per_commit',
  'failures',
  'driver_us_per_txn',
  'server_us_per_txn',
  'others_cpu',
] as const satisfies (keyof Figures)[];

/** Medians over the rounds, in the order in which the cells were first run. */
export function figuresOf(rows: readonly CellRow[]): Figures[] {
  const cells = Map.groupBy(rows, ({ workload, point, clients, way }) => JSON.stringify([workload, point, clients, way]));
  return [...cells.values()].map((rounds) => {
    const { workload, point, clients, way } = rounds[0]!;
    const medians = Object.fromEntries(MEASURED.map((name) => [name, median(rounds.map((row) => row[name]))]));
    return { workload, point, clients, way, rounds: rounds.length, ...(medians as Pick<Figures, (typeof MEASURED)[number]>) };
  });
}

const HEAD = [
  'way',
  'clients',
  'txn/s',
  'to claret interactive',
  'p50 ms',
  'p99 ms',
  'aborts/commit',
  'driver CPU µs/txn',
  'server CPU µs/txn',
];

/** The table of one point. */
export function pointTable(figures: readonly Figures[]): string {
  return table(
    HEAD,
    figures.map((cell) => {
      const interactive = figures.find(({ way, clients }) => way === 'claret interactive' && clients === cell.clients);
      return [
        cell.way,
        String(cell.clients),
        Math.round(cell.txn_per_s).toLocaleString('en'),
        interactive === undefined ? '' : `${(cell.txn_per_s / interactive.txn_per_s).toFixed(2)} x`,
        cell.p50_ms.toFixed(2),
        cell.p99_ms.toFixed(2),
        cell.aborts_per_commit.toFixed(2),
        cell.driver_us_per_txn.toFixed(1),
        cell.server_us_per_txn.toFixed(1),
      ];
    }),
  );
}

export interface Verdict {
  target: string;
  point: string;
  clients: number;
  wanted: number;
  /** `wanted` is an upper bound, not a lower one */
  atMost: boolean;
  /** null: not measured */
  measured: number | null;
  /** further figures for the target */
  detail: string;
}

interface Target {
  points: readonly string[];
  clients: number;
  ours: WayName;
  /** the best of them counts */
  theirs: readonly WayName[];
  wanted: number;
  /** throughput, where more is better; or the server's CPU time, of which less is */
  figure: 'txn_per_s' | 'server_us_per_txn';
}

const SKEWED = ['alpha=1 update=0.5', 'alpha=1.4 update=0.5'];
const RAWMIX = ['alpha=0.6 update=0.5', ...SKEWED];
const TARGETS: readonly Target[] = [
  {
    points: SKEWED,
    clients: 64,
    ours: 'claret interactive',
    theirs: ['redis WATCH', 'redis WATCH pooled'],
    wanted: 3,
    figure: 'txn_per_s',
  },
  {
    points: SKEWED,
    clients: 256,
    ours: 'claret interactive',
    theirs: ['redis WATCH', 'redis WATCH pooled'],
    wanted: 10,
    figure: 'txn_per_s',
  },
  {
    points: ['alpha=1.4 update=0.5'],
    clients: 256,
    ours: 'claret door MULTI',
    theirs: ['redis WATCH', 'redis WATCH pooled'],
    wanted: 10,
    figure: 'txn_per_s',
  },
  ...[64, 256].flatMap((clients): Target[] => [
    { points: RAWMIX, clients, ours: 'claret one-shot', theirs: ['redis MULTI'], wanted: 4, figure: 'txn_per_s' },
    { points: RAWMIX, clients, ours: 'claret one-shot', theirs: ['redis MULTI bare'], wanted: 1.5, figure: 'txn_per_s' },
    {
      points: RAWMIX,
      clients,
      ours: 'claret one-shot',
      theirs: ['redis MULTI', 'redis MULTI bare'],
      wanted: 0.7,
      figure: 'server_us_per_txn',
    },
  ]),
];

export function verdicts(figures: readonly Figures[]): Verdict[] {
  return TARGETS.flatMap(({ points, clients, ours, theirs, wanted, figure }) =>
    points.map((point) => {
      const figureOf = (way: WayName) =>
        figures.find((cell) => cell.point === point && cell.clients === clients && cell.way === way)?.[figure];
      const mine = figureOf(ours);
      const rivals = theirs.flatMap((way) => {
        const other = figureOf(way);
        return other === undefined || mine === undefined ? [] : [{ way, ratio: mine / other }];
      });
      const atMost = figure === 'server_us_per_txn';
      const ratios = rivals.map(({ ratio }) => ratio);
      const measured = rivals.length === 0 ? null : atMost ? Math.max(...ratios) : Math.min(...ratios);
      const detail = rivals.length < 2 ? '' : rivals.map(({ way, ratio }) => `${shown(ratio)} x ${way}`).join(', ');
      const target = `${ours} to the ${atMost ? 'least CPU time of the server' : 'fastest'} of ${theirs.join(', ')}`;
      return { target, point, clients, wanted, atMost, measured, detail };
    }),
  );
}

export function verdictLine({ target, point, clients, wanted, atMost, measured, detail }: Verdict): string {
  const met = measured !== null && (atMost ? measured <= wanted : measured >= wanted);
  const found = measured === null ? 'not measured' : `${shown(measured)} x, ${met ? 'met' : 'missed'}`;
  return `${point}, ${clients} clients: ${target}: ${found} (target: ${atMost ? 'at most ' : ''}${wanted} x)${detail === '' ? '' : `; ${detail}`}`;
}

const shown = (ratio: number) => ratio.toFixed(ratio < 2 ? 2 : 1);
