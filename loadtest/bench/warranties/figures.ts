// The figures of a results folder, after the paper's (Liu et al., figures 4 and 5): throughput by the number of stores, and latency by the load.

import { symbolCircle, symbolDiamond2 } from 'd3-shape';
import { fromZero, logarithmic, steps, thousands } from '../../kit/figures/axis.ts';
import type { Style } from '../../kit/figures/look.ts';
import { drawPanel, type Panel, type PlotPoint, type Series } from '../../kit/figures/panel.ts';
import type { Sheet } from '../../kit/figures/sheet.ts';
import { writeFigure } from '../../kit/figures/write.ts';
import type { Figures } from './plan.ts';
import type { Row, RunRow } from './raw.ts';

export interface Figure {
  /** name of its files, without extension */
  name: string;
  sheet: Sheet;
}

const STYLES: readonly Style[] = [
  { condition: 'auto', label: 'warranties: auto', color: '#009e73', marker: symbolDiamond2 },
  { condition: 'off', label: 'warranties: off', color: '#8c1d40', dash: '6 3', marker: symbolCircle },
];
const ROW_HEIGHT = 300;
const HEADINGS: Readonly<Record<string, string>> = {
  'load oo7': 'OO7',
  'load cms rubis': 'auctions, 40:1',
  'load cms retwis': 'timelines, 40:1',
};

const cellsOf = (rows: readonly Row[], part: string): Figures[] =>
  rows.filter((row): row is Figures & { kind: 'figures' } => row.kind === 'figures' && 'txn_per_s' in row && row.part.startsWith(part));

function seriesOf(cells: readonly Figures[], pointOf: (cell: Figures) => PlotPoint): Series[] {
  return STYLES.map((style) => ({ style, points: cells.filter(({ condition }) => condition === style.condition).map(pointOf) }));
}

const drawings = (panels: readonly Panel[]) => panels.map((panel) => (box: Parameters<typeof drawPanel>[1]) => drawPanel(panel, box));
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const most = (values: readonly number[]): number => Math.max(0, ...values);

function runOf(rows: readonly Row[]): RunRow {
  return rows.find((row): row is RunRow => row.kind === 'run')!;
}

function provenance(rows: readonly Row[]): string {
  const { commit, dirty, machine, begun_at, seed, options } = runOf(rows);
  return (
    `Claret ${commit.slice(0, 12)}${dirty ? ' with changes' : ''}, ${begun_at.slice(0, 10)}; ${machine.cpu}, ${machine.cores} cores, which shards and ` +
    `clients share; Node ${machine.node}; medians of ${options['rounds']} rounds of ${options['seconds']} s; seed ${seed}.`
  );
}

/** Null: its rows are missing. */
function storesFigure(rows: readonly Row[]): Figure | null {
  const cells = cellsOf(rows, 'stores ');
  if (cells.length === 0) return null;
  const shards = [...new Set(cells.map((cell) => cell.shards))];
  const x = steps('shards', shards, thousands);
  const cpu = (cell: Figures) => sum(cell.gateway_us_per_txn) / 1_000;
  return {
    name: 'figure-4-stores',
    sheet: {
      title: 'Throughput by the number of stores',
      subtitle:
        'OO7: ten traversals in a transaction, 94 % of them of a module that all share; of two shards, one has it alone (Liu et al., figure 4).',
      legend: STYLES,
      rows: [
        {
          height: ROW_HEIGHT,
          drawings: drawings([
            {
              heading: 'throughput',
              x,
              y: fromZero('transactions/s', most(cells.map(({ fastest_txn_per_s }) => fastest_txn_per_s))),
              series: seriesOf(cells, (cell) => ({
                x: cell.shards,
                y: cell.txn_per_s,
                range: [cell.slowest_txn_per_s, cell.fastest_txn_per_s],
              })),
            },
            {
              heading: 'CPU time of all shards',
              x,
              y: fromZero('ms per transaction', most(cells.map(cpu))),
              series: seriesOf(cells, (cell) => ({ x: cell.shards, y: cpu(cell) })),
            },
          ]),
        },
      ],
      captions: [
        `${cells[0]!.in_flight} transactions of one client in flight. More shards get no more machine here. The thin lines reach from the slowest round to the fastest.`,
        provenance(rows),
      ],
    },
  };
}

/** Null: its rows are missing. */
function loadFigure(rows: readonly Row[]): Figure | null {
  const cells = cellsOf(rows, 'load ').filter(({ mean_ms }) => mean_ms !== null);
  if (cells.length === 0) return null;
  const panels = [...Map.groupBy(cells, ({ part }) => part)].map(([part, own]): Panel => {
    const latencies = own.map(({ mean_ms }) => mean_ms!);
    return {
      heading: HEADINGS[part]!,
      x: fromZero('transactions/s', most(own.map(({ txn_per_s }) => txn_per_s)), { ticks: 4 }),
      y: logarithmic('mean latency in ms', Math.min(...latencies), Math.max(...latencies)),
      series: seriesOf(own, (cell) => ({ x: cell.txn_per_s, y: cell.mean_ms! })),
    };
  });
  const loads = [...new Set(cells.map(({ in_flight }) => in_flight))];
  return {
    name: 'figure-5-load',
    sheet: {
      title: 'Throughput and latency as the load grows',
      subtitle:
        'OO7, and pages of the sites, forty that read for each that changes something (Liu et al., figure 5). Further right and down is better.',
      legend: STYLES,
      rows: [{ height: ROW_HEIGHT, drawings: drawings(panels) }],
      captions: [
        `Along each line ${loads.join(', ')} transactions or pages of one client in flight, in a closed loop. Each panel has its own scales.`,
        provenance(rows),
      ],
    },
  };
}

export const figuresOf = (rows: readonly Row[]): Figure[] =>
  [storesFigure(rows), loadFigure(rows)].filter((figure): figure is Figure => figure !== null);

/** Returns the files that it has written. */
export async function report(folder: string, rows: readonly Row[]): Promise<string[]> {
  const written: string[] = [];
  for (const { name, sheet } of figuresOf(rows)) written.push(...(await writeFigure(folder, name, sheet)));
  return written;
}
