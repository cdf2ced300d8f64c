// Tx: the argument of a transaction's body: typed handles whose operations run inside the transaction. Each run of the body has its own.

import type { BodyRun } from '../attempt/running-attempt.ts';
import { Evaluation } from '../computations/evaluation.ts';
import type { Node } from '../computations/node.ts';
import type { Callable } from '../computations/reader.ts';
import { misuse, misusedGuess, misusedOperation, wantComputation, wantFunction } from '../errors/misuse.ts';
import { Handles } from '../generated/handles.ts';
import type { Description } from '../operation/description.ts';
import { Finish } from '../operation/finish.ts';
import type { Operation } from '../operation/operation.ts';
import { checkedArguments } from '../values/check-call.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import type { WireValue } from '../values/values.ts';
import { Once } from './once.ts';

/** What the runs of one body share. */
export interface Draws {
  /** made by the first draw; null: there was none */
  once: Once | null;
  /** Returns a text that nobody else gets. */
  readonly newId: () => string;
}

/** The value of a node, with which the body of the transaction ends. See Evaluation. */
export let concludeWith: (tx: Tx, node: Node) => ReturnType<Evaluation['conclude']>;

export class Tx extends Handles {
  static {
    concludeWith = (tx, node) => tx.#evaluates().conclude(node);
  }

  readonly #issuer: BodyRun;
  readonly #draws: Draws;
  #onceCalls = 0;
  #idCalls = 0;
  /** null: it has called no computation */
  #evaluation: Evaluation | null = null;
  /** attempts that ended before this one */
  readonly retries: number;

  constructor(issuer: BodyRun, retries: number, draws: Draws) {
    super();
    this.#issuer = issuer;
    this.retries = retries;
    this.#draws = draws;
  }

  /**
   * Gives every run of this body the same value: the one that `draw` returns in the first run that comes here. For times, random numbers and
   * ids. Calls are told apart by their order in the body, so none may depend on what the body reads. What `draw` throws is not kept.
   */
  once<Result>(draw: () => Result): Result {
    wantFunction(draw, 'once takes a function, which draws the value');
    return this.#once.value(this.#onceCalls++, draw);
  }

  get #once(): Once {
    return (this.#draws.once ??= new Once());
  }

  /**
   * A new identifier, of the characters 0-9, a-z and -, which nobody in the cluster gets again. It costs no message, and every run of this body gets
   * the same one. It is no secret: others can be guessed from it.
   */
  newId(): string {
    return this.#once.id(this.#idCalls++, () => this.#draws.newId());
  }

  override issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    return this.#issuer.issue(spec, key, checkedArguments(spec, key, args));
  }

  /**
   * Issues an operation that was described before.
   *
   * `guess`: the result that the caller knows from elsewhere, of an operation that changes nothing, of any but `Dict.all`. The body goes on with
   * it at once, and no message is waited for. Its shard compares it when the transaction commits; if the result is another one, the body runs
   * again, and reads.
   */
  perform<Result>(description: Description<Result>, { guess }: { guess?: Result | undefined } = {}): Operation<Result> {
    const wrong = misusedOperation('perform', description) ?? (guess === undefined ? null : misusedGuess(description, guess));
    if (wrong !== null) throw wrong;
    const { spec, key, args } = description;
    if (guess === undefined || this.#issuer.guess === undefined) return this.#issuer.issue(spec, key, args);
    return this.#issuer.guess({ spec, key, args }, guess as WireValue);
  }

  /**
   * The value of a computation, before the transaction as all results. It is shared and frozen. If it is not in memory, or cannot be proved,
   * the computation runs in this transaction.
   */
  call<Args extends readonly unknown[], Result>(computation: Callable<Args, Result>, ...args: Args): Promise<Result> {
    wantComputation(computation);
    return this.#evaluates().call(computation as unknown as Callable<readonly unknown[], unknown>, args) as Promise<Result>;
  }

  #evaluates(): Evaluation {
    return (this.#evaluation ??= new Evaluation(this.#issuer));
  }

  /** `return tx.finish(operation)`: the commit travels with the operation, whose result is the transaction's. */
  finish<Result>(operation: Operation<Result>): Finish<Result> {
    if (typeof (operation as Operation<Result> | undefined)?.then !== 'function')
      throw misuse('finish takes an operation of this transaction', operation);
    return new Finish(operation);
  }
}
