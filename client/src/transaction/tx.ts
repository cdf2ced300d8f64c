// Tx: the argument of a transaction's body: typed handles whose operations run inside the transaction. Each attempt has its own.

import type { Attempt } from '../attempt/attempt.ts';
import { Handles } from '../generated/handles.ts';
import type { Description } from '../operation/description.ts';
import { Finish } from '../operation/finish.ts';
import type { Operation } from '../operation/operation.ts';
import { checkCall } from '../values/check-call.ts';
import type { OperationSpec } from '../values/operation-spec.ts';

export class Tx extends Handles {
  readonly #attempt: Attempt;
  /** attempts that ended before this one */
  readonly retries: number;

  constructor(attempt: Attempt, retries: number) {
    super();
    this.#attempt = attempt;
    this.retries = retries;
  }

  override issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    checkCall(spec, key, args);
    return this.#attempt.issue(spec, key, args);
  }

  /** Issues an operation that was described before. */
  perform<Result>(description: Description<Result>): Operation<Result> {
    return this.#attempt.issue(description.spec, description.key, description.args);
  }

  /** `return tx.finish(operation)`: the commit travels with the operation, whose result is the transaction's. */
  finish<Result>(operation: Operation<Result>): Finish<Result> {
    return new Finish(operation);
  }
}
