// A limit on attempts per name: a bounded table in this process.
//
// Each name has a budget of attempts that refills evenly over the window. App servers count separately, so that a visitor gets at most the
// budget times the number of servers.

const NAMES_MAX = 20_000;

export class AttemptLimit {
  readonly #budget: number;
  readonly #windowMs: number;
  // name -> the time at which its budget is full again; ordered by last attempt
  readonly #fullAt = new Map<string, number>();

  constructor(limit: { budget: number; window_ms: number }) {
    this.#budget = limit.budget;
    this.#windowMs = limit.window_ms;
  }

  // Milliseconds until the next attempt is allowed; 0: it is allowed now.
  waitMs(name: string, now_ms: number): number {
    const perAttempt = this.#windowMs / this.#budget;
    const debt = (this.#fullAt.get(name) ?? 0) - now_ms;
    return Math.max(0, debt - this.#windowMs + perAttempt);
  }

  count(name: string, now_ms: number): void {
    const fullAt = Math.max(this.#fullAt.get(name) ?? 0, now_ms) + this.#windowMs / this.#budget;
    this.#fullAt.delete(name);
    this.#fullAt.set(name, fullAt);
    if (this.#fullAt.size > NAMES_MAX) this.#forget(now_ms);
  }

  // Gives back one counted attempt, and no more: otherwise a guesser could reset the count of an address by logging in to an account of
  // their own.
  takeBack(name: string): void {
    const fullAt = this.#fullAt.get(name);
    if (fullAt !== undefined) this.#fullAt.set(name, fullAt - this.#windowMs / this.#budget);
  }

  // Drops the names with a full budget; if there are none, the name whose last attempt is the oldest.
  #forget(now_ms: number): void {
    for (const [name, fullAt] of this.#fullAt) if (fullAt <= now_ms) this.#fullAt.delete(name);
    if (this.#fullAt.size <= NAMES_MAX) return;
    const [oldest] = this.#fullAt.keys();
    if (oldest !== undefined) this.#fullAt.delete(oldest);
  }
}
