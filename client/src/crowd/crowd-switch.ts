// CrowdSwitch: whether the transactions of a client are forecast and sent whole.
//
// In mode `auto` it goes on when attempts spend much of their time waiting for locks, and off when members hardly ever meet others, or when
// locks often deny them. It is the client's as a whole: members beside locked attempts on the same records are the worst of both.

export type CrowdMode = 'never' | 'always' | 'auto';

const WINDOW_MS = 100;
/**
 * On, if more than this part of the time of attempts is waiting for locks, and so many have ended. A few that wait are no crowd. But among many
 * app servers each one ends few while all wait for each other: so a window with too few goes on for a while.
 */
const WAITING_SHARE = 1 / 4;
const ATTEMPTS_LEAST = 8;
const WINDOW_LONGEST_MS = 1_000;
/** Off, if fewer than this part of the members were executed on top of something undecided. */
const ABOVE_SHARE = 1 / 20;
/** Off, if more than this part of the members were denied, once locks from before have had time to end. */
const DENIED_SHARE = 1 / 4;
const GOING_OVER_MS = 1_000;
const MEMBERS_LEAST = 64;
const OFF_MS_LEAST = 1_000;
/** While members are denied, it stays off for longer each time. */
const OFF_MS_LONGEST = 30_000;

/** Sums over all sessions since they were made. */
export interface LockTimes {
  /** attempts that have ended, and their time */
  readonly attempts: number;
  readonly attemptMs: number;
  readonly waitedMs: number;
}

export class CrowdSwitch {
  on = false;
  #mode: CrowdMode = 'never';
  #windowMs = 0;
  #attempts = 0;
  #attemptMs = 0;
  #waitedMs = 0;
  #members = 0;
  #above = 0;
  #denied = 0;
  #offMs = OFF_MS_LEAST;
  #offUntilMs = 0;
  #onSinceMs = 0;

  configure(mode: CrowdMode): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.on = mode === 'always';
  }

  /** A member was executed. `above`: on top of something undecided. */
  member(above: boolean): void {
    this.#members++;
    if (above) this.#above++;
  }

  /** A member met a lock. */
  denied(): void {
    this.#members++;
    this.#denied++;
  }

  /** It went on a moment ago: locks from before are still held. */
  goesOver(nowMs: number): boolean {
    return nowMs - this.#onSinceMs < GOING_OVER_MS;
  }

  look(nowMs: number, sum: () => LockTimes): void {
    if (this.#mode !== 'auto' || nowMs - this.#windowMs < WINDOW_MS) return;
    const lockTimes = sum();
    if (this.on) {
      if (this.#members < MEMBERS_LEAST) return;
      const goesOver = this.goesOver(nowMs);
      const denied = !goesOver && this.#denied > this.#members * DENIED_SHARE;
      this.on = !denied && this.#above + this.#denied >= this.#members * ABOVE_SHARE;
      if (!this.on) this.#offUntilMs = nowMs + this.#offMs;
      if (denied) this.#offMs = Math.min(OFF_MS_LONGEST, this.#offMs * 2);
      else if (!goesOver) this.#offMs = OFF_MS_LEAST;
    } else {
      const many = lockTimes.attempts - this.#attempts >= ATTEMPTS_LEAST;
      if (!many && nowMs - this.#windowMs < WINDOW_LONGEST_MS) return;
      const attemptMs = lockTimes.attemptMs - this.#attemptMs;
      this.on = many && nowMs >= this.#offUntilMs && lockTimes.waitedMs - this.#waitedMs > attemptMs * WAITING_SHARE;
      this.#onSinceMs = nowMs;
    }
    this.#windowMs = nowMs;
    this.#attempts = lockTimes.attempts;
    this.#attemptMs = lockTimes.attemptMs;
    this.#waitedMs = lockTimes.waitedMs;
    this.#members = this.#above = this.#denied = 0;
  }
}
