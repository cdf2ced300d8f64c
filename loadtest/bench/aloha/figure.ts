// The figure of a results folder, after the paper's (Fan et al., figures 3 and 5): throughput and latency by the size of lists.

import { symbolCircle, symbolSquare2, symbolWye } from 'd3-shape';
import { fromZero, logarithmic } from '../../kit/figures/axis.ts';
import type { Style } from '../../kit/figures/look.ts';
import { drawPanel, type Panel, type Series } from '../../kit/figures/panel.ts';
import type { Sheet } from '../../kit/figures/sheet.ts';
import { writeFigure } from '../../kit/figures/write.ts';
import type { RawRow, Row, RunRow } from './row.ts';

const WAYS: readonly Style[] = [
  { condition: 'none', label: 'none (no transactions: the baseline)', color: '#707070', dash: '1.5 3', marker: symbolWye },
  { condition: 'epoch', label: 'in epochs', color: '#8c1d40', marker: symbolCircle },
  { condition: 'locks', label: 'by locks', color: '#0072b2', dash: '6 3', marker: symbolSquare2 },
];

const ROW_HEIGHT = 300;

const thousandOperations = ({ lists_per_s, size }: Row): number => (lists_per_s * size) / 1_000;

/** A series for each way. */
function byWay(rows: readonly Row[], figure: (row: Row) => number): Series[] {
  return WAYS.map((style) => ({
    style,
    points: rows.filter(({ way }) => way === style.condition).map((row) => ({ x: row.size, y: figure(row) })),
  })).filter(({ points }) => points.length > 0);
}

/** REQUIRES: at least one row of figures. */
function sheetOf({ commit, dirty, machine, begun_at, seed, options }: RunRow, rows: readonly Row[]): Sheet {
  const [sizes, latencies] = [rows.map(({ size }) => size), rows.map(({ mean_ms }) => mean_ms)];
  const x = logarithmic('operations of a list', Math.min(...sizes), Math.max(...sizes));
  const panels: Panel[] = [
    {
      heading: 'throughput',
      x,
      y: fromZero('thousand operations/s', Math.max(...rows.map(thousandOperations))),
      series: byWay(rows, thousandOperations),
    },
    {
      heading: 'latency',
      x,
      y: logarithmic('mean in ms', Math.min(...latencies), Math.max(...latencies)),
      series: byWay(rows, ({ mean_ms }) => mean_ms),
    },
  ];
  return {
    title: 'Throughput and latency by the size of lists',
    subtitle: 'Lists of blind writes and of reads, half and half (Fan et al., figures 3 and 5).',
    legend: WAYS,
    rows: [{ height: ROW_HEIGHT, drawings: panels.map((panel) => (box) => drawPanel(panel, box)) }],
    captions: [
      `${rows[0]!.in_flight} lists in flight. A latency of as long as the span means that no list has committed in it.`,
      `Claret ${commit.slice(0, 12)}${dirty ? ' with changes' : ''}, ${begun_at.slice(0, 10)}; ${machine.cpu}, ${machine.cores} cores, which shards and ` +
        `clients share; Node ${machine.node}; medians of ${options['rounds']} rounds of ${options['seconds']} s; seed ${seed}.`,
    ],
  };
}

/** Returns the files that it has written: none if nothing was measured. */
export async function draw(folder: string, all: readonly RawRow[]): Promise<string[]> {
  const run = all.find((row): row is RunRow => row.kind === 'run')!;
  const rows = all.filter((row) => row.kind === 'figures');
  return rows.length === 0 ? [] : writeFigure(folder, 'aloha-size', sheetOf(run, rows));
}
