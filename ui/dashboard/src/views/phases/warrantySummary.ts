// The warranties of a lane over a span in numbers.
import type { RecordLane } from '../../store/telemetryStore.ts';
import type { Span } from '../../time/timeAxis.ts';

export interface WarrantySummary {
  /** promised results that touch the span */
  count: number;
  /** of these, those for whose end a change waited */
  recalled: number;
  /** the longest of these waits, ms */
  longest_ms: number;
}

export function warrantySummary(lane: Pick<RecordLane, 'warranties'>, span: Span): WarrantySummary {
  const summary: WarrantySummary = { count: 0, recalled: 0, longest_ms: 0 };
  lane.warranties(span, ({ ended_ms, recalled_ms }) => {
    summary.count += 1;
    if (recalled_ms >= ended_ms) return;
    summary.recalled += 1;
    summary.longest_ms = Math.max(summary.longest_ms, ended_ms - recalled_ms);
  });
  return summary;
}
