// LostTime: notices that the steady clock stood still while the world went on, as that of a suspended machine does. A civil clock is
// set now and then, which looks the same: then grants are given up in vain.

import type { Environment } from '../environment/environment.ts';

const LOST_MS = 10;
/** Uses look no more often than this. */
const LOOK_MS = 5;

export class LostTime {
  readonly #environment: Environment;
  #aheadMs: number;
  #lookedMs: number;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#lookedMs = environment.monotonicMs();
    this.#aheadMs = environment.civilMs() - this.#lookedMs;
  }

  /** Whether time was lost since the last look. */
  look(nowMs: number): boolean {
    this.#lookedMs = nowMs;
    const before = this.#aheadMs;
    this.#aheadMs = this.#environment.civilMs() - nowMs;
    return this.#aheadMs - before > LOST_MS;
  }

  /** The same, at a use. */
  lookAtUse(nowMs: number): boolean {
    return nowMs - this.#lookedMs >= LOOK_MS && this.look(nowMs);
  }
}
