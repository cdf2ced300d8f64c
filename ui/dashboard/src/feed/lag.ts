// The lag of the shown telemetry behind real time. The sender has another clock, so only differences count: the message with the
// least delay defines the offset between the clocks, and other messages are late relative to it.

/** The offset between the clocks is relearnt over this time, because either clock may be set. */
const WINDOW_MS = 30_000;

export class Lag {
  private newest_ms: number | null = null;
  private least_ms = Infinity;
  private leastBefore_ms = Infinity;
  private windowBegan_ms = 0;

  /** A message sent at `at_ms` of the sender's clock has arrived at `now_ms` of our monotonic clock. */
  heard(at_ms: number, now_ms: number): void {
    if (now_ms - this.windowBegan_ms > WINDOW_MS) {
      this.leastBefore_ms = this.least_ms;
      this.least_ms = Infinity;
      this.windowBegan_ms = now_ms;
    }
    this.newest_ms = at_ms;
    this.least_ms = Math.min(this.least_ms, now_ms - at_ms);
  }

  /** The lag in ms; 0 before the first message. */
  behind(now_ms: number): number {
    if (this.newest_ms === null) return 0;
    return Math.max(0, now_ms - this.newest_ms - Math.min(this.least_ms, this.leastBefore_ms));
  }

  /** The sender has changed: the offset of its clock is unknown. */
  reset(): void {
    this.newest_ms = null;
    this.least_ms = Infinity;
    this.leastBefore_ms = Infinity;
  }
}
