// What the store knows of a span's conflicts, in the form in which it is shown, frozen and compared.
import type { Conditions } from '../../../../telemetry/frame.ts';
import type { Span, TelemetryStore } from '../../store/telemetryStore.ts';
import { inPair, type Pair } from './conflictMatrix.ts';
import { seenRecords, type SeenRecord } from './seenRecords.ts';
import type { ConflictSnapshot } from './snapshot.ts';

/** Of a long span, waits are looked at in so many frames, evenly spread. */
const FRAMES_SEARCHED = 300;

export function conflictsOf(store: TelemetryStore, span: Span): ConflictSnapshot {
  return {
    at_ms: Math.min(span.to_ms, store.newest_ms ?? span.to_ms),
    seconds: observedSeconds(store, span),
    conditions: conditionsWithin(store, span),
    rows: store.conflicts.rows(span),
    leftOut: store.conflicts.leftOut(span),
  };
}

function observedSeconds({ totals }: TelemetryStore, span: Span): number {
  let observed_ms = 0;
  for (let tick = totals.first(span); tick < totals.end(span); tick += 1) observed_ms += totals.elapsed(tick);
  return observed_ms / 1000;
}

/** The conditions of the whole span; null where they were changed within it, or are not known. */
function conditionsWithin({ marks, conditions }: TelemetryStore, { from_ms, to_ms }: Span): Conditions | null {
  const changes = marks.flatMap(({ at_ms, what }) => ('conditions' in what ? [{ at_ms, conditions: what.conditions }] : []));
  if (changes.length === 0) return conditions;
  if (changes.some(({ at_ms }) => at_ms > from_ms && at_ms < to_ms)) return null;
  return changes.findLast(({ at_ms }) => at_ms <= from_ms)?.conditions ?? null;
}

export interface PairRecord extends SeenRecord {
  type: string;
  shard: number | null;
  /** of this record in the span, all pairs together, as far as it was among the hottest; null: it was not */
  conflicts: number | null;
}

/** Records at which sampled transactions of the pair, or its longest waits, were seen. */
export function recordsOfPair(store: TelemetryStore, span: Span, pair: Pair, shown: readonly string[]): PairRecord[] {
  const { totals, waiters, samples, records } = store;
  const first = totals.first(span);
  const end = totals.end(span);
  const step = Math.max(1, Math.ceil((end - first) / FRAMES_SEARCHED));
  const waits = [];
  for (let tick = first; tick < end; tick += step) waits.push(...(waiters.at(totals.at(tick))?.waiters ?? []));
  return seenRecords(samples.list(span), waits, (holder, comer) => inPair(pair, shown, holder, comer)).map((seen) => {
    const lane = records.lane(seen.key);
    return { ...seen, type: lane?.type ?? '', shard: lane?.shard ?? null, conflicts: lane?.counts(span).conflicts ?? null };
  });
}

/** `rw locks, no phasing`: what a matrix depends on. */
export function conditionsWords(conditions: Conditions | null): string {
  if (conditions === null) return 'changing conditions';
  const { locks, phasing } = conditions;
  if (locks === 'none') return 'no locks';
  return `${locks} locks, ${phasing ? 'phasing' : 'no phasing'}`;
}
