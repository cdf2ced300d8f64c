// A limit on new accounts per address: each costs a hash now, and space in the store for good.
import { RequestProblem } from '../problem.ts';
import { visitorAddress } from './address.ts';
import { hashPassword, type Cost } from './password.ts';
import { AttemptLimit } from './rate-limit.ts';

/** per address and app server, unless the site sets another limit */
export const REGISTRATIONS_PER_HOUR = 100;
const HOUR_MS = 60 * 60_000;

export class RegistrationCheck {
  readonly #byAddress: AttemptLimit;
  readonly #cost: Cost;

  constructor(limits: { password_cost: Cost; registrations_per_hour: number }) {
    this.#cost = limits.password_cost;
    this.#byAddress = new AttemptLimit({ budget: limits.registrations_per_hour, window_ms: HOUR_MS });
  }

  /**
   * The credentials to store for a new account. Throws a RequestProblem above the limit. An attempt counts even if the name turns out to be
   * taken, so that registering cannot be used to find out which names exist.
   */
  async credentials(request: { ip: string }, password: string): Promise<string> {
    const address = visitorAddress(request.ip);
    const wait_ms = this.#byAddress.waitMs(address, performance.now());
    if (wait_ms > 0) throw new RequestProblem('too_many_attempts', { retry_after_s: Math.ceil(wait_ms / 1_000) });
    this.#byAddress.count(address, performance.now());
    return hashPassword(password, this.#cost);
  }
}
