// Estimates the server's time. A sample is the server's clock at some moment between a request's start and its answer; the sample with the
// shortest round trip wins, since its error is the smallest. Local time is monotonic (performance.now), so a change of the computer's clock
// has no effect.

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

  /** milliseconds since 1970 on the server */
  now(): number {
    return this.local() + this.offset_ms;
  }

  /** A lower bound for the server's time: `now` may be ahead of the server by half of a round trip. */
  atLeast(): number {
    const lags_ms = this.samples.map(({ offset_ms, roundTrip_ms }) => offset_ms - roundTrip_ms / 2);
    return lags_ms.length === 0 ? this.now() : this.local() + Math.max(...lags_ms);
  }

  /** the local time to pass to `observe` as a request's start */
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

  /** Calls `listener` whenever the estimate changes; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
