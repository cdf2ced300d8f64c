// Delays: runs callbacks a little later. A lock is held for a few round trips, far less than the millisecond of a timer. So a
// short delay is counted in turns of the event loop, by one loop that all of them share. A long one uses a timer.

import type { Environment } from './environment.ts';

/** A timer is precise enough for this delay and longer ones. */
const TIMER_LEAST_US = 2_000;

interface Due {
  readonly atMs: number;
  readonly run: () => void;
}

export class Delays {
  readonly #environment: Environment;
  #due: Due[] = [];
  #looping = false;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  after(microseconds: number, run: () => void): void {
    if (microseconds >= TIMER_LEAST_US) {
      this.#environment.setTimeout(run, microseconds / 1000);
      return;
    }
    this.#due.push({ atMs: this.#environment.monotonicMs() + microseconds / 1000, run });
    this.#loop();
  }

  #loop(): void {
    if (this.#looping) return;
    this.#looping = true;
    this.#environment.setImmediate(() => {
      this.#looping = false;
      const now = this.#environment.monotonicMs();
      const ripe = this.#due.filter((entry) => entry.atMs <= now);
      if (ripe.length > 0) this.#due = this.#due.filter((entry) => entry.atMs > now);
      for (const { run } of ripe) run();
      if (this.#due.length > 0) this.#loop();
    });
  }
}
