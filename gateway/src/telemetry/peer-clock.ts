// When something happened that another process tells of, on the own clock. Its clock starts at any time; what it tells
// arrives late by a little or by a lot. The least late of the last arrivals says how far the two clocks are apart, so that
// a busy network or event loop does not move what happened.

const ARRIVALS_KEPT = 50;
/** Further off than any delay: one of the clocks was set. */
const LATE_MS_MAX = 10_000;

export class PeerClock {
  /** own time less the peer's, of the last arrivals, newest last */
  private readonly apart: number[] = [];

  /** It was `atMs` there just before `nowMs` here. */
  arrived(atMs: number, nowMs: number): void {
    const apart = nowMs - atMs;
    if (Math.abs(apart - Math.min(...this.apart)) > LATE_MS_MAX) this.apart.length = 0;
    this.apart.push(apart);
    if (this.apart.length > ARRIVALS_KEPT) this.apart.shift();
  }

  /** REQUIRES: something has arrived. */
  toOwn(atMs: number): number {
    return atMs + Math.min(...this.apart);
  }
}
