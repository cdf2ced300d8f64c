// Measurements of a stretch of time, and of the effect of a switch: the time before it and after it, each within one stretch, so
// that no other switch and no end of a spike is mixed in.
import type { Span } from '../store/span.ts';
import type { TelemetryStore } from '../store/telemetryStore.ts';
import { retriesPerCommit } from '../components/retriesPerCommit.ts';
import { stretchesOf, type Stretch } from './stretches.ts';

export interface Measured {
  span: Span;
  committed_per_s: number;
  natives_per_s: number;
  /** null without commits */
  retries_per_commit: number | null;
  p50_ms: number | null;
  p99_ms: number | null;
}

/** The longest time that is compared on each side of a switch. */
const WINDOW_MS = 10_000;
/** The shortest time that is compared; a shorter one is not significant. */
const WINDOW_MS_MIN = 1_000;
/** The time that a change takes to settle: running transactions end, waiting ones are let in. */
export const SETTLING_MS = 1_000;

type Told = Pick<TelemetryStore, 'marks' | 'totals' | 'oldest_ms' | 'newest_ms' | 'firstConditions'>;

/** Null if that time has no telemetry. */
export function measure({ totals }: Pick<TelemetryStore, 'totals'>, span: Span): Measured | null {
  const committed_per_s = totals.perSecond(span, 'committed');
  if (committed_per_s === null) return null;
  return {
    span,
    committed_per_s,
    natives_per_s: totals.perSecond(span, 'natives') ?? 0,
    retries_per_commit: retriesPerCommit({ totals }, span),
    p50_ms: totals.latency(span, 0.5),
    p99_ms: totals.latency(span, 0.99),
  };
}

export function storeStretches(store: Told): Stretch[] {
  if (store.oldest_ms === null || store.newest_ms === null) return [];
  return stretchesOf(store.marks, { from_ms: store.oldest_ms, to_ms: store.newest_ms }, store.firstConditions);
}

export interface Switched {
  at_ms: number;
  before: { stretch: Stretch; measured: Measured | null } | null;
  after: { stretch: Stretch; measured: Measured | null };
}

/** The newest change of conditions, with the last seconds before it and the first after it; null: none was seen. */
export function newestSwitch(store: Told): Switched | null {
  const stretches = storeStretches(store);
  const index = stretches.findLastIndex(({ mark }) => mark !== null && 'conditions' in mark.what);
  const after = stretches[index];
  if (!after) return null;
  const before = stretches[index - 1];
  return {
    at_ms: after.mark!.at_ms,
    before: before ? { stretch: before, measured: measureLast(store, before) } : null,
    after: { stretch: after, measured: measureFirst(store, after) },
  };
}

/** Measures the last seconds of a stretch. */
export function measureLast(store: Told, { span, mark }: Stretch): Measured | null {
  const settled_ms = mark === null ? span.from_ms : span.from_ms + SETTLING_MS;
  return measureWithin(store, Math.max(settled_ms, span.to_ms - WINDOW_MS), span.to_ms);
}

/** Measures the first seconds of a stretch after it has settled. */
export function measureFirst(store: Told, { span }: Stretch): Measured | null {
  const from_ms = span.from_ms + SETTLING_MS;
  return measureWithin(store, from_ms, Math.min(span.to_ms, from_ms + WINDOW_MS));
}

/** Measures a whole stretch after it has settled. */
export function measureStretch(store: Told, { span }: Stretch): Measured | null {
  return measureWithin(store, span.from_ms + SETTLING_MS, span.to_ms);
}

function measureWithin(store: Told, from_ms: number, to_ms: number): Measured | null {
  return to_ms - from_ms >= WINDOW_MS_MIN ? measure(store, { from_ms, to_ms }) : null;
}
