// Restarts: how often the forecast of an attempt has begun anew. The first ones try newer boards, the next ones take a look, and later ones pause
// in between: then something stands in the way of looks, such as locks.

const BEFORE_LOOK = 2;
const BEFORE_PAUSE = 8;
const PAUSE_US = 4_000;
const PAUSE_LONGEST_US = 64_000;

export class Restarts {
  #count = 0;

  /** One more. Returns how long to pause before it, in microseconds; null: it may begin at once. */
  next(): number | null {
    const late = ++this.#count - BEFORE_PAUSE;
    return late < 0 ? null : Math.min(PAUSE_LONGEST_US, PAUSE_US * 2 ** late);
  }

  /** It needs no look. */
  get isEarly(): boolean {
    return this.#count < BEFORE_LOOK;
  }
}
