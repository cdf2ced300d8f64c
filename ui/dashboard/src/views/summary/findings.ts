// The present situation in as few facts as make a sentence: the throughput, the pair of transactions with the most conflicts and
// its record, the conditions, and the effect of the last switch. By fixed rules, from telemetry alone.
import type { Conditions } from '@claret/client/telemetry';
import { newestSwitch } from '../../laboratory/measured.ts';
import { retriesPerCommit } from '../../components/retriesPerCommit.ts';
import type { ConflictRow, Span, TelemetryStore } from '../../store/telemetryStore.ts';
import { watched_ms } from '../../store/watched.ts';
import { recordsOfPair, underOneRule } from '../conflicts/conflictsShown.ts';
import { epochShare, warrantedShare } from '../header/figuresShown.ts';

/** While the axis follows, a sentence covers this time: with a shorter one it would change before it can be read. */
export const WINDOW_MS = 5_000;
/** Below this rate the cluster counts as idle: a page that looks, or a check. */
const IDLE_PER_S = 10;
/** With fewer than one conflict in this many commits, conflicts are not mentioned. */
const COMMITS_PER_CONFLICT = 50;
/** With a smaller share of operations that needed no message, they are not mentioned. */
const WARRANTED_MIN = 0.05;
/** With a smaller share of operations in epochs, they are not mentioned. */
const EPOCHS_MIN = 0.05;
/** With fewer retries per commit, retries are not mentioned. */
const RETRIES_MIN = 0.5;

export interface Findings {
  committed_per_s: number;
  /** null: too few to mention */
  natives_per_s: number | null;
  /** operations that needed no message, of all, 0..1; null: too few to mention */
  warranted_share: number | null;
  /** operations that ran in epochs, of all, 0..1; null: too few to mention */
  epoch_share: number | null;
  /** null: too few to mention */
  retries_per_commit: number | null;
  /** the two labels with the most conflicts between them; null: hardly any conflicts */
  pair: { labels: readonly [string, string]; share: number; key: string | null } | null;
  conditions: Conditions | null;
  /** compared with the time before the last switch, under the same load; null: not comparable */
  change: { factor: number; before: Conditions } | null;
}

export type Situation = { is: 'unknown' } | { is: 'idle' } | ({ is: 'busy' } & Findings);

/** `shown`: the span on the axis. */
export function situationOf(store: TelemetryStore, shown: Span, isFollowing: boolean): Situation {
  const span = isFollowing ? { from_ms: Math.max(shown.from_ms, shown.to_ms - WINDOW_MS), to_ms: shown.to_ms } : shown;
  const counted = underOneRule(store, span).span;
  const committed_per_s = store.totals.perSecond(counted, 'committed') ?? store.totals.perSecond(span, 'committed');
  if (committed_per_s === null) return { is: 'unknown' };
  const pair = pairOf(store, counted, committed_per_s);
  const natives_per_s = store.totals.perSecond(counted, 'natives') ?? 0;
  if (committed_per_s < IDLE_PER_S && natives_per_s < IDLE_PER_S && pair === null) return { is: 'idle' };
  const retries = retriesPerCommit(store, counted);
  const warranted = warrantedShare(store, counted);
  const inEpochs = epochShare(store, counted);
  return {
    is: 'busy',
    committed_per_s,
    natives_per_s: natives_per_s >= IDLE_PER_S ? natives_per_s : null,
    warranted_share: warranted !== null && warranted >= WARRANTED_MIN ? warranted : null,
    epoch_share: inEpochs !== null && inEpochs >= EPOCHS_MIN ? inEpochs : null,
    retries_per_commit: retries !== null && retries >= RETRIES_MIN ? retries : null,
    pair,
    conditions: conditionsAt(store, counted.to_ms),
    change: changeOf(store, counted),
  };
}

function pairOf(store: TelemetryStore, span: Span, committed_per_s: number): Findings['pair'] {
  const seconds = watched_ms(store.totals, span) / 1_000;
  // Nobody waits for a member that is executed again.
  const rows = store.conflicts.rows(span).filter(({ outcome }) => outcome !== 'again');
  const all = rows.reduce((sum, { count }) => sum + count, store.conflicts.leftOut(span));
  if (seconds <= 0 || all / seconds < Math.max(1, committed_per_s / COMMITS_PER_CONFLICT)) return null;
  const top = pairsOf(rows)[0];
  if (top === undefined) return null;
  const [one, other] = top.labels;
  const places = [one, other];
  // The record is known only from samples and from the longest waits; both directions count.
  const seen = [{ holder: one, comer: other }, ...(one === other ? [] : [{ holder: other, comer: one }])]
    .flatMap((pair) => recordsOfPair(store, span, pair, places))
    .sort((a, b) => b.sightings - a.sightings)[0];
  const key = seen?.key ?? store.records.lanes(span, 'conflicts', 1)[0]?.key ?? null;
  return { labels: top.labels, share: top.count / all, key };
}

export interface LabelPair {
  /** the label that holds more often first */
  labels: readonly [string, string];
  count: number;
}

/** Conflicts by two labels, in either direction; most first. */
export function pairsOf(rows: readonly ConflictRow[]): LabelPair[] {
  const pairs = new Map<string, { one: string; other: string; oneHeld: number; otherHeld: number }>();
  for (const { holderLabel, comerLabel, count } of rows) {
    const [one, other] = holderLabel <= comerLabel ? [holderLabel, comerLabel] : [comerLabel, holderLabel];
    const id = JSON.stringify([one, other]);
    const pair = pairs.get(id) ?? { one, other, oneHeld: 0, otherHeld: 0 };
    if (holderLabel === one) pair.oneHeld += count;
    else pair.otherHeld += count;
    pairs.set(id, pair);
  }
  return [...pairs.values()]
    .map(({ one, other, oneHeld, otherHeld }) => ({
      labels: oneHeld >= otherHeld ? ([one, other] as const) : ([other, one] as const),
      count: oneHeld + otherHeld,
    }))
    .sort((a, b) => b.count - a.count || (a.labels.join() < b.labels.join() ? -1 : 1));
}

function conditionsAt(store: TelemetryStore, at_ms: number): Conditions | null {
  const last = store.marks.findLast((mark) => mark.at_ms < at_ms && 'conditions' in mark.what)?.what;
  return last !== undefined && 'conditions' in last ? last.conditions : store.firstConditions;
}

/** Only if the load was the same on both sides, and the covered time lies after the switch, under that load. */
function changeOf(store: TelemetryStore, { from_ms, to_ms }: Span): Findings['change'] {
  const switched = newestSwitch(store);
  if (switched === null || from_ms < switched.at_ms) return null;
  const { before, after } = switched;
  const end_ms = after.stretch.span.to_ms;
  if (to_ms > end_ms && end_ms < store.newest_ms!) return null;
  if (before === null || before.measured === null || after.measured === null || before.measured.committed_per_s <= 0) return null;
  if (before.stretch.conditions === null || after.stretch.spike === null || before.stretch.spike !== after.stretch.spike) return null;
  return { factor: after.measured.committed_per_s / before.measured.committed_per_s, before: before.stretch.conditions };
}
