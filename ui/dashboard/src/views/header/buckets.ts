// Divides a span into buckets that keep their positions in time while the axis advances: a chart of rates draws one point for each.
import type { Span } from '../../store/span.ts';

const WIDTHS_MS = [500, 1_000, 2_000, 5_000, 10_000];
/** A narrower bucket would show noise. */
const BUCKET_PX = 8;

export function bucketWidth(ms_per_px: number): number {
  return WIDTHS_MS.find((width_ms) => width_ms >= BUCKET_PX * ms_per_px) ?? WIDTHS_MS.at(-1)!;
}

/** Visits [from, to) of each bucket that touches the span and ends by `end_ms`, oldest first. */
export function eachBucket({ from_ms, to_ms }: Span, width_ms: number, end_ms: number, visit: (bucket: Span) => void): void {
  for (let at_ms = Math.floor(from_ms / width_ms) * width_ms; at_ms < to_ms; at_ms += width_ms) {
    if (at_ms + width_ms > end_ms) return;
    visit({ from_ms: at_ms, to_ms: at_ms + width_ms });
  }
}
