// How long to wait before trying again. A lock is held for a few round trips, far less than a timer's millisecond: the
// first waits are counted in turns of the event loop.

import type { Environment } from './environment.ts';

const ATTEMPT_FIRST_US = 200;
const ATTEMPT_LONGEST_US = 20_000;
const DENIED_FIRST_US = 100;
const DENIED_LONGEST_US = 2_000;
/** Timers are good for this and more. */
const TIMER_LEAST_US = 2_000;

/** Before the attempt after `retries` failed ones: uniform up to a bound that doubles. */
export function attemptDelayUs(retries: number, random: number): number {
  return random * Math.min(ATTEMPT_LONGEST_US, ATTEMPT_FIRST_US * 2 ** Math.min(retries - 1, 20));
}

/** Before a denied request is sent again, after `denials` of it. */
export function deniedDelayUs(denials: number, random: number): number {
  return random * Math.min(DENIED_LONGEST_US, DENIED_FIRST_US * 2 ** Math.min(denials - 1, 20));
}

/** Runs things a little later: short delays by one shared loop over turns, long ones by a timer. */
export class Delays {
  readonly #environment: Environment;
  #due: { atMs: number; run: () => void }[] = [];
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

/** Between two tries to reach a shard: jittered, doubling from 20 ms to 2 s. */
export function reconnectDelayMs(failures: number, random: number): number {
  return (0.5 + random / 2) * Math.min(2_000, 20 * 2 ** Math.min(failures, 10));
}
