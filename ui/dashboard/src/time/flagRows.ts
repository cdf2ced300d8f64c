// The number of rows reserved for flags: at least one. It grows at once, so that no label is cut off. It shrinks by one row at a
// time and only after a while, so that the content below does not jump while it is read.

const EMPTY_MS = 1_500;

export class FlagRows {
  shown = 1;
  /** since when the last row has been empty; null: it is in use */
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
