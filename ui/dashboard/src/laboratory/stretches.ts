// Stretches: the time that the store covers, cut at each intervention in the cluster. Within a stretch, conditions and load are
// constant, so that measurements of different stretches can be compared.
import type { Conditions } from '@claret/client/telemetry';
import type { Mark, TelemetryStore } from '../store/telemetryStore.ts';
import type { Span } from '../store/span.ts';

export interface Stretch {
  span: Span;
  /** null: unknown */
  conditions: Conditions | null;
  /** the running spike */
  spike: string | null;
  /** the mark at which it begins; null for the oldest stretch */
  mark: Mark | null;
}

/** The time that a change takes to settle: running transactions end, waiting ones are let in. */
export const SETTLING_MS = 1_000;

/** Those of all that the store covers. */
export function storeStretches(store: Pick<TelemetryStore, 'marks' | 'oldest_ms' | 'newest_ms' | 'firstConditions'>): Stretch[] {
  if (store.oldest_ms === null || store.newest_ms === null) return [];
  return stretchesOf(store.marks, { from_ms: store.oldest_ms, to_ms: store.newest_ms }, store.firstConditions);
}

const cuts = ({ what }: Mark): boolean => !('note' in what);

/** Oldest first. `conditions`: those at the beginning of the known time. */
export function stretchesOf(marks: readonly Mark[], known: Span, conditions: Conditions | null): Stretch[] {
  const cutting = marks.filter((mark) => cuts(mark) && mark.at_ms < known.to_ms);
  const firstSpike = cutting.find(({ what }) => 'spike' in what)?.what;
  let now: Stretch = {
    span: { from_ms: known.from_ms, to_ms: known.to_ms },
    conditions,
    spike: firstSpike && 'spike' in firstSpike && firstSpike.spike === 'ended' ? firstSpike.name : null,
    mark: null,
  };
  const stretches: Stretch[] = [];
  for (const mark of cutting) {
    stretches.push({ ...now, span: { from_ms: now.span.from_ms, to_ms: Math.max(now.span.from_ms, mark.at_ms) } });
    now = after(now, mark, known);
  }
  stretches.push(now);
  return stretches.filter(({ span }) => span.to_ms > span.from_ms);
}

function after(before: Stretch, mark: Mark, known: Span): Stretch {
  const { what } = mark;
  return {
    span: { from_ms: Math.max(mark.at_ms, known.from_ms), to_ms: known.to_ms },
    conditions: 'conditions' in what ? what.conditions : before.conditions,
    spike: 'spike' in what ? (what.spike === 'began' ? what.name : null) : before.spike,
    mark,
  };
}
