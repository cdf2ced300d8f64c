// How long to wait before trying again. A lock is held for a few round trips, far less than a timer's millisecond: the
// first waits are counted in turns of the event loop.

import type { Environment } from './environment.ts';

/** Timers are good for this and more. */
const TIMER_LEAST_US = 2_000;

/** Waits are uniform up to a bound that starts at `first` and doubles up to `longest`. */
export interface RetryPolicy {
  /** how often a denied request is sent again, keeping the locks that its attempt has, before the attempt is given up */
  denialsMax: number;
  denialFirstUs: number;
  denialLongestUs: number;
  /** before the next attempt */
  attemptFirstUs: number;
  attemptLongestUs: number;
}

const POLICY: RetryPolicy = {
  denialsMax: 8,
  denialFirstUs: 100,
  denialLongestUs: 2_000,
  attemptFirstUs: 200,
  attemptLongestUs: 20_000,
};

/** The best found without phasing, where a conflict is denied instead of queued: for both kinds of locks (docs/decisions/0006). */
const POLICY_WITHOUT_PHASING: RetryPolicy = {
  denialsMax: 4,
  denialFirstUs: 50,
  denialLongestUs: 400,
  attemptFirstUs: 2_000,
  attemptLongestUs: 20_000,
};

/** What holds under the cluster's conditions, as far as they are known; `chosen` by the application goes before it. */
export function policyUnder(conditions: { phasing: boolean } | null, chosen: Partial<RetryPolicy>): RetryPolicy {
  return { ...(conditions === null || conditions.phasing ? POLICY : POLICY_WITHOUT_PHASING), ...chosen };
}

/** Before the attempt after `retries` failed ones. */
export function attemptDelayUs(policy: RetryPolicy, retries: number, random: number): number {
  return random * Math.min(policy.attemptLongestUs, policy.attemptFirstUs * 2 ** Math.min(retries - 1, 20));
}

/** Before a denied request is sent again, after `denials` of it. */
export function deniedDelayUs(policy: RetryPolicy, denials: number, random: number): number {
  return random * Math.min(policy.denialLongestUs, policy.denialFirstUs * 2 ** Math.min(denials - 1, 20));
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
