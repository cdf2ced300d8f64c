// Tx: the argument of a transaction's body: typed handles whose operations run inside the transaction. Each run of the body has its own.

import { Handles } from '../generated/handles.ts';
import type { Description } from '../operation/description.ts';
import { Finish } from '../operation/finish.ts';
import type { Issuer } from '../operation/issuer.ts';
import type { Operation } from '../operation/operation.ts';
import { checkedArguments } from '../values/check-call.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { Once } from './once.ts';

export class Tx extends Handles {
  readonly #issuer: Issuer;
  /** of the transaction, whose runs share it; made by the first call of `once` */
  readonly #drawn: { once: Once | null };
  #onceCalls = 0;
  /** attempts that ended before this one */
  readonly retries: number;

  constructor(issuer: Issuer, retries: number, drawn: { once: Once | null } = { once: null }) {
    super();
    this.#issuer = issuer;
    this.retries = retries;
    this.#drawn = drawn;
  }

  /**
   * Gives every run of this body the same value: the one that `draw` returns in the first run that comes here. For times, random numbers and
   * ids. Calls are told apart by their order in the body, so none may depend on what the body reads. What `draw` throws is not kept.
   */
  once<Result>(draw: () => Result): Result {
    return (this.#drawn.once ??= new Once()).value(this.#onceCalls++, draw);
  }

  override issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    return this.#issuer.issue(spec, key, checkedArguments(spec, key, args));
  }

  /** Issues an operation that was described before. */
  perform<Result>(description: Description<Result>): Operation<Result> {
    return this.#issuer.issue(description.spec, description.key, description.args);
  }

  /** `return tx.finish(operation)`: the commit travels with the operation, whose result is the transaction's. */
  finish<Result>(operation: Operation<Result>): Finish<Result> {
    return new Finish(operation);
  }
}
