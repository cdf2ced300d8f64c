// summary.md of a results folder: the run and its machine, every target met or missed, then each point's conditions beside the
// paper's.

import { AuthorsPeaks } from './authors.ts';
import { ALL_CONDITIONS } from '../../kit/conditions.ts';
import { figure, markdownTable } from './markdown.ts';
import type { RunRow } from './raw.ts';
import { driversIn, isDriverBound, type Experiment, type Results } from './results.ts';
import { FULL, isMet, verdicts, type Verdict } from './targets.ts';
import { variabilities } from './variability.ts';

const CONDITION_NAMES = ALL_CONDITIONS.map(({ name }) => name);
const CROWD = 256;

/** @param figures names of the figures' files, in the same folder */
export function summaryMarkdown(results: Results, authors: AuthorsPeaks, figures: readonly string[] = []): string {
  const run = results.rows.find((row) => row.kind === 'run');
  if (run === undefined) throw new Error('the rows lack a row of the run');
  const shards = Number(run.options.shards);
  const all = verdicts(results, shards);
  return [
    `# The paper's comparison, ${run.begun_at.slice(0, 10)}`,
    headOf(run, results),
    '## Targets',
    targetsOf(all),
    '## What the conditions are',
    CONDITIONS_TEXT,
    backoffOf(results),
    noneOf(results),
    driverOf(run, results),
    '## Points',
    POINTS_TEXT,
    ...results.experiments().map((experiment) => sectionOf(experiment, results, authors)),
    traceOf(results),
    ...(figures.length === 0 ? [] : ['## Figures', figures.map((file) => `![${file.replace(/\.[a-z]+$/, '')}](${file})`).join('\n\n')]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function headOf({ commit, dirty, machine, begun_at, options, seed }: RunRow, results: Results): string {
  const { cpu, cores, memory_gib, kernel, node } = machine;
  const rounds = Math.max(0, ...results.cells.map(({ round }) => round + 1));
  const starts = results.rows.filter(({ kind }) => kind === 'run').length;
  const spans = results.cells.map(({ seconds }) => seconds);
  const others = results.cells.map(({ others_cpu }) => others_cpu).sort((a, b) => a - b);
  const chosen = Object.entries(options)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') : value}`)
    .join('; ');
  return [
    `- **Claret**: commit ${commit}${dirty ? ', with uncommitted changes' : ''}; durability ${options.durability}; shards ${options.shards}, each one process; ${driversIn(options)}`,
    `- **Machine**: ${cpu}, ${cores} cores, ${memory_gib} GiB, Linux ${kernel}, Node ${node}; driver and shards share it, over loopback`,
    `- **Run**: begun ${begun_at}${starts === 1 ? '' : `, resumed ${starts - 1} times`}; seed ${seed}; ${results.cells.length.toLocaleString('en')} cells, ${rounds} rounds, each measured ${figure(Math.min(...spans))} to ${figure(Math.max(...spans))} s after a warm-up; figures are medians of the rounds, whose throughputs differ by ${figure(100 * (results.spread() ?? Number.NaN))} % (highest to lowest, median of all)`,
    `- **Polling**: driver and shards keep awake for ${options.poll} µs after a frame; CPU columns include it`,
    `- **Beside it** other processes used ${figure(others[others.length >> 1] ?? 0)} CPUs (median of the cells)`,
    `- **Options**: ${chosen}`,
  ].join('\n');
}

function targetsOf(all: readonly Verdict[]): string {
  const counts = [true, false, null].map((wanted) => all.filter((verdict) => isMet(verdict) === wanted).length);
  const targets = [...new Set(all.map(({ target }) => target))];
  const rows = targets
    .flatMap((target) => all.filter((verdict) => verdict.target === target))
    .map((verdict) => {
      const { target, experiment, wanted, measured, unit, atMost } = verdict;
      const met = isMet(verdict);
      return [
        target,
        `${experiment.workload} ${experiment.point}`,
        experiment.sending,
        `${atMost ? 'at most' : 'at least'} ${figure(wanted, unit)}`,
        figure(measured, unit),
        met === null ? 'not measured' : met ? 'met' : '**missed**',
      ];
    });
  return `${counts[0]} met, ${counts[1]} missed, ${counts[2]} not measured. Where nothing else is said it is about \`${FULL}\`.\n\n${markdownTable(
    ['target', 'point', 'sending', 'wanted', 'measured', ''],
    rows,
  )}`;
}

const CONDITIONS_TEXT = `All conditions run the same code on the same cluster; options alone differ. \`rw\`: reader/writer locks, denied operations are
repeated by the best policy that we have found; \`abstract\`: locks by what operations mean; \`phasing\`: who is denied waits at the
record; \`combining\`: while records are hot, transactions are forecast, sent whole and executed in order; \`none\`: no transactions, each operation is sent as a native:
the bound; \`none+deferral\`: the same with operations without results sent together at the end.

Sent *interactively*, each operation is awaited before the next, and the vote rides on the last one. Operations that answer nothing travel
with the vote, except under \`none\` and with \`--deferral off\`; *one-shot*, rawmix sends its four operations at once, and the sites run as they are written: what need not be awaited is not,
and what awaits nothing goes whole.`;

const POINTS_TEXT = `Each condition at its best number of clients; in brackets the paper's ratio, which is about interactive transactions on other
machines. *256 to peak*: throughput with 256 clients to the best. CPU is in CPUs; µs are the driver's CPU without polling in vain for each operation
issued, and the time within the core for each operation executed.`;

function sectionOf(experiment: Experiment, results: Results, authors: AuthorsPeaks): string {
  const { workload, point, sending } = experiment;
  const rows = results.conditionsAt(experiment, CONDITION_NAMES).map((condition) => {
    const peak = results.peak(experiment, condition)!;
    const beside = (to: string) => {
      const paper = authors.ratio(workload, point, condition, to);
      return `${figure(results.ratio(experiment, condition, to))}${paper === null ? '' : ` (${figure(paper)})`}`;
    };
    return [
      condition,
      `${figure(peak.txn_per_s)}${isDriverBound(peak) ? ' (driver-bound)' : ''}`,
      String(peak.clients),
      beside('rw'),
      beside('rw+phasing'),
      beside('none'),
      figure(peak.p50_ms),
      figure(peak.p99_ms),
      `${figure(peak.retries_per_commit)}${peak.failures === 0 ? '' : ` (${peak.failures.toLocaleString('en')} gave up)`}`,
      figure(results.kept(experiment, condition, CROWD)),
      figure(peak.driver_cpu),
      figure(peak.gateways_cpu),
      figure(peak.client_us_per_op),
      figure(peak.core_us_per_op),
    ];
  });
  return `### ${workload} ${point}, ${sending}\n\n${markdownTable(
    [
      'condition',
      'txn/s',
      'clients',
      'over rw',
      'over rw+phasing',
      'of none',
      'p50 ms',
      'p99 ms',
      'retries',
      '256 to peak',
      'CPU driver',
      'CPU shards',
      'µs driver',
      'µs core',
    ],
    rows,
  )}`;
}

function traceOf({ rows }: Results): string {
  const found = variabilities(rows.filter((row) => row.kind === 'trace'));
  if (found.length === 0) return '';
  return `## rubis around closings

256 clients, bid-heavy, interactive, while one after the other the most popular auctions end; windows of ${found[0]!.window_s} s. The paper found that
boosting halved the variability of throughput, and that the lowest throughput rose from 9,000/s (\`rw+phasing\`) to 12,000/s, in windows of 5 s.

${markdownTable(
  ['condition', 'mean txn/s', 'standard deviation to mean', 'lowest window, txn/s'],
  found.map(({ condition, mean_txn_per_s, variation, lowest_txn_per_s }) => [
    condition,
    figure(mean_txn_per_s),
    figure(variation),
    figure(lowest_txn_per_s),
  ]),
)}`;
}

function backoffOf(results: Results): string {
  const experiments = results
    .experiments()
    .filter((experiment) => results.peak(experiment, 'rw-backoff') !== null && results.peak(experiment, 'rw') !== null);
  if (experiments.length === 0) return '';
  const slower = experiments.map((experiment) => ({ experiment, times: results.ratio(experiment, 'rw', 'rw-backoff') ?? 1 }));
  const worst = slower.reduce((most, one) => (one.times > most.times ? one : most));
  const inflated = results.ratio(worst.experiment, FULL, 'rw-backoff');
  return `\`rw-backoff\` is \`rw\` with exponential backoff in milliseconds (1 to 100), as it is often done, and is here only to be shown: what is compared
with it looks better than it is. Most of all at ${worst.experiment.workload} ${worst.experiment.point}, ${worst.experiment.sending}, where \`rw\` has ${figure(worst.times)} times its
throughput${inflated === null ? '' : `, and \`${FULL}\` would seem ${figure(inflated)} times as fast as reader/writer locks, not ${figure(results.ratio(worst.experiment, FULL, 'rw'))}`}.`;
}

function noneOf({ cells }: Results): string {
  const told = cells.filter(({ anomalies }) => anomalies !== undefined);
  if (told.length === 0) return '';
  const wrong = told.filter(({ anomalies }) => anomalies! > 0);
  const count = wrong.reduce((sum, { anomalies }) => sum + anomalies!, 0);
  return `After every cell what is stored was held against what was acknowledged. In all conditions with locks nothing differed. Under \`none\`, which promises
nothing beyond each single operation, ${
    count === 0
      ? 'nothing differed either'
      : `${count.toLocaleString('en')} things differed, in ${wrong.length} of ${told.length} cells (${[
          ...new Set(wrong.map(({ workload, point }) => `${workload} ${point}`)),
        ].join(', ')}): that is the price of its speed`
  }.`;
}

function driverOf(run: RunRow, results: Results): string {
  const bound = results.experiments().flatMap((experiment) =>
    results
      .conditionsAt(experiment, CONDITION_NAMES)
      .filter((condition) => isDriverBound(results.peak(experiment, condition)!))
      .map((condition) => `${experiment.workload} ${experiment.point}, ${experiment.sending}, ${condition}`),
  );
  const [one, busy] = run.options.drivers === undefined ? ['The driver was', 'was'] : ['On average a driver was', 'were, on average,'];
  if (bound.length === 0) return `${one} busy for less than 95 % of a CPU at every peak: it limited none of them.`;
  return `*Driver-bound*: at ${bound.length} peaks the ${driversIn(run.options)} ${busy} busy for 95 % of a CPU or more, so that they may be its limit, not the shards'. Marked below.`;
}
