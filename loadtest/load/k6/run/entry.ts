// Entry: the results of one storm, as in the JSON list.

import type { Cores } from './cores.ts';
import { STAGES, type JoinFigures } from './join-figures.ts';
import type { K6Summary } from './k6-process.ts';
import { backToNormal } from './recovery.ts';
import type { Second, Totals } from './tally.ts';

export interface Entry {
  /** as given on the command line */
  condition: string;
  scenario: string;
  /** arrivals per second at the peak */
  peak_per_s: number;
  duration_s: number;
  seed: number;
  /** of the scenario's work, over the whole storm */
  accepted: number;
  accepted_per_s: number;
  /** in the best second */
  accepted_per_s_max: number;
  /** latencies of accepted work, from sending to response; null: nothing was accepted */
  p50_ms: number | null;
  p99_ms: number | null;
  /** responses "too busy": 503 and similar */
  shed: number;
  /** arrivals that k6 did not send, because no virtual user was free */
  dropped: number;
  /** the response was lost */
  unknown: number;
  /** responses that no site may give */
  failed: number;
  /** visits ended by an exception of the script, and the first exception; absent: there was none */
  thrown?: { count: number; first: string | null };
  /** refusals by a rule of the site, by code */
  refused: Record<string, number>;
  /** "hold", or the violations, or why they are unknown */
  invariants: string;
  /** the script's thresholds that were crossed; null: k6 did not end properly */
  thresholds: string[] | null;
  /**
   * time from the end of the peak until p99 and the number of shed or lost requests are back to normal; null: not within the storm;
   * absent: there was no peak
   */
  back_to_normal_s?: number | null;
  /** with --join-shard: what the visitors met; text: why the shard did not get its slots */
  join?: JoinFigures | string;
  /** over the busiest seconds, by process, if known */
  cores: Record<string, number>;
  machine_cores: number | null;
  bottleneck: string;
}

export const HOLD = 'hold';
const NOT_CHECKED = 'not checked: ';
export const isUnchecked = ({ invariants }: Pick<Entry, 'invariants'>): boolean => invariants.startsWith(NOT_CHECKED);
const SHOWN_MAX = 8;

export interface Measured {
  totals: Totals;
  seconds: readonly Second[];
  cores: Cores | null;
  k6: K6Summary;
  /** undefined: no shard was to join; an error: why it did not get its slots */
  join?: JoinFigures | Error | undefined;
  /** the check's findings; empty: invariants hold; an error: why the check failed */
  broken: readonly string[] | Error;
}

export type Heading = Pick<Entry, 'condition' | 'scenario' | 'peak_per_s' | 'duration_s' | 'seed'>;

export function entryOf(heading: Heading, { totals, seconds, cores, k6, join, broken }: Measured): Entry {
  const back_to_normal_s = backToNormal(seconds);
  return {
    ...heading,
    accepted: totals.accepted,
    accepted_per_s: tenths(totals.accepted / heading.duration_s),
    accepted_per_s_max: Math.max(0, ...seconds.map(({ accepted }) => accepted)),
    p50_ms: totals.p50_ms === null ? null : tenths(totals.p50_ms),
    p99_ms: totals.p99_ms === null ? null : tenths(totals.p99_ms),
    shed: totals.shed,
    dropped: k6.dropped,
    unknown: totals.unknown,
    failed: totals.failed,
    ...(k6.thrown.count === 0 ? {} : { thrown: k6.thrown }),
    refused: totals.refused,
    invariants: broken instanceof Error ? `${NOT_CHECKED}${broken.message}` : inWords(broken),
    thresholds: k6.thresholds,
    ...(back_to_normal_s === undefined ? {} : { back_to_normal_s }),
    ...(join === undefined ? {} : { join: join instanceof Error ? join.message : join }),
    cores: cores?.by_process ?? {},
    machine_cores: cores?.machine ?? null,
    bottleneck: cores?.bottleneck ?? "unknown: its processes are not this machine's",
  };
}

/** The entry of a storm that was not completed and checked. */
export function entryOfFailure(heading: Heading, why: string): Entry {
  return {
    ...heading,
    accepted: 0,
    accepted_per_s: 0,
    accepted_per_s_max: 0,
    p50_ms: null,
    p99_ms: null,
    shed: 0,
    dropped: 0,
    unknown: 0,
    failed: 0,
    refused: {},
    invariants: `${NOT_CHECKED}${why}`,
    thresholds: null,
    cores: {},
    machine_cores: null,
    bottleneck: 'unknown',
  };
}

function inWords(broken: readonly string[]): string {
  if (broken.length === 0) return HOLD;
  const more = broken.length - SHOWN_MAX;
  return [...broken.slice(0, SHOWN_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const tenths = (value: number) => Math.round(value * 10) / 10;

/** Why this storm fails the load test; empty: it does not. */
export function faultsOf(entry: Entry): string[] {
  const faults: string[] = [];
  const whyUnchecked = isUnchecked(entry) ? entry.invariants.slice(NOT_CHECKED.length) : null;
  if (entry.thresholds === null) return [`the storm has no result: ${whyUnchecked ?? entry.invariants}`];
  if (whyUnchecked !== null) faults.push(`invariants not checked: ${whyUnchecked}`);
  else if (entry.invariants !== HOLD) faults.push(`invariants broken: ${entry.invariants}`);
  if (entry.failed > 0) faults.push(`${entry.failed} ${entry.failed === 1 ? 'request' : 'requests'} failed`);
  if (entry.thrown !== undefined)
    faults.push(`${entry.thrown.count} visits ended in an exception of the script, the first: ${entry.thrown.first}`);
  if (entry.accepted === 0) faults.push('nothing was accepted');
  faults.push(...joinFaults(entry));
  if (entry.thresholds.length > 0) faults.push(`thresholds crossed: ${entry.thresholds.join('; ')}`);
  return faults;
}

function joinFaults({ join }: Entry): string[] {
  if (join === undefined) return [];
  if (typeof join === 'string') return [`the shard that joined did not get its slots: ${join}`];
  const faults: string[] = [];
  const stages = STAGES.filter((stage) => stage !== 'before').map((stage) => join.stages[stage]);
  const sum = (of: 'shed' | 'unknown') => stages.reduce((all, stage) => all + stage[of], 0);
  if (sum('shed') + sum('unknown') > 0)
    faults.push(`since the shard joined, ${sum('shed')} requests were shed and ${sum('unknown')} had no answer`);
  if (join.left_s < 0) faults.push(`slots moved until ${-join.left_s} s after the storm: it was too short`);
  return faults;
}
