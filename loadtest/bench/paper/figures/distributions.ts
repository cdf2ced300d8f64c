// Two distributions (the paper, 6.3): followers per person and reposts per post. Both should follow a power law, which is a
// straight line on two logarithmic axes.

import type { DistributionRow } from '../raw.ts';
import { logarithmic, thousands } from '../../../kit/figures/axis.ts';
import { optionOf, provenance, type FigureOf } from './figure.ts';
import { COLORS, STYLES, type Style } from '../../../kit/figures/look.ts';
import { drawPanel, type PlotPoint } from '../../../kit/figures/panel.ts';
import type { Drawing } from '../../../kit/figures/sheet.ts';

const HEIGHT = 320;
const MEANING = {
  followers: { heading: 'followers', x: 'followers, at least', y: 'people' },
  reposts: { heading: 'reposts', x: 'reposts, at least', y: 'posts' },
} as const;

/** For each value above 0 that occurs, the number of items with at least that value. */
export function atLeast(counts: readonly [number, number][]): PlotPoint[] {
  let above = 0;
  return [...counts]
    .filter(([value]) => value > 0)
    .sort((a, b) => b[0] - a[0])
    .map(([value, count]) => ({ x: value, y: (above += count) }))
    .reverse();
}

function drawingOf({ name, counts }: DistributionRow, style: Style): Drawing[] {
  const points = atLeast(counts);
  if (points.length < 2) return [];
  const { heading, x, y } = MEANING[name];
  const panel = {
    heading,
    x: logarithmic(x, points[0]!.x, points.at(-1)!.x),
    y: logarithmic(y, points.at(-1)!.y, points[0]!.y),
    series: [{ style, points, joined: false }],
  };
  return [(box) => drawPanel(panel, box)];
}

export const distributions: FigureOf = (results) => {
  const style = { ...STYLES.find(({ condition }) => condition === 'abstract+combining+phasing')!, color: COLORS.accent };
  const rows = results.rows.filter((row) => row.kind === 'distribution');
  const latest = new Map(rows.map((row) => [row.name, row]));
  const drawings = (['followers', 'reposts'] as const).flatMap((name) => (latest.has(name) ? drawingOf(latest.get(name)!, style) : []));
  if (drawings.length === 0) return null;
  return {
    name: 'figure-10-retwis-distributions',
    sheet: {
      title: 'A few have most of it',
      subtitle:
        'Retwis: how many people have so many followers or more, and how many posts were reposted so often or more, after the runs.',
      legend: [],
      rows: [{ height: HEIGHT, drawings }],
      captions: [
        `Followers: Kronecker graph of ${thousands(2 ** optionOf(results, 'retwis-scale'))} people, A=.57 B=.19 C=.19. Reposts: of the most popular posts that a timeline shows, their number drawn from a geometric distribution.`,
        provenance(results),
      ],
    },
  };
};
