// How far what is shown is behind real time. The sender's clock is another one, so that only differences count: the message
// that came soonest after it was sent tells how the clocks stand, and others are late by comparison.

/** The clocks' difference is learnt anew over this time: either clock may be set. */
const WINDOW_MS = 30_000;

export class Lag {
  private newest_ms: number | null = null;
  private least_ms = Infinity;
  private leastBefore_ms = Infinity;
  private windowBegan_ms = 0;

  /** A message sent at `at_ms` of the sender's clock has come at `now_ms` of ours, which never goes back. */
  heard(at_ms: number, now_ms: number): void {
    if (now_ms - this.windowBegan_ms > WINDOW_MS) {
      this.leastBefore_ms = this.least_ms;
      this.least_ms = Infinity;
      this.windowBegan_ms = now_ms;
    }
    this.newest_ms = at_ms;
    this.least_ms = Math.min(this.least_ms, now_ms - at_ms);
  }

  /** ms; 0 before anything was heard. */
  behind(now_ms: number): number {
    if (this.newest_ms === null) return 0;
    return Math.max(0, now_ms - this.newest_ms - Math.min(this.least_ms, this.leastBefore_ms));
  }

  /** Another sender: nothing is known of its clock. */
  reset(): void {
    this.newest_ms = null;
    this.least_ms = Infinity;
    this.leastBefore_ms = Infinity;
  }
}
