// Poller: keeps the event loop from going to sleep for a while after each frame. Waking up costs more than the work; an
// app server under load gains nothing, a lone benchmark a lot. Costs a core while it lasts; what it costs in vain is counted.

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

  /** 0 microseconds: never polls */
  constructor(environment: Environment, microseconds: number, counters: { polledMs: number }) {
    this.#environment = environment;
    this.#milliseconds = microseconds / 1000;
    this.#counters = counters;
  }

  /** A frame has come in. */
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
    // What a frame set off may still go on in the turn after it.
    if (!this.#caught && !this.#caughtBefore) this.#counters.polledMs += nowMs - this.#turnedMs;
    this.#caughtBefore = this.#caught;
    this.#caught = false;
    this.#turnedMs = nowMs;
    this.#running = nowMs < this.#untilMs;
    if (this.#running) this.#environment.setImmediate(this.#turn);
  };
}
