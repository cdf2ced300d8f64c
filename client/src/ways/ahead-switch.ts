// AheadSwitch: whether the transactions of a client are forecast and sent whole.
//
// In mode `auto` it goes on when attempts spend much of their time waiting for locks, and off when members hardly ever meet others, or when
// locks often deny them. It is the client's as a whole: members beside locked attempts on the same records are the worst of both. For the same
// reason it goes on where attempts wait for chains: another client has begun.

export type AheadMode = 'never' | 'always' | 'auto';

const WINDOW_MS = 100;
/**
 * On, if more than this part of the time of attempts is waiting for locks, and so many have ended. A few that wait are no crowd. But among many
 * app servers each one ends few while all wait for each other: so a window with too few goes on for a while.
 */
const WAITING_SHARE = 1 / 4;
const ATTEMPTS_LEAST = 8;
/** On, if attempts have waited so often for chains of others. */
const RUNS_LEAST = 2;
const WINDOW_LONGEST_MS = 1_000;
/** Off, if fewer than this part of the members met others. */
const MET_SHARE = 1 / 20;
/** Off, if more than this part of the members were denied at first, two seconds after going on: locks from before have ended by then. */
const DENIED_SHARE = 1 / 4;
const DENIED_FROM_MS = 2_000;
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
  /** how often they have waited for a chain of another client */
  readonly runs: number;
}

export class AheadSwitch {
  on = false;
  #mode: AheadMode = 'never';
  #windowMs = 0;
  #attempts = 0;
  #attemptMs = 0;
  #waitedMs = 0;
  #runs = 0;
  #members = 0;
  #met = 0;
  #denied = 0;
  #offMs = OFF_MS_LEAST;
  #offUntilMs = 0;
  #onSinceMs = 0;

  configure(mode: AheadMode, nowMs: number): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.on = mode === 'always';
    this.#onSinceMs = nowMs;
  }

  /** A member was executed. `met`: on top of something undecided, or after waiting for another chain. */
  member(met: boolean): void {
    this.#members++;
    if (met) this.#met++;
  }

  /** A member met a lock. */
  denied(): void {
    this.#members++;
    this.#denied++;
  }

  /** When it went on, if that was a moment ago: locks from before are still held. Null: it was not. */
  goesOverSinceMs(nowMs: number): number | null {
    return this.on && nowMs - this.#onSinceMs < GOING_OVER_MS ? this.#onSinceMs : null;
  }

  look(nowMs: number, sum: () => LockTimes): void {
    if (this.#mode !== 'auto' || nowMs - this.#windowMs < WINDOW_MS) return;
    const now = sum();
    if (this.on ? !this.#mayGoOff(nowMs) : !this.#mayGoOn(nowMs, now)) return;
    this.#windowMs = nowMs;
    this.#attempts = now.attempts;
    this.#attemptMs = now.attemptMs;
    this.#waitedMs = now.waitedMs;
    this.#runs = now.runs;
    this.#members = this.#met = this.#denied = 0;
  }

  /** False: the window goes on. */
  #mayGoOn(nowMs: number, now: LockTimes): boolean {
    const many = now.attempts - this.#attempts >= ATTEMPTS_LEAST;
    const meetsChains = now.runs - this.#runs >= RUNS_LEAST;
    if (!many && !meetsChains && nowMs - this.#windowMs < WINDOW_LONGEST_MS) return false;
    const waitsLong = many && now.waitedMs - this.#waitedMs > (now.attemptMs - this.#attemptMs) * WAITING_SHARE;
    this.on = nowMs >= this.#offUntilMs && (waitsLong || meetsChains);
    this.#onSinceMs = nowMs;
    return true;
  }

  #mayGoOff(nowMs: number): boolean {
    if (this.#members < MEMBERS_LEAST) return false;
    const isJudged = nowMs - this.#onSinceMs >= DENIED_FROM_MS;
    const denied = isJudged && this.#denied > this.#members * DENIED_SHARE;
    this.on = !denied && this.#met + this.#denied >= this.#members * MET_SHARE;
    if (!this.on) this.#offUntilMs = nowMs + this.#offMs;
    if (denied) this.#offMs = Math.min(OFF_MS_LONGEST, this.#offMs * 2);
    else if (isJudged) this.#offMs = OFF_MS_LEAST;
    return true;
  }
}
