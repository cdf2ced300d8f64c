// The right edge of the time axis while it follows: data arrives in steps of a frame; the edge moves smoothly behind it and never
// beyond it. Its speed varies slightly to stay about `LAG_MS` behind; it jumps over a gap.

/** about two frames, so that a late frame does not stop the picture */
const LAG_MS = 350;
const GAP_MS = 2_000;
/** the time in which a difference is made up */
const CATCH_UP_MS = 1_000;

export class Playhead {
  private edge_ms: number | null = null;
  private stepped_at_ms = 0;

  /** `now_ms`: from a monotonic clock. Returns the position of the edge. */
  step(newest_ms: number, now_ms: number): number {
    const passed_ms = Math.max(0, now_ms - this.stepped_at_ms);
    this.stepped_at_ms = now_ms;
    const behind_ms = newest_ms - LAG_MS - (this.edge_ms ?? Number.NEGATIVE_INFINITY);
    if (this.edge_ms === null || Math.abs(behind_ms) > GAP_MS) {
      this.edge_ms = newest_ms;
    } else {
      const rate = 1 + Math.max(-0.5, Math.min(0.5, behind_ms / CATCH_UP_MS));
      this.edge_ms = Math.min(newest_ms, this.edge_ms + passed_ms * rate);
    }
    return this.edge_ms;
  }
}
