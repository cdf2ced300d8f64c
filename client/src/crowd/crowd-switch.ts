// CrowdSwitch: whether the transactions of a client are forecast and sent whole.
//
// In mode `auto` it goes on when attempts spend much of their time waiting for locks, and off when members hardly ever meet others, when locks
// often deny them, or when transactions turn out to take longer than they did with locks. It is the client's as a whole: members beside locked attempts on the same records are the worst of both. For the same
// reason it goes on where attempts wait for chains: another client has begun.

export type CrowdMode = 'never' | 'always' | 'auto';

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
/** Off, if fewer than this part of the members were executed on top of something undecided. */
const ABOVE_SHARE = 1 / 20;
/** Off, if more than this part of the members were denied at first, once locks from before have had time to end. */
const DENIED_SHARE = 1 / 10;
const GOING_OVER_MS = 1_000;
const MEMBERS_LEAST = 64;
/** Off, if transactions commit at less than this part of the rate that they had with locks, each, in the first second after going over. */
const RATE_SHARE = 0.9;
const COMPARED_MS = 1_000;
const OFF_MS_LEAST = 1_000;
/** While members are denied, or slower than locks, it stays off for longer each time. */
const OFF_MS_LONGEST = 30_000;

/** Sums over all sessions since they were made. */
export interface LockTimes {
  /** transactions that have committed, and those that run now */
  readonly commits: number;
  readonly running: number;
  /** attempts that have ended, and their time */
  readonly attempts: number;
  readonly attemptMs: number;
  readonly waitedMs: number;
  /** how often they have waited for a chain of another client */
  readonly runs: number;
}

export class CrowdSwitch {
  on = false;
  #mode: CrowdMode = 'never';
  #windowMs = 0;
  #attempts = 0;
  #attemptMs = 0;
  #waitedMs = 0;
  #runs = 0;
  #commits = 0;
  /** commits a millisecond and running transaction: with locks, in the last windows, and with chains so far; null: not compared any more */
  #lockRate = 0;
  #chains: { commits: number; runningMs: number } | null = null;
  #members = 0;
  #above = 0;
  #denied = 0;
  #offMs = OFF_MS_LEAST;
  #offUntilMs = 0;
  #onSinceMs = 0;

  configure(mode: CrowdMode, nowMs: number): void {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.on = mode === 'always';
    this.#onSinceMs = nowMs;
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
    const now = sum();
    if (this.on ? !this.#mayGoOff(nowMs, now) : !this.#mayGoOn(nowMs, now)) return;
    this.#windowMs = nowMs;
    this.#commits = now.commits;
    this.#attempts = now.attempts;
    this.#attemptMs = now.attemptMs;
    this.#waitedMs = now.waitedMs;
    this.#runs = now.runs;
    this.#members = this.#above = this.#denied = 0;
  }

  /** False: the window goes on. */
  #mayGoOn(nowMs: number, now: LockTimes): boolean {
    const many = now.attempts - this.#attempts >= ATTEMPTS_LEAST;
    const meetsChains = now.runs - this.#runs >= RUNS_LEAST;
    if (!many && !meetsChains && nowMs - this.#windowMs < WINDOW_LONGEST_MS) return false;
    const rate = (now.commits - this.#commits) / Math.max(1, now.running) / (nowMs - this.#windowMs);
    this.#lockRate = (this.#lockRate + rate) / 2;
    const waitsLong = many && now.waitedMs - this.#waitedMs > (now.attemptMs - this.#attemptMs) * WAITING_SHARE;
    this.on = nowMs >= this.#offUntilMs && (waitsLong || meetsChains);
    this.#onSinceMs = nowMs;
    this.#chains = { commits: 0, runningMs: 0 };
    return true;
  }

  #mayGoOff(nowMs: number, now: LockTimes): boolean {
    const goesOver = this.goesOver(nowMs);
    if (this.#members < MEMBERS_LEAST) return false;
    const denied = !goesOver && this.#denied > this.#members * DENIED_SHARE;
    const slower = !goesOver && this.#isSlower(nowMs, now);
    this.on = !denied && !slower && this.#above + this.#denied >= this.#members * ABOVE_SHARE;
    if (!this.on) this.#offUntilMs = nowMs + this.#offMs;
    if (denied || slower) this.#offMs = Math.min(OFF_MS_LONGEST, this.#offMs * 2);
    else if (!goesOver && this.#chains === null) this.#offMs = OFF_MS_LEAST;
    return true;
  }

  #isSlower(nowMs: number, { commits, running }: LockTimes): boolean {
    const chains = this.#chains;
    if (chains === null) return false;
    chains.commits += commits - this.#commits;
    chains.runningMs += Math.max(1, running) * (nowMs - this.#windowMs);
    if (nowMs - this.#onSinceMs < GOING_OVER_MS + COMPARED_MS) return false;
    this.#chains = null;
    return chains.commits / chains.runningMs < this.#lockRate * RATE_SHARE;
  }
}
