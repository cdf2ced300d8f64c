// When the time of something is over, by both clocks of the machine: the monotonic one stands still while the machine is suspended.
import type { Environment } from './environment.ts';

export class Deadline {
  readonly #environment: Environment;
  readonly #monotonicMs: number;
  readonly #civilMs: number;

  /** @param monotonicMs when it is */
  constructor(environment: Environment, monotonicMs: number) {
    this.#environment = environment;
    this.#monotonicMs = monotonicMs;
    this.#civilMs = environment.civilMs() + (monotonicMs - environment.monotonicMs());
  }

  /** It was so long ago, by one of the clocks. */
  isPast(byMs = 0): boolean {
    return this.#environment.monotonicMs() >= this.#monotonicMs + byMs || this.#environment.civilMs() >= this.#civilMs + byMs;
  }
}
