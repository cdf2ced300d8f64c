// Throughput over time while popular auctions end (the paper, 6.2): its variation and its minimum.

import type { TraceRow } from '../raw.ts';
import { variabilities } from '../variability.ts';
import { fromZero, steps, thousands } from '../../../kit/figures/axis.ts';
import { provenance, type FigureOf } from './figure.ts';
import { COLORS, inLegendOrder, styleOf } from '../../../kit/figures/look.ts';
import { drawPanel, plotIn, type Panel } from '../../../kit/figures/panel.ts';
import type { Drawing } from '../../../kit/figures/sheet.ts';
import { line } from '../../../kit/figures/svg.ts';

const HEIGHT = 190;

function drawingOf(trace: TraceRow, highest: number): Drawing {
  const { condition, txn_per_s, window_s, closings } = trace;
  const { dash: _dash, ...solid } = styleOf(condition);
  const seconds = txn_per_s.length * window_s;
  const step = Math.max(1, Math.ceil(seconds / 10));
  const x = steps(
    'seconds',
    Array.from({ length: Math.floor(seconds / step) + 1 }, (_, i) => i * step),
  );
  const [{ lowest_txn_per_s, variation }] = variabilities([trace]) as [ReturnType<typeof variabilities>[number]];
  const panel: Panel = {
    heading: `${solid.label}: at least ${thousands(Math.round(lowest_txn_per_s))}/s, varies by ${Math.round(100 * variation)} %`,
    x,
    y: fromZero('transactions/s', highest, { ticks: 4 }),
    series: [{ style: solid, points: txn_per_s.map((y, i) => ({ x: (i + 0.5) * window_s, y })), marked: false }],
  };
  return (box) => {
    const plot = plotIn(box);
    const marks = closings
      .filter((at) => at >= 0 && at <= seconds)
      .map((at) => {
        const along = plot.left + x.place(at) * plot.width;
        return line(along, plot.top, along, plot.top + plot.height, {
          stroke: COLORS.accent,
          'stroke-width': 1,
          'stroke-dasharray': '2 3',
          'stroke-opacity': 0.6,
        });
      });
    return marks.join('') + drawPanel(panel, box);
  };
}

export const overTime: FigureOf = (results) => {
  const traces = new Map(results.rows.filter((row) => row.kind === 'trace').map((row) => [row.condition, row]));
  if (traces.size === 0) return null;
  const styles = inLegendOrder(traces.keys());
  const highest = Math.max(...[...traces.values()].flatMap(({ txn_per_s }) => txn_per_s));
  return {
    name: 'rubis-over-time',
    sheet: {
      title: 'Throughput while popular auctions end',
      subtitle: "RUBiS bid-heavy over time; bids come faster and faster towards an auction's end. Dashed: one of the most popular ends.",
      legend: [],
      rows: styles.map(({ condition }) => ({ height: HEIGHT, drawings: [drawingOf(traces.get(condition)!, highest)] })),
      captions: [
        `Windows of ${[...traces.values()][0]!.window_s} s. "Varies by": standard deviation to mean. The paper found that boosting halves the variation, and raises the lowest throughput, over windows of 5 s, by a third.`,
        provenance(results),
      ],
    },
  };
};
