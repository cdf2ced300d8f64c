// The picture of a load test: accepted work and its latency over the storm, one line for each condition.

import { fromZero, logarithmic, steps, thousands } from '../../../kit/figures/axis.ts';
import { COLORS, styleOf, STYLES, type Style } from '../../../kit/figures/look.ts';
import { drawPanel, plotIn, type Panel } from '../../../kit/figures/panel.ts';
import { drawSheet, type Drawing } from '../../../kit/figures/sheet.ts';
import { line, text } from '../../../kit/figures/svg.ts';
import type { LedgerKind, ScenarioName } from '../storm.ts';
import { SCENARIOS } from '../storm.ts';
import type { Storm } from './storm.ts';
import type { Second } from './tally.ts';

export const TITLES: Readonly<Record<ScenarioName, string>> = {
  'last-minute-auction': 'The last minute of an auction',
  'the-dress': 'A post that everybody reposts',
  'flash-crowd': 'A flash crowd',
  'steady-rubis': 'Auctions on an ordinary day',
  'steady-retwis': 'Timelines on an ordinary day',
};

const WORK: Partial<Record<LedgerKind, string>> = { bid: 'bids', post: 'posts', repost: 'reposts' };
const HEIGHTS = { accepted: 250, p99: 230, shed: 150 };
/** Above this number of seconds a line has no markers, which would overlap. */
const MARKED_UP_TO_SECONDS = 40;

/** "bids", "posts and reposts", "answers". */
export function workOf(scenario: ScenarioName): string {
  const names = SCENARIOS[scenario].accepted.map((kind) => WORK[kind]);
  return names.every((name) => name !== undefined) ? names.join(' and ') : 'answers';
}

/** SVG. REQUIRES: all of one scenario, with seconds. `provenance`: the machine and the run. */
export function picture(storms: readonly Storm[], provenance: string): string {
  const { scenario, peak_per_s, duration_s } = storms[0]!.entry;
  const name = scenario as ScenarioName;
  const all = storms.flatMap(({ seconds }) => seconds);
  const series = (of: (second: Second) => number | null, middle = 0.5) =>
    inOrder(storms).map(({ style, seconds }) => ({
      style,
      marked: seconds.length <= MARKED_UP_TO_SECONDS,
      points: seconds.flatMap((second) => {
        const y = of(second);
        return y === null ? [] : [{ x: second.second + middle, y }];
      }),
    }));
  const x = secondsAxis(duration_s);
  const most = (of: (second: Second) => number) => Math.max(1, ...all.map(of));
  const latencies = all.flatMap(({ p99_ms }) => (p99_ms === null ? [] : [Math.max(0.1, p99_ms)]));
  const panels: [number, Panel][] = [
    [
      HEIGHTS.accepted,
      {
        heading: `Accepted ${workOf(name)}`,
        x,
        y: fromZero(
          'per second',
          most(({ accepted }) => accepted),
        ),
        series: series(({ accepted }) => accepted),
      },
    ],
    ...(latencies.length === 0
      ? []
      : [
          [
            HEIGHTS.p99,
            {
              heading: 'How long the slowest hundredth of them took',
              x,
              y: logarithmic('p99, milliseconds', Math.min(...latencies), Math.max(...latencies)),
              series: series(({ p99_ms }) => (p99_ms === null ? null : Math.max(0.1, p99_ms))),
            },
          ] satisfies [number, Panel],
        ]),
    ...(all.some(({ shed }) => shed > 0)
      ? [
          [
            HEIGHTS.shed,
            {
              heading: 'Sent away ("too busy")',
              x,
              y: fromZero(
                'per second',
                most(({ shed }) => shed),
                { ticks: 3 },
              ),
              series: series(({ shed }) => shed),
            },
          ] satisfies [number, Panel],
        ]
      : []),
  ];
  const { close_s } = storms[0]!;
  return drawSheet({
    title: TITLES[name],
    subtitle: `${name}: up to ${thousands(peak_per_s)} arrivals per second, whatever the site answers (an open model).`,
    legend: inOrder(storms).map(({ style }) => style),
    rows: panels.map(([height, panel], i) => ({ height, drawings: [withClose(panel, close_s, i === 0)] })),
    captions: ['Accepted: answered in that second. p99 and what was sent away: of what was sent in that second.', provenance],
  });
}

/** Legend and lines in the order used in all figures; unknown conditions last, in grey. */
function inOrder(storms: readonly Storm[]): { style: Style; seconds: readonly Second[] }[] {
  const place = (style: string) => STYLES.findIndex(({ condition }) => condition === style);
  return [...storms]
    .sort((a, b) => place(a.style) - place(b.style))
    .map(({ style, seconds, entry }) => ({
      style: place(style) < 0 ? { ...styleOf('none'), label: entry.condition } : styleOf(style),
      seconds,
    }));
}

function secondsAxis(duration_s: number) {
  const step = [1, 2, 5, 10, 15, 30, 60, 120].find((one) => duration_s / one <= 12) ?? 120;
  return steps(
    'seconds',
    Array.from({ length: Math.floor(duration_s / step) + 1 }, (_, i) => i * step),
  );
}

function withClose(panel: Panel, close_s: number | null, named: boolean): Drawing {
  return (box) => {
    if (close_s === null) return drawPanel(panel, box);
    const plot = plotIn(box);
    const along = plot.left + panel.x.place(close_s) * plot.width;
    const close = line(along, plot.top, along, plot.top + plot.height, {
      stroke: COLORS.accent,
      'stroke-width': 1,
      'stroke-dasharray': '2 3',
    });
    return (
      close +
      (named ? text('the auction ends', along + 6, plot.top + 10, { 'font-size': 11, fill: COLORS.accent }) : '') +
      drawPanel(panel, box)
    );
  };
}
