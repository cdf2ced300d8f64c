// Which time is known of: what nobody watched, or did not reach the page, is neither calm nor busy, and counts for no rate.
import type { Span } from './span.ts';
import type { TotalsSeries } from './totalsSeries.ts';

type Totals = Pick<TotalsSeries, 'first' | 'end' | 'at' | 'elapsed'>;

/** What is shorter is no gap: frames do not come in step. */
const GAP_MS_MIN = 1_000;

/** How much of the span was told of, ms. */
export function watched_ms(totals: Totals, span: Span): number {
  let told_ms = 0;
  for (let tick = totals.first(span), end = totals.end(span); tick < end; tick += 1) told_ms += totals.elapsed(tick);
  return told_ms;
}

/** The stretches of the span of which nothing is known, in order; none of what is yet to come. */
export function eachGap(totals: Totals, span: Span, visit: (from_ms: number, to_ms: number) => void): void {
  // The tick after the span tells of its end.
  const [first, end] = [totals.first(span), totals.end({ from_ms: span.from_ms, to_ms: Infinity })];
  let known_ms = span.from_ms;
  for (let tick = first; tick < end && known_ms < span.to_ms; tick += 1) {
    const began_ms = Math.min(totals.at(tick) - totals.elapsed(tick), span.to_ms);
    if (began_ms - known_ms >= GAP_MS_MIN) visit(known_ms, began_ms);
    known_ms = Math.max(known_ms, totals.at(tick));
  }
}

/** Whether the whole span is a gap, or part of one. */
export function isUnwatched(totals: Totals, span: Span): boolean {
  const known = { from_ms: -Infinity, to_ms: Infinity };
  const tick = totals.first(span);
  if (tick === totals.end(known)) return false;
  const began_ms = totals.at(tick) - totals.elapsed(tick);
  const before_ms = tick > totals.first(known) ? totals.at(tick - 1) : -Infinity;
  return began_ms >= span.to_ms && began_ms - before_ms >= GAP_MS_MIN;
}
