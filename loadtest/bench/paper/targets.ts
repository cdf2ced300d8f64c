// Targets: what Claret is meant to reach, each held against what was measured. Ratios are within one run, each condition at
// its best number of clients unless said. A target without its measurement is neither met nor missed.

import type { Place, Results } from './results.ts';

/** Claret with all it has. */
export const FULL = 'abstract+combining+phasing';
const RIVAL = 'rw+phasing';
const CROWD = 256;

export interface Verdict {
  /** what was asked for */
  target: string;
  place: Place;
  wanted: number;
  /** the most that is allowed, instead of the least */
  atMost: boolean;
  /** null: not measured */
  measured: number | null;
  unit: '' | ' µs' | ' ms';
}

/** Null: not measured. */
export const isMet = ({ measured, wanted, atMost }: Verdict): boolean | null =>
  measured === null ? null : atMost ? measured <= wanted : measured >= wanted;

type Rule = (place: Place, results: Results, shards: number) => Verdict[];

const atLeast = (target: string, place: Place, wanted: number, measured: number | null): Verdict => ({
  target,
  place,
  wanted,
  atMost: false,
  measured,
  unit: '',
});
const atMost = (target: string, place: Place, wanted: number, measured: number | null, unit: ' µs' | ' ms'): Verdict => ({
  target,
  place,
  wanted,
  atMost: true,
  measured,
  unit,
});

const alphaOf = (point: string) => Number(/^alpha=([\d.]+)/.exec(point)?.[1]);
const isEvenMix = (point: string) => point.endsWith(' update=0.5');

function shareOfNone(place: Place, results: Results, shards: number): Verdict[] {
  const { workload, point, sending } = place;
  const share = results.ratio(place, FULL, 'none');
  if (sending === 'one-shot') {
    if (workload !== 'rawmix') return [];
    return [atLeast(`share of none, one-shot, ${shards === 1 ? 'one shard' : 'across shards'}`, place, shards === 1 ? 0.95 : 0.85, share)];
  }
  const wanted = (least: number) => [atLeast('share of none, interactive', place, least, share)];
  if (workload !== 'rawmix') return wanted(0.8);
  if (alphaOf(point) <= 0.6) return wanted(0.85);
  if (alphaOf(point) !== 1) return [];
  return [...wanted(0.55), atLeast('share of none, interactive, at 16 clients', place, 0.75, results.ratio(place, FULL, 'none', 16))];
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

function overRival(place: Place, results: Results): Verdict[] {
  const { workload, point, sending } = place;
  const measured = results.ratio(place, FULL, RIVAL);
  const wanted =
    workload !== 'rawmix' ? OVER_RIVAL.get(`${workload} ${point}`) : isEvenMix(point) ? OVER_RIVAL_BY_ALPHA.get(alphaOf(point)) : undefined;
  if (sending === 'interactive' && wanted !== undefined) return [atLeast(`over ${RIVAL}`, place, wanted, measured)];
  return [atLeast(`over ${RIVAL}: never slower`, place, 1, measured)];
}

const COMBINING_BY_ALPHA = new Map([
  [1, 1.3],
  [1.4, 1.9],
]);

function combining(place: Place, results: Results): Verdict[] {
  const wanted = COMBINING_BY_ALPHA.get(alphaOf(place.point));
  if (wanted === undefined || place.sending !== 'interactive') return [];
  return [atLeast('combining: over abstract+phasing', place, wanted, results.ratio(place, FULL, 'abstract+phasing'))];
}

/** What a fair queue would give everybody is the mean latency; the slowest of a hundred may wait ten times as long. */
const TAIL_TIMES = 10;

function noCollapse(place: Place, results: Results): Verdict[] {
  const crowd = results.at(place, FULL, CROWD);
  const fair_ms = crowd === null || crowd.txn_per_s === 0 ? Number.NaN : (1000 * CROWD) / crowd.txn_per_s;
  return [
    atLeast(`no collapse: ${CROWD} clients, to the peak`, place, 0.8, results.kept(place, FULL, CROWD)),
    ...(crowd === null
      ? []
      : [
          atMost(`p99 at ${CROWD} clients, to ${TAIL_TIMES} times ${CROWD} / throughput`, place, TAIL_TIMES * fair_ms, crowd.p99_ms, ' ms'),
        ]),
  ];
}

function cpu(place: Place, results: Results): Verdict[] {
  const crowd = results.at(place, FULL, CROWD);
  const client = place.sending === 'interactive' ? 1 : 0.5;
  return [
    atMost(`client's CPU for each operation, ${place.sending}, at ${CROWD} clients`, place, client, crowd?.client_us_per_op ?? null, ' µs'),
    atMost(`core's time for each operation, at ${CROWD} clients`, place, 0.4, crowd?.core_us_per_op ?? null, ' µs'),
  ];
}

const RULES: readonly Rule[] = [shareOfNone, overRival, combining, noCollapse, cpu];

/** For every place that was measured; by target, in the order above. */
export function verdicts(results: Results, shards: number): Verdict[] {
  return RULES.flatMap((rule) => results.places().flatMap((place) => rule(place, results, shards)));
}
