// The figures of a results folder, after the paper's (Fan et al., figures 3, 5 and 6 and table 1): throughput and latency by the size of lists, the share
// of reads and contention; and what one list takes as the number of shards grows.

import { symbolCircle, symbolSquare2, symbolWye } from 'd3-shape';
import { doubling, fromZero, logarithmic, steps, thousands, type Axis } from '../../kit/figures/axis.ts';
import type { Style } from '../../kit/figures/look.ts';
import { drawPanel, type Panel, type PlotPoint, type Series } from '../../kit/figures/panel.ts';
import type { Sheet } from '../../kit/figures/sheet.ts';
import { writeFigure } from '../../kit/figures/write.ts';
import type { Part, RawRow, Row, RunRow } from './row.ts';

export interface Figure {
  /** name of its files, without extension */
  name: string;
  sheet: Sheet;
}

const EPOCH: Style = { condition: 'epoch', label: 'in epochs', color: '#8c1d40', marker: symbolCircle };
const LOCKS: Style = { condition: 'locks', label: 'by locks', color: '#0072b2', dash: '6 3', marker: symbolSquare2 };
const NONE: Style = {
  condition: 'none',
  label: 'none (no transactions: the baseline)',
  color: '#707070',
  dash: '1.5 3',
  marker: symbolWye,
};
const WAYS: readonly Style[] = [NONE, EPOCH, LOCKS];

const ROW_HEIGHT = 300;

type Figured = Row & { kind: 'figures' };

const rowsOf = (rows: readonly RawRow[], part: Part): Figured[] =>
  rows.filter((row): row is Figured => row.kind === 'figures' && row.part === part);
const most = (rows: readonly Row[], figure: (row: Row) => number): number => Math.max(0, ...rows.map(figure));
const operations = ({ txn_per_s, size }: Row): number => txn_per_s * size;
const ascending = (values: Iterable<number>): number[] => [...new Set(values)].toSorted((a, b) => a - b);

function provenance(rows: readonly RawRow[]): string {
  const { commit, dirty, machine, begun_at, seed, options } = rows.find((row): row is RunRow => row.kind === 'run')!;
  return (
    `Claret ${commit.slice(0, 12)}${dirty ? ' with changes' : ''}, ${begun_at.slice(0, 10)}; ${machine.cpu}, ${machine.cores} cores, which shards and ` +
    `clients share; Node ${machine.node}; medians of ${options['rounds']} rounds of ${options['seconds']} s; seed ${seed}.`
  );
}

const sheetOf = (rows: readonly RawRow[], sheet: Omit<Sheet, 'rows' | 'captions'>, panels: readonly Panel[], caption: string): Sheet => ({
  ...sheet,
  rows: [{ height: ROW_HEIGHT, drawings: panels.map((panel) => (box: Parameters<typeof drawPanel>[1]) => drawPanel(panel, box)) }],
  captions: [caption, provenance(rows)],
});

/** A series for each way. */
function byWay(rows: readonly Row[], pointOf: (row: Row) => PlotPoint): Series[] {
  return WAYS.map((style) => ({ style, points: rows.filter(({ way }) => way === style.condition).map(pointOf) })).filter(
    ({ points }) => points.length > 0,
  );
}

/** Panels of the operations a second and of the mean latency over the same axis. */
function pairOf(rows: readonly Row[], x: Axis, at: (row: Row) => number): Panel[] {
  const latencies = rows.map(({ mean_ms }) => mean_ms);
  return [
    {
      heading: 'throughput',
      x,
      y: fromZero('thousand operations/s', most(rows, operations) / 1_000),
      series: byWay(rows, (row) => ({ x: at(row), y: operations(row) / 1_000 })),
    },
    {
      heading: 'latency',
      x,
      y: logarithmic('mean in ms', Math.min(...latencies), Math.max(...latencies)),
      series: byWay(rows, (row) => ({ x: at(row), y: row.mean_ms })),
    },
  ];
}

function sizeFigure(rows: readonly RawRow[]): Figure | null {
  const all = rowsOf(rows, 'size');
  if (all.length === 0) return null;
  const sizes = all.map(({ size }) => size);
  const x = logarithmic('operations of a list', Math.min(...sizes), Math.max(...sizes));
  return {
    name: 'aloha-size',
    sheet: sheetOf(
      rows,
      {
        title: 'Throughput and latency by the size of lists',
        subtitle: 'Lists of blind writes and of reads, half and half (Fan et al., figures 3 and 5).',
        legend: WAYS,
      },
      pairOf(all, x, ({ size }) => size),
      `${all[0]!.in_flight} lists in flight. A latency of as long as the span means that no list has committed in it.`,
    ),
  };
}

function shareFigure(rows: readonly RawRow[]): Figure | null {
  const all = rowsOf(rows, 'share');
  if (all.length === 0) return null;
  const x = steps(
    'share of the lists that read',
    ascending(all.map(({ read_share }) => read_share)),
    (share) => `${Math.round(100 * share)} %`,
  );
  return {
    name: 'aloha-share',
    sheet: sheetOf(
      rows,
      {
        title: 'Throughput and latency by the share of reads',
        subtitle: `Lists of ${thousands(all[0]!.size)} operations (Fan et al., figure 6).`,
        legend: WAYS,
      },
      pairOf(all, x, ({ read_share }) => read_share),
      `${all[0]!.in_flight} lists in flight.`,
    ),
  };
}

function contentionFigure(rows: readonly RawRow[]): Figure | null {
  const all = rowsOf(rows, 'contention');
  if (all.length === 0) return null;
  const hot = all.map(({ hot_keys }) => hot_keys);
  const x = logarithmic('hot records, of which each list has one', Math.min(...hot), Math.max(...hot));
  return {
    name: 'aloha-contention',
    sheet: sheetOf(
      rows,
      {
        title: 'Throughput and latency by contention',
        subtitle: `Lists of ${all[0]!.size} operations, half of the lists write. Further left is hotter.`,
        legend: WAYS,
      },
      pairOf(all, x, ({ hot_keys }) => hot_keys),
      `${all[0]!.in_flight} lists in flight.`,
    ),
  };
}

function switchFigure(rows: readonly RawRow[]): Figure | null {
  const all = rowsOf(rows, 'switch');
  if (all.length === 0) return null;
  const x = doubling('shards', ascending(all.map(({ shards }) => shards)));
  const panel = (heading: string, own: readonly Row[]): Panel => ({
    heading,
    x,
    y: fromZero(
      'median in ms',
      most(own, ({ p50_ms }) => p50_ms),
    ),
    series: byWay(own, (row) => ({ x: row.shards, y: row.p50_ms })),
  });
  const panels = [
    panel(
      'a list over all shards',
      all.filter(({ size, shards }) => size === shards),
    ),
    panel(
      'a list over two shards',
      all.filter(({ size, shards }) => size === 2 && shards >= 2),
    ),
  ];
  return {
    name: 'aloha-switch',
    sheet: sheetOf(
      rows,
      {
        title: 'Latency of one list by the number of shards',
        subtitle: 'One write at each shard of the list, one list at a time (Fan et al., table 1).',
        legend: [EPOCH, LOCKS],
      },
      panels,
      'All shards are in one process and share one core.',
    ),
  };
}

/** Those whose rows are there. */
export const figuresOf = (rows: readonly RawRow[]): Figure[] =>
  [sizeFigure, shareFigure, contentionFigure, switchFigure].map((figure) => figure(rows)).filter((figure) => figure !== null);

/** Returns the files that it has written. */
export async function report(folder: string, rows: readonly RawRow[]): Promise<string[]> {
  const written: string[] = [];
  for (const { name, sheet } of figuresOf(rows)) written.push(...(await writeFigure(folder, name, sheet)));
  return written;
}
