// Translates times on another process's steady clock to this process's. The offset of the two clocks is estimated from the message
// with the least delay among the last arrivals, so that a busy network or event loop does not shift the times.

const ARRIVALS_KEPT = 50;
/** No message is delayed by more; a greater difference means that a clock was set. */
const LATE_MS_MAX = 10_000;

export class PeerClock {
  /** own time minus the peer's, for the last arrivals, newest last */
  private readonly apart: number[] = [];

  /** A message sent at `atMs` on the peer's clock has arrived at `nowMs` on this one's. */
  arrived(atMs: number, nowMs: number): void {
    const apart = nowMs - atMs;
    if (Math.abs(apart - Math.min(...this.apart)) > LATE_MS_MAX) this.apart.length = 0;
    this.apart.push(apart);
    if (this.apart.length > ARRIVALS_KEPT) this.apart.shift();
  }

  /** REQUIRES: a message has arrived. */
  toOwn(atMs: number): number {
    return atMs + Math.min(...this.apart);
  }
}
