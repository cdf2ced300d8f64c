// What the header's numbers are of: the newest two seconds while the axis follows, all that is shown while it stands, the
// second around the instant that somebody points at.
import { retriesPerCommit } from '../../parts/retriesPerCommit.ts';
import type { Span } from '../../store/span.ts';
import type { TelemetryStore } from '../../store/telemetryStore.ts';
import { clockTime, durationWords } from '../../time/ticks.ts';
import type { TimeAxis } from '../../time/timeAxis.ts';

const NOW_MS = 2_000;
const POINTED_MS = 1_000;

export interface Shown {
  span: Span;
  words: string;
}

export function shownOf({ hover_ms, following, span }: Pick<TimeAxis, 'hover_ms' | 'following' | 'span'>): Shown {
  if (hover_ms !== null) {
    return { span: { from_ms: hover_ms - POINTED_MS / 2, to_ms: hover_ms + POINTED_MS / 2 }, words: `at ${clockTime(hover_ms)}` };
  }
  if (following) return { span: { from_ms: span.to_ms - NOW_MS, to_ms: span.to_ms }, words: 'last 2 s' };
  return { span, words: `all ${durationWords(span.to_ms - span.from_ms)} shown` };
}

export interface Figures {
  committed_per_s: number | null;
  retries_per_commit: number | null;
  p50_ms: number | null;
  p99_ms: number | null;
  in_flight: number | null;
}

export function figuresOf(store: TelemetryStore, span: Span): Figures {
  const { totals } = store;
  return {
    committed_per_s: totals.perSecond(span, 'committed'),
    retries_per_commit: retriesPerCommit(store, span),
    p50_ms: totals.latency(span, 0.5),
    p99_ms: totals.latency(span, 0.99),
    in_flight: inFlight(store, span),
  };
}

/** The mean; null where nothing was told. */
export function inFlight({ totals }: TelemetryStore, span: Span): number | null {
  return totals.end(span) > totals.first(span) ? totals.sum(span, 'inFlight') : null;
}

/** Time that transactions spent, in seconds per second: so many were at it at once. */
export interface Spending {
  name: string;
  /** null where nothing was told */
  per_s: number | null;
}

export const RUNNING = 'running';

/** Running first, then each cause of waits. */
export function spendingOf({ totals }: TelemetryStore, span: Span): Spending[] {
  const [first, end] = [totals.first(span), totals.end(span)];
  let elapsed_ms = 0;
  let running_ms = 0;
  const causes = totals.causes();
  const waited_ms = causes.map(() => 0);
  for (let tick = first; tick < end; tick++) {
    elapsed_ms += totals.elapsed(tick);
    running_ms += totals.running(tick);
    for (let cause = 0; cause < causes.length; cause++) waited_ms[cause]! += totals.waited(tick, causes[cause]!);
  }
  const per = (ms: number) => (elapsed_ms > 0 ? ms / elapsed_ms : null);
  return [{ name: RUNNING, per_s: per(running_ms) }, ...causes.map((name, cause) => ({ name, per_s: per(waited_ms[cause]!) }))];
}
