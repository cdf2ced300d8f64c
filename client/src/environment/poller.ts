// Poller: keeps the event loop awake for a while after each frame. Waking up costs more than the work that follows. An app server
// under load gains nothing from polling, a single benchmark client gains much. Polling occupies a processor core, so the time
// that is polled in vain is counted.

import type { Environment } from './environment.ts';

export class Poller {
  readonly #environment: Environment;
  readonly #milliseconds: number;
  readonly #counters: { polledMs: number };
  #untilMs = 0;
  #turnedMs = 0;
  #running = false;
  #caught = false;
  #caughtBefore = false;

  /** With 0 microseconds it never polls. */
  constructor(environment: Environment, microseconds: number, counters: { polledMs: number }) {
    this.#environment = environment;
    this.#milliseconds = microseconds / 1000;
    this.#counters = counters;
  }

  /** A frame has arrived. */
  touch(): void {
    if (this.#milliseconds === 0) return;
    this.#untilMs = this.#environment.monotonicMs() + this.#milliseconds;
    this.#caught = true;
    if (this.#running) return;
    this.#running = true;
    this.#environment.setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    const nowMs = this.#environment.monotonicMs();
    // Work that a frame has caused may continue in the turn after it.
    if (!this.#caught && !this.#caughtBefore) this.#counters.polledMs += nowMs - this.#turnedMs;
    this.#caughtBefore = this.#caught;
    this.#caught = false;
    this.#turnedMs = nowMs;
    this.#running = nowMs < this.#untilMs;
    if (this.#running) this.#environment.setImmediate(this.#turn);
  };
}
