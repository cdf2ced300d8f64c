// Gaps in the telemetry: time that the page did not watch, or whose frames did not arrive, is neither calm nor busy, and counts for
// no rate.
import type { Span } from './span.ts';
import type { TotalsSeries } from './totalsSeries.ts';

type Totals = Pick<TotalsSeries, 'first' | 'end' | 'at' | 'elapsed'>;

/** Shorter intervals without a frame are no gaps, because frames arrive unevenly. */
const GAP_MS_MIN = 1_000;

/** How much of the span is covered by reports, ms. */
export function watched_ms(totals: Totals, span: Span): number {
  let told_ms = 0;
  for (let tick = totals.first(span), end = totals.end(span); tick < end; tick += 1) told_ms += totals.elapsed(tick);
  return told_ms;
}

/** The parts of the span without telemetry, in order; the future is not included. */
export function eachGap(totals: Totals, span: Span, visit: (from_ms: number, to_ms: number) => void): void {
  // The tick after the span covers its end.
  const [first, end] = [totals.first(span), totals.end({ from_ms: span.from_ms, to_ms: Infinity })];
  let known_ms = span.from_ms;
  for (let tick = first; tick < end && known_ms < span.to_ms; tick += 1) {
    const began_ms = Math.min(totals.at(tick) - totals.elapsed(tick), span.to_ms);
    if (began_ms - known_ms >= GAP_MS_MIN) visit(known_ms, began_ms);
    known_ms = Math.max(known_ms, totals.at(tick));
  }
}

/** Whether the whole span lies in a gap. */
export function isUnwatched(totals: Totals, span: Span): boolean {
  const known = { from_ms: -Infinity, to_ms: Infinity };
  const tick = totals.first(span);
  if (tick === totals.end(known)) return false;
  const began_ms = totals.at(tick) - totals.elapsed(tick);
  const before_ms = tick > totals.first(known) ? totals.at(tick - 1) : -Infinity;
  return began_ms >= span.to_ms && began_ms - before_ms >= GAP_MS_MIN;
}
