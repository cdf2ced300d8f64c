// How many rows of flags have room. It is as many as are in use, at least one; more at once, or labels would be cut off; fewer
// a row at a time and only after a while, so that what is below stands still while one looks.

const EMPTY_MS = 1_500;

export class FlagRows {
  shown = 1;
  /** since when the last row has been empty; null: it is not */
  private emptySince_ms: number | null = null;

  /** `used`: rows that have flags now. */
  fit(used: number, now_ms: number): number {
    if (used >= this.shown) {
      this.shown = Math.max(1, used);
      this.emptySince_ms = null;
    } else if (this.shown > 1) {
      this.emptySince_ms ??= now_ms;
      if (now_ms - this.emptySince_ms >= EMPTY_MS) {
        this.shown -= 1;
        this.emptySince_ms = null;
      }
    }
    return this.shown;
  }
}
