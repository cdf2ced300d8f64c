// Stretches: the time that the store knows of, cut wherever something was done to the cluster. Within one, conditions and
// load stay as they are, so that what is measured in it can be held against another.
import type { Conditions } from '../../../telemetry/frame.ts';
import type { Mark } from '../store/telemetryStore.ts';
import type { Span } from '../store/span.ts';

export interface Stretch {
  span: Span;
  /** null: not known */
  conditions: Conditions | null;
  /** the spike that runs */
  spike: string | null;
  /** what it began with; null for the oldest */
  mark: Mark | null;
}

const cuts = ({ what }: Mark): boolean => !('note' in what);

/** Oldest first. `conditions`: those at the beginning of what is known. */
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
