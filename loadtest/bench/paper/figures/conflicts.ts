// The paper's figure 9: which transactions conflict at a lock, and how often, under each condition.

import { median } from '../../../kit/statistics.ts';
import type { CellRow, Conflicts } from '../raw.ts';
import { logarithmic, type Axis } from '../../../kit/figures/axis.ts';
import { provenance, type FigureOf } from './figure.ts';
import { inLegendOrder, STYLES } from '../../../kit/figures/look.ts';
import { drawPanel, type Series } from '../../../kit/figures/panel.ts';

const PAIRS_MAX = 5;
const HEIGHT = 340;

/** "Bid – ViewAuction", in either order of holder and waiter → conflicts per 1,000 transactions */
export function perThousand(cell: CellRow): Map<string, number> {
  const pairs = new Map<string, number>();
  const committed = cell.txn_per_s * cell.seconds;
  for (const { holder, waiter, count } of cell.conflicts ?? []) {
    const pair = pairOf({ holder, waiter });
    pairs.set(pair, (pairs.get(pair) ?? 0) + (1000 * count) / committed);
  }
  return pairs;
}

const pairOf = ({ holder, waiter }: Pick<Conflicts, 'holder' | 'waiter'>) => [holder, waiter].sort().join(' – ');

const among = (names: readonly string[]): Axis => ({
  title: '',
  ticks: names.map((_, i) => i),
  format: (i) => names[i]!,
  place: (i) => (i + 0.5) / names.length,
});

export const conflicts: FigureOf = (results) => {
  const counted = results.cells.filter(
    (cell) => cell.sending === 'interactive' && cell.conflicts !== undefined && cell.condition !== 'none',
  );
  if (counted.length === 0) return null;
  const byCondition = Map.groupBy(counted, ({ condition }) => condition);
  const middle = (condition: string, pair: string) =>
    median((byCondition.get(condition) ?? []).map((cell) => perThousand(cell).get(pair) ?? 0));
  const all = new Set(counted.flatMap((cell) => [...perThousand(cell).keys()]));
  const mostOf = (pair: string) => Math.max(...[...byCondition.keys()].map((condition) => middle(condition, pair)));
  const pairs = [...all].sort((a, b) => mostOf(b) - mostOf(a)).slice(0, PAIRS_MAX);
  const styles = STYLES.filter(({ condition }) => byCondition.has(condition));
  // Side by side, so that equal values remain distinguishable.
  const aside = (i: number) => ((i - (styles.length - 1) / 2) / styles.length) * 0.6;
  const series = styles.map((style, i): Series => ({
    style,
    joined: false,
    points: pairs.map((pair, at) => ({ x: at + aside(i), y: middle(style.condition, pair) })).filter(({ y }) => y > 0),
  }));
  const values = series.flatMap(({ points }) => points.map(({ y }) => y));
  if (values.length === 0) return null;
  const y = logarithmic('conflicts for each 1,000 transactions', Math.min(...values), Math.max(...values));
  return {
    name: 'figure-9-rubis-conflicts',
    sheet: {
      title: 'Who meets whom at a lock',
      subtitle:
        'RUBiS bid-heavy, interactive, 256 clients (the paper, figure 9). A conflict: an operation that was not admitted when it came.',
      legend: inLegendOrder(byCondition.keys()),
      rows: [{ height: HEIGHT, drawings: [(box) => drawPanel({ heading: 'by pair of transactions', x: among(pairs), y, series }, box)] }],
      captions: [
        'The pairs with the most conflicts; a missing mark means none. Conflicts are counted from warm-up to the end of a cell, transactions in its measured span.',
        provenance(results),
      ],
    },
  };
};
