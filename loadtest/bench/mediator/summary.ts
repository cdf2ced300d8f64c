// summary.md of a results folder: the run, the goals, each workload's curves, and the latencies of single operations.

import { figure, markdownTable } from '../paper/markdown.ts';
import type { Workload } from './raw.ts';
import { opsPerCpuSecond, throughput, type LatencyFigures, type Results } from './results.ts';

/** A step down by less than this is noise. */
const FALL_MAX = 0.05;

export interface Goal {
  goal: string;
  met: number;
  of: number;
  /** the worst measured value, and where */
  worst: string;
}

const words = ({ shards, size, alpha, reads }: Workload) =>
  `${shards} ${shards === 1 ? 'shard' : 'shards'}, U${size}, ${alpha === 0 ? 'uniform' : `alpha ${alpha}`}, ${Math.round(100 * reads)} % reads`;
const percent = (share: number | null) => (share === null ? 'never' : `${Math.round(100 * share)} %`);

/** @param names of the pictures, in the same folder */
export function summaryMarkdown(results: Results, pictures: readonly string[]): string {
  const { run, cells, rounds } = results;
  const { cpu, cores, memory_gib, kernel, node } = run.machine;
  const spans = cells.map(({ seconds }) => seconds);
  return [
    `# Natives beside transactions, ${run.begun_at.slice(0, 10)}`,
    [
      `- **Claret**: commit ${run.commit}${run.dirty ? ', with uncommitted changes' : ''}; durability ${run.options['durability']}`,
      `- **Machine**: ${cpu}, ${cores} cores, ${memory_gib} GiB, Linux ${kernel}, Node ${node}; driver and gateways share it, over loopback`,
      `- **Run**: seed ${run.seed}; ${cells.length.toLocaleString('en')} cells, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, each measured ${figure(Math.min(...spans))} to ${figure(Math.max(...spans))} s after a warm-up; figures are medians of the rounds`,
      `- **Options**: ${JSON.stringify(run.options)}`,
    ].join('\n'),
    '## Goals',
    markdownTable(
      ['goal', 'workloads that meet it', 'worst'],
      goalsOf(results).map(({ goal, met, of, worst }) => [goal, `${met} of ${of}`, worst]),
    ),
    '## All workloads together',
    MEANS_TEXT,
    meansTable(results),
    '## Workloads',
    WORKLOADS_TEXT,
    workloadTable(results),
    latencyTable(results.latencies()),
    ...(pictures.length === 0 ? [] : ['## Figures', pictures.map((file) => `![${file.replace(/\.[a-z]+$/, '')}](${file})`).join('\n\n')]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** The goals of the design, for each workload (the share of natives goes from 0 to 1). */
export function goalsOf(results: Results): Goal[] {
  const workloads = results.workloads();
  const ratioAt = (workload: Workload, share: number) =>
    results.ratios(workload, 'mediator', 'transactional').find((point) => point.share === share)?.ratio ?? null;
  const judged = (
    goal: string,
    valueOf: (workload: Workload) => number | null,
    holds: (value: number) => boolean,
    worstIs: 'least' | 'most',
  ): Goal => {
    const values = workloads.flatMap((workload) => {
      const value = valueOf(workload);
      return value === null ? [] : [{ workload, value }];
    });
    const sorted = values.toSorted((a, b) => (worstIs === 'least' ? a.value - b.value : b.value - a.value));
    const [worst] = sorted;
    return {
      goal,
      met: values.filter(({ value }) => holds(value)).length,
      of: values.length,
      worst: worst === undefined ? '–' : `${worst.value === NEVER ? 'never' : figure(worst.value)} (${words(worst.workload)})`,
    };
  };
  return [
    judged(
      'equilibrium 0: natives win at every share',
      (workload) => results.equilibrium(workload).share ?? NEVER,
      (value) => value === 0,
      'most',
    ),
    judged(
      'at least .98 of all transactional without natives (both send the same)',
      (workload) => ratioAt(workload, 0),
      (value) => value >= 0.98,
      'least',
    ),
    judged(
      'at least 4 times all transactional with natives alone',
      (workload) => ratioAt(workload, 1),
      (value) => value >= 4,
      'least',
    ),
    judged(
      `rises with the share of natives: no step down by more than ${100 * FALL_MAX} %`,
      (workload) => steepestFall(results.curve(workload, 'mediator').map(({ ops_per_s }) => ops_per_s)),
      (value) => value <= FALL_MAX,
      'most',
    ),
    judged(
      'equilibrium 0 by CPU time',
      (workload) => results.equilibrium(workload, opsPerCpuSecond).share ?? NEVER,
      (value) => value === 0,
      'most',
    ),
  ];
}

const NEVER = 2;

/** The greatest step down from one value to the next, relative to the former; 0: there is none. */
export function steepestFall(values: readonly number[]): number {
  return Math.max(0, ...values.slice(1).map((value, i) => 1 - value / values[i]!));
}

const MEANS_TEXT = `Natives beside transactions, relative to the same traffic with each native as a transaction of one operation: the geometric mean over
the workloads, and the least and the greatest of them in brackets. Without natives both send the same, so the range there is the noise.`;

function meansTable(results: Results): string {
  const workloads = results.workloads();
  const conflicting = ({ reads }: Workload) => reads > 0 && reads < 1;
  const shares = [...new Set(results.cells.map(({ share }) => share))].sort((a, b) => a - b);
  const groups = [
    { name: 'reads alone, or adds alone', own: workloads.filter((workload) => !conflicting(workload)) },
    { name: 'reads and adds, which conflict', own: workloads.filter(conflicting) },
  ].filter(({ own }) => own.length > 0);
  const rows = groups.flatMap(({ name, own }) =>
    [
      { speed: 'throughput', speedOf: throughput },
      { speed: 'operations for each CPU second', speedOf: opsPerCpuSecond },
    ].map(({ speed, speedOf }) => [
      `${name}: ${speed}`,
      ...shares.map((share) => {
        const ratios = own.flatMap((workload) =>
          results.ratios(workload, 'mediator', 'transactional', speedOf).flatMap((point) => (point.share === share ? [point.ratio] : [])),
        );
        return ratios.length === 0
          ? '–'
          : `${figure(geometricMean(ratios))} (${figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))})`;
      }),
    ]),
  );
  return markdownTable(['share of natives', ...shares.map((share) => percent(share))], rows);
}

/** REQUIRES: at least one value, all above 0. */
export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

const WORKLOADS_TEXT = `Thousand operations/s without natives, with half natives and with natives alone, for natives beside transactions; in brackets its ratio to the same
traffic with each native as a transaction of one operation, and its share of the bound (every operation a native, without locks). *Equilibrium*: the
least share of natives from which it wins; in brackets the shares from which it loses at most and wins at least 10 %. *By CPU
time*: the same of operations for each second of CPU time, gateways and driver together, with the ratios for half natives and natives alone in
brackets; other work on the machine affects it less. *Breaks*: attempts that natives ended, for each one that began, with half natives.`;

function workloadTable(results: Results): string {
  const rows = results.workloads().map((workload) => {
    const at = (share: number) => {
      const own = results.at(workload, share, 'mediator');
      const ratio = (to: 'transactional' | 'bound') =>
        results.ratios(workload, 'mediator', to).find((point) => point.share === share)?.ratio ?? null;
      return own === null ? '–' : `${figure(own.ops_per_s / 1000)} (${figure(ratio('transactional'))}; ${figure(ratio('bound'))})`;
    };
    const half = results.at(workload, 0.5, 'mediator');
    const { share, band } = results.equilibrium(workload);
    const byCpu = results.ratios(workload, 'mediator', 'transactional', opsPerCpuSecond);
    const ratioAt = (wanted: number) => figure(byCpu.find((point) => point.share === wanted)?.ratio ?? null);
    return [
      words(workload),
      at(0),
      at(0.5),
      at(1),
      `${percent(share)} (${percent(band[0])} to ${percent(band[1])})`,
      `${percent(results.equilibrium(workload, opsPerCpuSecond).share)} (${ratioAt(0.5)}; ${ratioAt(1)})`,
      half === null ? '–' : figure(half.breaks_per_txn),
    ];
  });
  return markdownTable(['workload', 'no natives', 'half natives', 'natives alone', 'equilibrium', 'by CPU time', 'breaks'], rows);
}

function latencyTable(latencies: readonly LatencyFigures[]): string {
  if (latencies.length === 0) return '';
  const at = ({ p50_ms, p99_ms }: LatencyFigures['read']) => `${figure(p50_ms)}; ${figure(p99_ms)}`;
  return `## Latency of a single operation (Mediator, Table 1)

Median and 99th percentile in ms, of 16 clients in a closed loop on one shard, alpha 1; alone, or beside 64 clients on another connection
with interactive transactions of up to 4 or 20 operations, half of them reads.

${markdownTable(
  ['sent as', 'beside', 'read: p50; p99', 'write: p50; p99'],
  latencies.map((one) => [
    one.sent === 'native' ? 'a native' : 'a transaction',
    one.beside === null ? 'nothing' : `transactions of 1 to ${one.beside}`,
    at(one.read),
    at(one.write),
  ]),
)}`;
}
