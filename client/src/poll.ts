// Poller: keeps the event loop from going to sleep for a while after each frame. Waking up costs more than the work; an
// app server under load gains nothing, a lone benchmark a lot. Costs a core while it lasts.

import type { Environment } from './environment.ts';

export class Poller {
  readonly #environment: Environment;
  readonly #milliseconds: number;
  #untilMs = 0;
  #running = false;

  /** 0 microseconds: never polls */
  constructor(environment: Environment, microseconds: number) {
    this.#environment = environment;
    this.#milliseconds = microseconds / 1000;
  }

  /** A frame has come in. */
  touch(): void {
    if (this.#milliseconds === 0) return;
    this.#untilMs = this.#environment.monotonicMs() + this.#milliseconds;
    if (this.#running) return;
    this.#running = true;
    this.#environment.setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#running = this.#environment.monotonicMs() < this.#untilMs;
    if (this.#running) this.#environment.setImmediate(this.#turn);
  };
}
