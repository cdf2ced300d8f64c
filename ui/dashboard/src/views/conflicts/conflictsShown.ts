// The conflicts of a span in the form in which they are shown, frozen and compared. Conflicts under one set of conditions say
// nothing about another set: if the conditions were switched within the span, only the time since the switch, after it has settled,
// counts.
import type { Conditions, Waiter } from '@claret/client/telemetry';
import { conditionWords, shortConditionWords } from '../../laboratory/conditions.ts';
import { SETTLING_MS } from '../../laboratory/stretches.ts';
import type { Span, TelemetryStore } from '../../store/telemetryStore.ts';
import { inPair, isNative, type Pair } from './conflictMatrix.ts';
import { seenRecords, type SeenRecord } from './seenRecords.ts';
import { watched_ms } from '../../store/watched.ts';
import type { ConflictSnapshot } from './snapshot.ts';

/** In a long span, waits are read from this many frames, evenly spread. */
const FRAMES_SEARCHED = 100;

/** `span`: under one set of conditions. */
export function conflictsOf(store: TelemetryStore, span: Span): ConflictSnapshot {
  return {
    at_ms: Math.min(span.to_ms, store.newest_ms ?? span.to_ms),
    seconds: watched_ms(store.totals, span) / 1_000,
    conditions: conditionsAtEnd(store, span),
    rows: store.conflicts.rows(span),
    leftOut: store.conflicts.leftOut(span),
  };
}

interface Switch {
  at_ms: number;
  conditions: Conditions;
}

function switches({ marks }: Pick<TelemetryStore, 'marks'>): Switch[] {
  return marks.flatMap(({ at_ms, what }) => ('conditions' in what ? [{ at_ms, conditions: what.conditions }] : []));
}

export interface UnderOneRule {
  span: Span;
  /** the switch at which it begins; null: it begins with the whole span */
  since_ms: number | null;
  /** the end of the load at which it ends; null: it ends with the whole span */
  until_ms: number | null;
}

/**
 * The end of a span that is under one set of conditions. Once a load is over, that is the end of the load: the quiet after it is none of it, and
 * would thin out its rates for as long as one looks.
 */
export function underOneRule(store: Pick<TelemetryStore, 'marks'>, span: Span): UnderOneRule {
  const until_ms = endOfLoad(store, span);
  const to_ms = until_ms ?? span.to_ms;
  const last = switches(store).findLast(({ at_ms }) => at_ms < to_ms);
  if (last === undefined || last.at_ms + SETTLING_MS <= span.from_ms) return { span: { ...span, to_ms }, since_ms: null, until_ms };
  return { span: { from_ms: Math.min(last.at_ms + SETTLING_MS, to_ms), to_ms }, since_ms: last.at_ms, until_ms };
}

/** Null: a load runs at the end of the span, or none has ended within it. */
function endOfLoad({ marks }: Pick<TelemetryStore, 'marks'>, span: Span): number | null {
  const last = marks.findLast(({ at_ms, what }) => at_ms < span.to_ms && 'spike' in what);
  return last !== undefined && 'spike' in last.what && last.what.spike === 'ended' && last.at_ms > span.from_ms ? last.at_ms : null;
}

/** The conditions at the end of a span; null if unknown. */
function conditionsAtEnd(store: TelemetryStore, { to_ms }: Span): Conditions | null {
  return switches(store).findLast(({ at_ms }) => at_ms < to_ms)?.conditions ?? store.firstConditions;
}

export interface PairRecord extends SeenRecord {
  type: string;
  shard: number | null;
  /** conflicts at this record in the span, all pairs together, while it was among the hottest; null: it never was */
  conflicts: number | null;
}

/** At most this many hot records are listed because natives broke or waited there. */
const NATIVE_RECORDS = 20;

/**
 * Records at which sampled transactions of the pair, or its longest waits, were seen. Natives are not sampled: for them also the hot
 * records at which natives broke a holder or waited, whatever its label.
 */
export function recordsOfPair(store: TelemetryStore, span: Span, pair: Pair, shown: readonly string[]): PairRecord[] {
  const { totals, waiters, samples, records } = store;
  const first = totals.first(span);
  const end = totals.end(span);
  const step = Math.max(1, Math.ceil((end - first) / FRAMES_SEARCHED));
  const waits: Waiter[] = [];
  for (let tick = first; tick < end; tick += step) {
    for (const waiter of waiters.at(totals.at(tick))?.waiters ?? []) waits.push(waiter);
  }
  const seenByKey = new Map(
    seenRecords(samples.list(span), waits, (holder, comer) => inPair(pair, shown, holder, comer)).map((seen) => [seen.key, seen]),
  );
  if (isNative(pair.comer)) {
    for (const name of ['nativeBreaks', 'nativeWaits'] as const) {
      for (const { key } of records.lanes(span, name, NATIVE_RECORDS)) {
        if (!seenByKey.has(key)) seenByKey.set(key, { key, sightings: 0, operations: [] });
      }
    }
  }
  return [...seenByKey.values()].map((seen) => {
    const lane = records.lane(seen.key);
    return { ...seen, type: lane?.type ?? '', shard: lane?.shard ?? null, conflicts: lane?.counts(span).conflicts ?? null };
  });
}

/** For the title of a matrix. */
export function conditionsTitle(conditions: Conditions | null): string {
  return conditions === null ? 'conditions unknown' : shortConditionWords(conditions);
}

/** For a sentence: `under …`. */
export function conditionsInWords(conditions: Conditions | null): string {
  return conditions === null ? 'unknown conditions' : conditionWords(conditions);
}
