// Verdict: how the chosen way does beside the fixed ones, point by point. Ways are compared within each round, in which they take turns on the same
// data; a ratio is the median of the rounds'.

import { groupBy } from '../../kit/group-by.ts';
import { median } from '../../kit/statistics.ts';
import type { CellRow } from '../paper/raw.ts';

export type WayName = 'locks' | 'chains' | 'auto' | 'promises';

/** The least that the chosen way has to reach of the better fixed one: at every point, and in the middle of all. */
export const LEAST = { point: 0.95, middle: 0.98 };
/** The least that promised results have to leave of it, at every point. */
export const PROMISED_LEAST = 0.97;

export interface Comparison {
  /** workload, point, way of sending */
  name: string;
  /** transactions a second; medians of the rounds */
  per_s: Readonly<Record<WayName, number>>;
  /** of the better fixed way */
  auto: number;
  /** of `auto` */
  promises: number;
}

/** REQUIRES: each point has all ways in each round. */
export function comparisonsOf(cells: readonly CellRow[], wayOf: (condition: string) => WayName): Comparison[] {
  const points = groupBy(cells, ({ workload, point, sending }) => `${workload} ${point}, ${sending}`);
  return [...points].map(([name, ofPoint]) => {
    const rounds = [...groupBy(ofPoint, ({ round }) => String(round)).values()].map((round) => {
      const per_s = new Map(round.map(({ condition, txn_per_s }) => [wayOf(condition), txn_per_s]));
      return Object.fromEntries(per_s) as Record<WayName, number>;
    });
    const of = (way: WayName) => median(rounds.map((round) => round[way]));
    const per_s = { locks: of('locks'), chains: of('chains'), auto: of('auto'), promises: of('promises') };
    // The better way is that of all rounds: the better one of each round would be partly luck.
    const better = per_s.locks >= per_s.chains ? 'locks' : 'chains';
    return {
      name,
      per_s,
      auto: median(rounds.map((round) => round.auto / round[better])),
      promises: median(rounds.map((round) => round.promises / round.auto)),
    };
  });
}

/** What falls short, in words; empty: nothing does. */
export function shortfalls(comparisons: readonly Comparison[]): string[] {
  const middle = median(comparisons.map(({ auto }) => auto));
  return [
    ...comparisons
      .filter(({ auto }) => auto < LEAST.point)
      .map(({ name, auto }) => `${name}: auto has ${auto.toFixed(2)} of the better way`),
    ...(middle < LEAST.middle ? [`in the middle of all points, auto has ${middle.toFixed(2)} of the better way`] : []),
    ...comparisons
      .filter(({ promises }) => promises < PROMISED_LEAST)
      .map(({ name, promises }) => `${name}: with promised results it has ${promises.toFixed(2)} of that`),
  ];
}
