// How often something may be tried, per name: a bounded table in this process.
//
// Each name has a budget of attempts that comes back evenly over the window. Several app servers count on their own, so
// somebody gets at most the budget times their number.

const NAMES_MAX = 20_000;

export class AttemptLimit {
  readonly #budget: number;
  readonly #windowMs: number;
  // name -> the time at which its budget is whole again; in order of last attempt
  readonly #fullAt = new Map<string, number>();

  constructor(limit: { budget: number; window_ms: number }) {
    this.#budget = limit.budget;
    this.#windowMs = limit.window_ms;
  }

  // 0: go on. Else the time to wait, in ms.
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

  // What was counted should not have been. Gives back no more than that one: else somebody could wash off guesses at
  // others by logging in as themselves.
  takeBack(name: string): void {
    const fullAt = this.#fullAt.get(name);
    if (fullAt !== undefined) this.#fullAt.set(name, fullAt - this.#windowMs / this.#budget);
  }

  // Drops what is whole again; if that is nothing, the name that tried longest ago.
  #forget(now_ms: number): void {
    for (const [name, fullAt] of this.#fullAt) if (fullAt <= now_ms) this.#fullAt.delete(name);
    if (this.#fullAt.size <= NAMES_MAX) return;
    const [oldest] = this.#fullAt.keys();
    if (oldest !== undefined) this.#fullAt.delete(oldest);
  }
}
