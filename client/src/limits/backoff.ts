// Backoff: the retry policy of one client under the cluster's current conditions.

import type { Environment } from '../environment/environment.ts';
import { attemptDelayUs, deniedDelayUs, policyUnder, type RetryPolicy } from './retry-policy.ts';

export class Backoff {
  readonly #environment: Environment;
  readonly #chosen: Partial<RetryPolicy>;
  #policy: RetryPolicy;

  /** @param chosen the application's choice, which has priority */
  constructor(environment: Environment, chosen: Partial<RetryPolicy>) {
    this.#environment = environment;
    this.#chosen = chosen;
    this.#policy = policyUnder(null, chosen);
  }

  onConditions(conditions: { phasing: boolean }): void {
    this.#policy = policyUnder(conditions, this.#chosen);
  }

  get denialsMax(): number {
    return this.#policy.denialsMax;
  }

  deniedDelayUs(denials: number): number {
    return deniedDelayUs(this.#policy, denials, this.#environment.random());
  }

  attemptDelayUs(retries: number): number {
    return attemptDelayUs(this.#policy, retries, this.#environment.random());
  }
}
