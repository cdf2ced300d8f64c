// The shown span in words.
import { clockTime, durationWords } from '../time/ticks.ts';
import type { Span } from '../time/timeAxis.ts';

/** `the last 60 s`; while the axis is paused: `14:03:22 to 14:04:22`. */
export function spanWords(span: Span, isFollowing: boolean): string {
  const { from_ms, to_ms } = span;
  return isFollowing ? `the last ${durationWords(to_ms - from_ms)}` : `${clockTime(from_ms)} to ${clockTime(to_ms)}`;
}

/** `in the last 60 s`, `between 14:03:22 and 14:04:22`. */
export function withinWords(span: Span, isFollowing: boolean): string {
  if (isFollowing) return `in ${spanWords(span, true)}`;
  return `between ${clockTime(span.from_ms)} and ${clockTime(span.to_ms)}`;
}
