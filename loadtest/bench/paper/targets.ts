// Targets for Claret, each compared with its measurement. Ratios are within one run, each condition at its best number of clients
// unless stated. A target without a measurement is neither met nor missed.

import type { Experiment, Results } from './results.ts';

/** Claret with all its features. */
export const FULL = 'abstract+combining+phasing';
const RIVAL = 'rw+phasing';
const CROWD = 256;

export interface Verdict {
  /** description */
  target: string;
  experiment: Experiment;
  wanted: number;
  /** `wanted` is an upper bound, not a lower one */
  atMost: boolean;
  /** null: not measured */
  measured: number | null;
  unit: '' | ' µs' | ' ms';
}

/** Null: not measured. */
export const isMet = ({ measured, wanted, atMost }: Verdict): boolean | null =>
  measured === null ? null : atMost ? measured <= wanted : measured >= wanted;

type Rule = (experiment: Experiment, results: Results, shards: number) => Verdict[];

const atLeast = (target: string, experiment: Experiment, wanted: number, measured: number | null): Verdict => ({
  target,
  experiment,
  wanted,
  atMost: false,
  measured,
  unit: '',
});
const atMost = (target: string, experiment: Experiment, wanted: number, measured: number | null, unit: ' µs' | ' ms'): Verdict => ({
  target,
  experiment,
  wanted,
  atMost: true,
  measured,
  unit,
});

const alphaOf = (point: string) => Number(/^alpha=([\d.]+)/.exec(point)?.[1]);
const isEvenMix = (point: string) => point.endsWith(' update=0.5');

function shareOfNone(experiment: Experiment, results: Results, shards: number): Verdict[] {
  const { workload, point, sending } = experiment;
  const share = results.ratio(experiment, FULL, 'none');
  if (sending === 'one-shot') {
    if (workload !== 'rawmix') return [];
    return [
      atLeast(`share of none, one-shot, ${shards === 1 ? 'one shard' : 'across shards'}`, experiment, shards === 1 ? 0.95 : 0.85, share),
    ];
  }
  const wanted = (least: number) => [atLeast('share of none, interactive', experiment, least, share)];
  return wanted(workload === 'rawmix' && alphaOf(point) < 1 ? 0.85 : 0.8);
}

const OVER_RIVAL = new Map([
  ['rubis bid-heavy', 1.6],
  ['retwis post-heavy', 4.3],
]);
const OVER_RIVAL_BY_ALPHA = new Map([
  [0.6, 1.3],
  [1, 2.5],
  [1.4, 2],
]);

function overRival(experiment: Experiment, results: Results): Verdict[] {
  const { workload, point, sending } = experiment;
  const measured = results.ratio(experiment, FULL, RIVAL);
  const wanted =
    workload !== 'rawmix' ? OVER_RIVAL.get(`${workload} ${point}`) : isEvenMix(point) ? OVER_RIVAL_BY_ALPHA.get(alphaOf(point)) : undefined;
  if (sending === 'interactive' && wanted !== undefined) return [atLeast(`over ${RIVAL}`, experiment, wanted, measured)];
  return [atLeast(`over ${RIVAL}: never slower`, experiment, 1, measured)];
}

const COMBINING_BY_ALPHA = new Map([
  [1, 2.5],
  [1.4, 5],
]);

function combining(experiment: Experiment, results: Results): Verdict[] {
  const wanted = COMBINING_BY_ALPHA.get(alphaOf(experiment.point));
  if (wanted === undefined || experiment.sending !== 'interactive') return [];
  return [atLeast('combining: over abstract+phasing', experiment, wanted, results.ratio(experiment, FULL, 'abstract+phasing'))];
}

/** The tail of transactions may be this many times as long as that of operations without any. */
const TAIL_TIMES = 1.5;

function noCollapse(experiment: Experiment, results: Results): Verdict[] {
  const crowd = results.at(experiment, FULL, CROWD);
  const bound = results.at(experiment, 'none', CROWD);
  return [
    atLeast(`no collapse: ${CROWD} clients, to the peak`, experiment, 0.8, results.kept(experiment, FULL, CROWD)),
    ...(crowd === null || bound === null
      ? []
      : [
          atMost(
            `p99 at ${CROWD} clients, to ${TAIL_TIMES} times that of none`,
            experiment,
            TAIL_TIMES * bound.p99_ms,
            crowd.p99_ms,
            ' ms',
          ),
        ]),
  ];
}

function cpu(experiment: Experiment, results: Results): Verdict[] {
  const crowd = results.at(experiment, FULL, CROWD);
  const client = experiment.sending === 'interactive' ? 1 : 0.5;
  return [
    atMost(
      `client's CPU for each operation, ${experiment.sending}, at ${CROWD} clients`,
      experiment,
      client,
      crowd?.client_us_per_op ?? null,
      ' µs',
    ),
    atMost(`core's time for each operation, at ${CROWD} clients`, experiment, 0.4, crowd?.core_us_per_op ?? null, ' µs'),
  ];
}

const RULES: readonly Rule[] = [shareOfNone, overRival, combining, noCollapse, cpu];

/** For every measured experiment; by target, in the order above. */
export function verdicts(results: Results, shards: number): Verdict[] {
  return RULES.flatMap((rule) => results.experiments().flatMap((experiment) => rule(experiment, results, shards)));
}
