// The offered ranges of time. Zooming in a chart may lead to any other.
import type { Span } from './timeAxis.ts';

export const RANGES = [
  { width_ms: 30_000, words: '30 s' },
  { width_ms: 60_000, words: '1 min' },
  { width_ms: 180_000, words: '3 min' },
  { width_ms: 600_000, words: '10 min' },
] as const;

/** Tolerance for sums of fractions of a millisecond. */
const NEARLY_MS = 1;

/** The choice that matches a span; null: none. */
export function rangeOf({ from_ms, to_ms }: Span): number | null {
  return RANGES.find(({ width_ms }) => Math.abs(to_ms - from_ms - width_ms) < NEARLY_MS)?.width_ms ?? null;
}
