// Logging in with a name and a password. Failures are limited per name and per address.
import { RequestProblem } from '../problem.ts';
import { visitorAddress } from './address.ts';
import { verifyPassword, type Cost } from './password.ts';
import { AttemptLimit } from './rate-limit.ts';

const FAILURES_PER_NAME = { budget: 10, window_ms: 5 * 60_000 };
const FAILURES_PER_ADDRESS = { budget: 50, window_ms: 5 * 60_000 };

export class LoginCheck {
  readonly #byName = new AttemptLimit(FAILURES_PER_NAME);
  readonly #byAddress = new AttemptLimit(FAILURES_PER_ADDRESS);
  readonly #cost: Cost;

  constructor(password_cost: Cost) {
    this.#cost = password_cost;
  }

  /**
   * The account of this name if the password is right; otherwise throws a RequestProblem. `find` gives null if the account does not exist.
   */
  async check<Account extends { credentials: string | null }>(
    request: { ip: string },
    attempt: { name: string; password: string },
    find: () => Promise<Account | null>,
  ): Promise<Account> {
    const name = attempt.name.toLowerCase();
    const address = visitorAddress(request.ip);
    const wait_ms = Math.max(this.#byName.waitMs(name, performance.now()), this.#byAddress.waitMs(address, performance.now()));
    if (wait_ms > 0) throw new RequestProblem('too_many_attempts', { retry_after_s: Math.ceil(wait_ms / 1_000) });
    // Counted before the work starts, so that a burst of concurrent guesses is counted too.
    this.#byName.count(name, performance.now());
    this.#byAddress.count(address, performance.now());
    let wrong = false;
    try {
      const account = name.isWellFormed() ? await find() : null;
      const fits = await verifyPassword(attempt.password, account?.credentials ?? null, this.#cost);
      wrong = !fits || account === null;
      if (!fits || account === null) throw new RequestProblem('wrong_credentials');
      return account;
    } finally {
      // A store error is not a failed attempt either.
      if (!wrong) {
        this.#byName.takeBack(name);
        this.#byAddress.takeBack(address);
      }
    }
  }
}
