// TimeScale: maps instants to x positions in a chart, in CSS pixels from the chart's left edge.

import type { Span } from '../time/timeAxis.ts';

export interface TimeScale {
  readonly from_ms: number;
  readonly to_ms: number;
  /** the left edge of the part that shows time; labels stand to the left of it */
  readonly left: number;
  readonly right: number;
  readonly ms_per_px: number;
  x(at_ms: number): number;
  /** The instant at a pixel. A pixel outside the time area gives the nearest end. */
  at(x: number): number;
}

/**
 * `shown` is the axis' span. While the axis follows the newest data, the span advances by fractions of a pixel. The scale then
 * shows whole device pixels of a grid that is fixed in time, so that drawn content moves without flickering. `ratio`: device pixels
 * per CSS pixel.
 */
export function timeScale(shown: Span, left: number, right: number, ratio = 1): TimeScale {
  const width = Math.max(1, right - left);
  const ms_per_px = (shown.to_ms - shown.from_ms) / width;
  const column_ms = ms_per_px / ratio;
  const from_ms = Math.floor(shown.from_ms / column_ms) * column_ms;
  const to_ms = from_ms + width * ms_per_px;
  return {
    from_ms,
    to_ms,
    left,
    right: left + width,
    ms_per_px,
    x: (at_ms) => left + (at_ms - from_ms) / ms_per_px,
    at: (x) => Math.min(to_ms, Math.max(from_ms, from_ms + (x - left) * ms_per_px)),
  };
}
