// The event loop's delay, measured by a timer that is due every PULSE_MS. Requests that arrive while the event loop is blocked wait unseen
// in the kernel and are read right after the timers, so they are as late as the timers were.
//
// The timer runs while `onBeat` returns true; a process without requests has no timer.

export const PULSE_MS = 10;

export class Pulse {
  readonly #onBeat: (nowMs: number, latenessMs: number) => boolean;
  #timer: NodeJS.Timeout | null = null;
  /** when the last beat was due */
  #dueMs = 0;
  #nextDueMs = 0;

  /** `onBeat` returns whether to go on. */
  constructor(onBeat: (nowMs: number, latenessMs: number) => boolean) {
    this.#onBeat = onBeat;
  }

  start(nowMs: number): void {
    if (this.#timer !== null) return;
    this.#dueMs = nowMs;
    this.#arm(nowMs);
  }

  /** How long a request that is read now may have waited in the kernel, apart from one period. */
  ageMs(nowMs: number): number {
    return this.#timer === null ? 0 : Math.max(0, nowMs - this.#dueMs - PULSE_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #arm(nowMs: number): void {
    this.#nextDueMs = nowMs + PULSE_MS;
    this.#timer = setTimeout(() => this.#beat(), PULSE_MS).unref();
  }

  #beat(): void {
    const nowMs = performance.now();
    this.#timer = null;
    this.#dueMs = this.#nextDueMs;
    if (this.#onBeat(nowMs, Math.max(0, nowMs - this.#dueMs))) this.#arm(nowMs);
  }
}
