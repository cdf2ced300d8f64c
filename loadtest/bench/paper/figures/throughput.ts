// The paper's figures 5 to 8 and 10: throughput against latency, and over the share of adds, the skew and the clients.

import type { AuthorsPeaks } from '../authors.ts';
import { POINTS, type Sending, type WorkloadName } from '../points.ts';
import { isDriverBound, type Figures, type Experiment, type Results } from '../results.ts';
import { doubling, fromZero, logarithmic, steps, thousands } from '../../../kit/figures/axis.ts';
import { medians, optionOf, provenance, type Figure, type FigureOf } from './figure.ts';
import { inLegendOrder, STYLES, type Style } from '../../../kit/figures/look.ts';
import { drawPanel, type Panel, type PlotPoint, type Series } from '../../../kit/figures/panel.ts';
import type { Drawing, Sheet } from '../../../kit/figures/sheet.ts';

const SENDINGS: readonly Sending[] = ['interactive', 'one-shot'];
const ROW_HEIGHT = 300;

const isMeasured = ({ points }: Series) => points.length > 0;
const drawing =
  (panel: Panel): Drawing =>
  (box) =>
    drawPanel(panel, box);
const most = (series: readonly Series[]) => Math.max(0, ...series.flatMap(({ points }) => points.map(({ y, range }) => range?.[1] ?? y)));
const clientsOf = (results: Results) => [...new Set(results.cells.map(({ clients }) => clients))].sort((a, b) => a - b);
const listed = (numbers: readonly number[]) => numbers.join(', ').replace(/, (\d+)$/, ' or $1');

/** A point for each condition that has a value, for each item. */
function seriesOver<Item>(items: readonly Item[], pointOf: (item: Item, condition: string) => PlotPoint | null): Series[] {
  return STYLES.map((style): Series => ({
    style,
    points: items.map((item) => pointOf(item, style.condition)).filter((point) => point !== null),
  })).filter(isMeasured);
}

const throughputAt = (x: number, figures: Figures | null): PlotPoint | null =>
  figures === null
    ? null
    : {
        x,
        y: figures.txn_per_s,
        open: isDriverBound(figures),
        ...(figures.rounds > 1 ? { range: [figures.slowest_txn_per_s, figures.fastest_txn_per_s] as [number, number] } : {}),
      };

/** Adjacent panels with one scale, so that heights are comparable across them too. */
function alike(title: string, panels: readonly Omit<Panel, 'y'>[], atLeast = 0): Panel[] {
  const y = fromZero(title, Math.max(atLeast, most(panels.flatMap(({ series }) => series))));
  return panels.map((panel) => ({ ...panel, y }));
}

const legendOf = (panels: readonly Panel[]): Style[] =>
  inLegendOrder(panels.flatMap(({ series }) => series.map(({ style }) => style.condition)));

const OPEN_MARKS = 'Open marks: the driver was busy for 95 % of a CPU or more, and may be what limits them.';
const hasOpen = ({ series }: Panel) => series.some(({ points }) => points.some(({ open }) => open));

function sheetOf(title: string, subtitle: string, rows: readonly (readonly Panel[])[], captions: readonly string[]): Sheet {
  return {
    title,
    subtitle,
    captions: rows.flat().some(hasOpen) ? [OPEN_MARKS, ...captions] : captions,
    legend: legendOf(rows.flat()),
    rows: rows.map((panels) => ({ height: ROW_HEIGHT, drawings: panels.map(drawing) })),
  };
}

// ---- throughput against latency (the paper, figure 5)

const LATENCY_POINT = 'alpha=0.6 update=0.5';

export const latency: FigureOf = (results) => {
  const clients = clientsOf(results);
  const panels = SENDINGS.flatMap((sending): Panel[] => {
    const experiment: Experiment = { workload: 'rawmix', point: LATENCY_POINT, sending };
    const series = seriesOver(clients, (count, condition) => {
      const figures = results.at(experiment, condition, count);
      return figures === null || figures.mean_ms === 0 ? null : { x: figures.txn_per_s, y: figures.mean_ms, open: isDriverBound(figures) };
    });
    if (series.length === 0) return [];
    const all = series.flatMap(({ points }) => points);
    return [
      {
        heading: sending,
        x: fromZero('transactions/s', Math.max(...all.map(({ x }) => x))),
        y: logarithmic('mean latency in ms', Math.min(...all.map(({ y }) => y)), Math.max(...all.map(({ y }) => y))),
        series,
      },
    ];
  });
  if (panels.length === 0) return null;
  return {
    name: 'figure-5-rawmix-latency',
    sheet: sheetOf(
      'Throughput and latency as clients are added',
      'rawmix, half adds, zipfian alpha 0.6 (the paper, figure 5). Further right and further down is better.',
      [panels],
      [
        `Along each line, beginning where latency is lowest: ${clients.join(', ')} logical clients in a closed loop. Medians over the rounds. The two panels have their own scales.`,
        provenance(results),
      ],
    ),
  };
};

// ---- peaks over a parameter of rawmix (the paper, figures 6 and 7)

interface Sweep {
  name: string;
  title: string;
  subtitle: string;
  axis: string;
  /** the points of the sweep, and their x positions */
  values: readonly { x: number; point: string }[];
  format?: (value: number) => string;
}

const rawmixPoints = POINTS.filter((point) => point.workload === 'rawmix');

const MIX: Sweep = {
  name: 'figure-6-rawmix-mix',
  title: 'Peak throughput by the share of adds',
  subtitle: 'rawmix, zipfian alpha 0.6 (the paper, figure 6). Adds commute with adds, reads with reads.',
  axis: 'share of adds',
  values: rawmixPoints
    .filter(({ alpha }) => alpha === 0.6)
    .map(({ update, name }) => ({ x: update, point: name }))
    .sort((a, b) => a.x - b.x),
  format: (value) => `${Math.round(value * 100)} %`,
};

const SKEW: Sweep = {
  name: 'figure-7-rawmix-skew',
  title: 'Peak throughput by how skewed the keys are',
  subtitle: 'rawmix, half adds, 10,000 sets (the paper, figure 7). At alpha 1.4 a third of all operations go to one set.',
  axis: 'zipfian alpha',
  values: rawmixPoints
    .filter(({ update }) => update === 0.5)
    .map(({ alpha, name }) => ({ x: alpha, point: name }))
    .sort((a, b) => a.x - b.x),
};

const sweepFigure =
  (sweep: Sweep): FigureOf =>
  (results, authors) => {
    const experimentsOf = (sending: Sending) =>
      sweep.values
        .map(({ x, point }) => ({ x, experiment: { workload: 'rawmix', point, sending } as Experiment }))
        .filter(({ experiment }) => STYLES.some(({ condition }) => results.peak(experiment, condition) !== null));
    const measured = SENDINGS.map((sending) => ({ sending, experiments: experimentsOf(sending) })).filter(
      ({ experiments }) => experiments.length > 1,
    );
    if (measured.length === 0) return null;
    const axisOf = (values: readonly number[]) => steps(sweep.axis, values, sweep.format);
    const throughput = measured.map(({ sending, experiments }) => {
      const series = seriesOver(experiments, ({ x, experiment }, condition) => throughputAt(x, results.peak(experiment, condition)));
      return { heading: sending, x: axisOf(experiments.map(({ x }) => x)), series };
    });
    type Experiments = (typeof measured)[number]['experiments'];
    const share = (heading: string, experiments: Experiments, shareOf: (experiment: Experiment, condition: string) => number | null) => {
      const series = seriesOver(experiments, ({ x, experiment }, condition) => {
        const y = condition === 'none' ? null : shareOf(experiment, condition);
        return y === null ? null : { x, y };
      });
      return { heading, x: axisOf(experiments.map(({ x }) => x)), series };
    };
    const shares = [
      ...measured.map(({ sending, experiments }) =>
        share(`ours, ${sending}`, experiments, (experiment, condition) => results.ratio(experiment, condition, 'none')),
      ),
      share("the paper's authors, interactive", measured[0]!.experiments, (experiment, condition) =>
        authorsShare(authors, experiment, condition),
      ),
    ];
    return {
      name: sweep.name,
      sheet: sheetOf(
        sweep.title,
        sweep.subtitle,
        [alike('transactions/s', throughput), alike('share of none', shares, 1)],
        [
          `Each condition at its best of ${listed(clientsOf(results))} clients. ${medians(results)}`,
          "The authors' shares are of their published peaks: 4 shards and 4 client hosts, up to 384 threads. Shares can be compared, absolute numbers cannot.",
          provenance(results),
        ],
      ),
    };
  };

const authorsShare = (authors: AuthorsPeaks, { workload, point }: Experiment, condition: string) =>
  authors.ratio(workload, point, condition, 'none');

export const mix = sweepFigure(MIX);
export const skew = sweepFigure(SKEW);

// ---- over clients, a row for each mix (the paper, figures 8 and 10)

function overClients(workload: WorkloadName, name: string, title: string, subtitleOf: (results: Results) => string): FigureOf {
  return (results): Figure | null => {
    const clients = clientsOf(results);
    const rows = POINTS.filter((point) => point.workload === workload)
      .map(({ name: point }) => {
        const panels = SENDINGS.map((sending) => ({
          heading: `${point}, ${sending}`,
          series: seriesOver(clients, (count, condition) =>
            throughputAt(count, results.at({ workload, point, sending }, condition, count)),
          ),
        })).filter(({ series }) => series.length > 0);
        return alike(
          'transactions/s',
          panels.map((panel) => ({ ...panel, x: doubling('clients', clients) })),
        );
      })
      .filter((panels) => panels.length > 0);
    if (rows.length === 0) return null;
    return { name, sheet: sheetOf(title, subtitleOf(results), rows, [medians(results), provenance(results)]) };
  };
}

export const rubis = overClients(
  'rubis',
  'figure-8-rubis',
  'The auction site: throughput by the number of clients',
  (results) =>
    `RUBiS (the paper, figure 8): ${thousands(optionOf(results, 'rubis-items'))} items, zipfian alpha 1; the site's own transactions. Bids commute; who looks at an auction waits for its turn.`,
);
export const retwis = overClients(
  'retwis',
  'figure-10-retwis',
  'The timelines: throughput by the number of clients',
  (results) =>
    `Retwis (the paper, figure 10): a Kronecker graph of ${thousands(2 ** optionOf(results, 'retwis-scale'))} people; the site's own transactions. A post goes to all followers at once.`,
);
