// The server's time as this browser knows it. A sample says what the server's clock showed between a request's start
// and its answer; the sample with the shortest way wins, since it can be least wrong. Local time is monotonic
// (performance.now), so a person who sets the computer's clock moves nothing.

interface Sample {
  offset_ms: number;
  roundTrip_ms: number;
}

const SAMPLES_MAX = 8;

export class ServerClock {
  private readonly local: () => number;
  private readonly listeners = new Set<() => void>();
  private samples: Sample[] = [];
  private offset_ms: number;

  /** `local` is monotonic milliseconds; `guess_ms` is the time until the first sample, usually Date.now(). */
  constructor(local: () => number, guess_ms: number) {
    this.local = local;
    this.offset_ms = guess_ms - local();
  }

  /** Milliseconds since 1970 on the server. */
  now(): number {
    return this.local() + this.offset_ms;
  }

  /** The server's clock shows this by now, or more: `now` may be ahead of it by half of a request's way. */
  atLeast(): number {
    const lags_ms = this.samples.map(({ offset_ms, roundTrip_ms }) => offset_ms - roundTrip_ms / 2);
    return lags_ms.length === 0 ? this.now() : this.local() + Math.max(...lags_ms);
  }

  /** Local time to hand to `observe` as a request's start. */
  stamp(): number {
    return this.local();
  }

  /** The server's clock showed `server_ms` at some moment between `sent` (a stamp) and now. */
  observe(server_ms: number, sent: number): void {
    if (!Number.isFinite(server_ms)) return;
    const received = this.local();
    const roundTrip_ms = Math.max(0, received - sent);
    this.samples.push({ offset_ms: server_ms + roundTrip_ms / 2 - received, roundTrip_ms });
    if (this.samples.length > SAMPLES_MAX) this.samples.shift();
    const best = this.samples.reduce((one, other) => (other.roundTrip_ms <= one.roundTrip_ms ? other : one));
    if (best.offset_ms === this.offset_ms) return;
    this.offset_ms = best.offset_ms;
    for (const listener of this.listeners) listener();
  }

  /** Calls `listener` whenever the estimate moves; returns how to stop. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
