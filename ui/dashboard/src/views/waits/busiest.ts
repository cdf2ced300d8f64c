// The time at which most transactions waited: a suggestion where to look when there are no waits now.
import type { Span, TelemetryStore } from '../../store/telemetryStore.ts';

export interface Busiest {
  at_ms: number;
  /** transactions at all shards */
  waiting: number;
}

/** Considers the times of reports; the latest of equal ones. Null: no transaction waited at any. */
export function busiestWait({ totals }: Pick<TelemetryStore, 'totals'>, span: Span): Busiest | null {
  let busiest: Busiest | null = null;
  for (let tick = totals.first(span); tick < totals.end(span); tick += 1) {
    const waiting = totals.value(tick, 'waiting');
    if (waiting > 0 && waiting >= (busiest?.waiting ?? 0)) busiest = { at_ms: totals.at(tick), waiting };
  }
  return busiest;
}

/** At that time, or at the last report before it. */
export function waitingAt({ totals }: Pick<TelemetryStore, 'totals'>, at_ms: number): number {
  const upTo = { from_ms: -Infinity, to_ms: at_ms + 1 };
  const tick = totals.end(upTo) - 1;
  return tick < totals.first(upTo) ? 0 : totals.value(tick, 'waiting');
}
