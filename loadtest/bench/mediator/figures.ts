// The figures of the comfort zone (Mediator, figure 4): throughput over the share of natives, and the equilibrium over the share of reads.

import { symbolCircle, symbolDiamond2, symbolSquare2 } from 'd3-shape';
import { fromZero, steps } from '../../kit/figures/axis.ts';
import type { Style } from '../../kit/figures/look.ts';
import { drawPanel, type Panel, type PlotPoint, type Series } from '../../kit/figures/panel.ts';
import type { Sheet } from '../../kit/figures/sheet.ts';
import { CURVES } from './curves.ts';
import type { Workload } from './raw.ts';
import type { Results } from './results.ts';

export interface Figure {
  /** name of its files, without extension */
  name: string;
  sheet: Sheet;
}

const ROW_HEIGHT = 250;
const percent = (share: number) => `${Math.round(100 * share)} %`;
const skewed = (alpha: number) => (alpha === 0 ? 'uniform' : `alpha ${alpha}`);
const shardsOf = (count: number) => `${count} ${count === 1 ? 'shard' : 'shards'}`;
const distinct = <Value>(values: readonly Value[]) => [...new Set(values)];
const PANELS_IN_ROW = 4;

/** One sheet for each number of shards and each skew; a row for each size of transactions, a panel for each share of reads. */
export function comfortZones(results: Results): Figure[] {
  const groups = Map.groupBy(results.workloads(), ({ shards, alpha }) => `${shards},${alpha}`);
  return [...groups.values()].map((workloads) => {
    const { shards, alpha } = workloads[0]!;
    const sizes = distinct(workloads.map(({ size }) => size));
    return {
      name: `mediator-${shards}-${shards === 1 ? 'shard' : 'shards'}-${alpha === 0 ? 'uniform' : `alpha-${alpha}`}`,
      sheet: {
        title: `Throughput by the share of natives: ${shardsOf(shards)}, ${skewed(alpha)}`,
        subtitle:
          'Natives and interactive transactions of 1 to 4 (U4) or 20 (U20) operations read or add to 10,000 counters (Mediator, figure 4).',
        legend: CURVES,
        rows: sizes.flatMap((size) => {
          const own = workloads.filter((workload) => workload.size === size).sort((a, b) => a.reads - b.reads);
          const rows: Workload[][] = [];
          while (own.length > 0) rows.push(own.splice(0, PANELS_IN_ROW));
          return rows.map((row) => ({
            height: ROW_HEIGHT,
            drawings: row.map((workload) => {
              const panel = comfortPanel(results, workload);
              return (box: Parameters<typeof drawPanel>[1]) => drawPanel(panel, box);
            }),
          }));
        }),
        captions: [
          `${clientsOf(results)} logical clients in a closed loop; the share of natives is one of operations. Each panel has its own scale. ${mediansOf(results)}`,
          provenance(results),
        ],
      },
    };
  });
}

function comfortPanel(results: Results, workload: Workload): Panel {
  const series = CURVES.map((style): Series => ({
    style,
    points: results.curve(workload, style.curve).map(({ share, rounds, ops_per_s, slowest_ops_per_s, fastest_ops_per_s }): PlotPoint => ({
      x: share,
      y: ops_per_s / 1000,
      ...(rounds > 1 && { range: [slowest_ops_per_s / 1000, fastest_ops_per_s / 1000] as [number, number] }),
    })),
  }));
  const highest = Math.max(...series.flatMap(({ points }) => points.map(({ y, range }) => range?.[1] ?? y)));
  return {
    heading: `U${workload.size}, ${percent(workload.reads)} reads`,
    x: steps('share of natives', [0, 0.5, 1], percent),
    y: fromZero('thousand operations/s', highest, { ticks: 4 }),
    series,
  };
}

const SKEW_STYLES: readonly Omit<Style, 'condition' | 'label'>[] = [
  { color: '#0072b2', marker: symbolSquare2 },
  { color: '#d55e00', dash: '6 3', marker: symbolDiamond2 },
  { color: '#8c1d40', dash: '1.5 3', marker: symbolCircle },
];

/** A panel for each number of shards and size of transactions, a line for each skew. Null: there are no ratios. */
export function equilibria(results: Results): Figure | null {
  const workloads = results.workloads();
  const alphas = distinct(workloads.map(({ alpha }) => alpha)).sort((a, b) => a - b);
  const styles = alphas.map((alpha, i): Style => ({
    ...SKEW_STYLES[i % SKEW_STYLES.length]!,
    condition: skewed(alpha),
    label: skewed(alpha),
  }));
  const panels = [...Map.groupBy(workloads, ({ shards, size }) => `${shards},${size}`).values()].map((own): Panel => {
    const reads = distinct(own.map((workload) => workload.reads)).sort((a, b) => a - b);
    return {
      heading: `${shardsOf(own[0]!.shards)}, U${own[0]!.size}`,
      x: steps('share of reads', reads, percent),
      y: steps('least share of natives that wins', [0, 0.25, 0.5, 0.75, 1], percent),
      series: alphas.map((alpha, i) => ({
        style: styles[i]!,
        joined: false,
        points: own
          .filter((workload) => workload.alpha === alpha)
          // Beside each other, since most lie at the same height.
          .flatMap((workload) => pointOf(results, workload, 0.025 * (i - (alphas.length - 1) / 2)))
          .sort((a, b) => a.x - b.x),
      })),
    };
  });
  if (panels.every(({ series }) => series.every(({ points }) => points.length === 0))) return null;
  const rows: Panel[][] = [];
  for (let first = 0; first < panels.length; first += 2) rows.push(panels.slice(first, first + 2));
  return {
    name: 'mediator-equilibrium',
    sheet: {
      title: 'The least share of natives from which natives beside transactions win',
      subtitle:
        'Compared with the same traffic, each native sent as a transaction of one operation. Lower is better: at 0 they win at every share.',
      legend: styles,
      rows: rows.map((row) => ({ height: ROW_HEIGHT, drawings: row.map((panel) => (box) => drawPanel(panel, box)) })),
      captions: [
        'The thin lines reach from the share that loses at most 10 % to the share that wins at least 10 %. A mark at 100 % that is open: not even natives alone win.',
        provenance(results),
      ],
    },
  };
}

function pointOf(results: Results, workload: Workload, aside: number): PlotPoint[] {
  if (results.ratios(workload, 'mediator', 'transactional').every(({ share }) => share === 0)) return [];
  const { share, band } = results.equilibrium(workload);
  return [{ x: workload.reads + aside, y: share ?? 1, open: share === null, range: [band[0] ?? 1, band[1] ?? 1] }];
}

const clientsOf = ({ run }: Results) => String(run.options['clients']);

const mediansOf = ({ rounds }: Results) =>
  rounds === 1 ? 'One round.' : `Medians of ${rounds} rounds; the thin lines reach from the slowest round to the fastest.`;

function provenance({ run }: Results): string {
  const { commit, dirty, machine, begun_at, seed } = run;
  return (
    `Claret ${commit.slice(0, 12)}${dirty ? ' with changes' : ''}, ${begun_at.slice(0, 10)}; ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; ` +
    `gateways and one driver process over loopback; seed ${seed}; durability ${run.options['durability']}.`
  );
}
