// How late this process is: a timer that is due every PULSE_MS. What arrives while the event loop is away waits unseen in the
// kernel, and is read right after the timers: as late as they were.
//
// It beats while it is told to go on; a process without work sleeps.

export const PULSE_MS = 10;

export class Pulse {
  readonly #onBeat: (nowMs: number, latenessMs: number) => boolean;
  #timer: NodeJS.Timeout | null = null;
  /** when the last beat was due */
  #dueMs = 0;
  #nextDueMs = 0;

  /** `onBeat` answers whether to go on. */
  constructor(onBeat: (nowMs: number, latenessMs: number) => boolean) {
    this.#onBeat = onBeat;
  }

  start(nowMs: number): void {
    if (this.#timer !== null) return;
    this.#dueMs = nowMs;
    this.#arm(nowMs);
  }

  /** How long what is read now may have waited to be read, but for one beat. */
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
