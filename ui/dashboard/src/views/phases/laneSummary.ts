// A lane over a span in numbers: for the table, and beside the lane.

import type { RecordLane } from '../../store/telemetryStore.ts';
import type { Span } from '../../time/timeAxis.ts';

export interface ModeSummary {
  mode: number;
  phases: number;
  /** the share of the span in which the mode had the record, 0..1 */
  share: number;
  mean_ms: number;
  longest_ms: number;
  /** operations */
  letIn: number;
  capped: number;
  /** the most claims that waited for the mode at once */
  deepest: number;
}

/** Modes with a phase or a waiter in the span; the modes that had the record longest first. */
export function laneSummary(lane: RecordLane, span: Span): ModeSummary[] {
  const modes = new Map<number, ModeSummary>();
  const of = (mode: number): ModeSummary => {
    let summary = modes.get(mode);
    if (summary === undefined) {
      modes.set(mode, (summary = { mode, phases: 0, share: 0, mean_ms: 0, longest_ms: 0, letIn: 0, capped: 0, deepest: 0 }));
    }
    return summary;
  };
  lane.phases(span, (mode, began_ms, ended_ms, letIn, capped) => {
    const summary = of(mode);
    summary.phases += 1;
    summary.share += Math.max(0, Math.min(span.to_ms, ended_ms) - Math.max(span.from_ms, began_ms)) / (span.to_ms - span.from_ms);
    summary.mean_ms += (ended_ms - began_ms - summary.mean_ms) / summary.phases;
    summary.longest_ms = Math.max(summary.longest_ms, ended_ms - began_ms);
    summary.letIn += letIn;
    summary.capped += capped ? 1 : 0;
  });
  lane.queues(span, (_at_ms, mode, _holders, waiting) => {
    if (waiting > 0) of(mode).deepest = Math.max(of(mode).deepest, waiting);
  });
  return [...modes.values()].sort((one, other) => other.share - one.share || one.mode - other.mode);
}
