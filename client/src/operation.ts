// One operation on one record, in its three shapes: a Description is only said, an Operation runs inside an attempt, a
// Finish is the operation that the attempt ends with.

import type { ClaretError } from './errors.ts';
import { Reaction } from './reaction.ts';
import { checkCall, type OperationSpec } from './values.ts';
import type { Call } from './wire/client-frame.ts';

/** What is issued by `claret.on`: for `transact` and `watch`. `Result` is what the operation answers. */
export class Description<Result> implements Call {
  readonly spec: OperationSpec;
  readonly key: string;
  readonly args: readonly unknown[];
  /** never set: carries the type */
  declare readonly result: Result;

  /** Throws `ClaretError` for arguments that no shard would take. */
  constructor(spec: OperationSpec, key: string, args: readonly unknown[]) {
    checkCall(spec, key, args);
    this.spec = spec;
    this.key = key;
    this.args = args;
  }
}

/** Who sends an operation, once somebody wants its result. */
export interface Sender {
  want(operation: Operation<unknown>): void;
  /** an operation that was counted as awaited at this slot is settled */
  settled(slot: number): void;
}

const PENDING = 0;
const DONE = 1;
const FAILED = 2;

/**
 * What is issued by `tx`. Costs no promise until it is awaited, and is sent no later than the next operation of its
 * shard that is, or the transaction's end. One that is not awaited and fails, fails the attempt.
 */
export class Operation<Result> implements Call, PromiseLike<Result> {
  readonly spec: OperationSpec;
  readonly key: string;
  readonly args: readonly unknown[];
  /** the slot at which it is counted as awaited (combiner.ts); -1: nowhere */
  awaitedSlot = -1;
  /** asked for its lock alone (again.ts) */
  intent = false;
  readonly #sender: Sender;
  #state = PENDING;
  /** the result, or the error */
  #value: unknown = undefined;
  /** who has awaited it while it was under way, the first of them */
  #reactions: Reaction | null = null;

  /** REQUIRES: `checkCall` has found nothing. */
  constructor(sender: Sender, spec: OperationSpec, key: string, args: readonly unknown[]) {
    this.#sender = sender;
    this.spec = spec;
    this.key = key;
    this.args = args;
  }

  get settled(): boolean {
    return this.#state !== PENDING;
  }

  /** Somebody has asked for its result, or for the end of it. */
  get awaited(): boolean {
    return this.#reactions !== null;
  }

  /** REQUIRES: settled with a result. */
  get value(): Result {
    return this.#value as Result;
  }

  // An operation is awaited as it is: `await tx.counter('a').value()`.
  // oxlint-disable-next-line unicorn/no-thenable
  then<A = Result, B = never>(
    onResult?: ((result: Result) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B> {
    const reaction = new Reaction(onResult, onError);
    if (this.#state !== PENDING) {
      reaction.settle(this.#state === FAILED, this.#value);
      return reaction as PromiseLike<A | B>;
    }
    let last = this.#reactions;
    if (last === null) {
      this.#reactions = reaction;
      this.#sender.want(this as Operation<unknown>);
    } else {
      while (last.next !== null) last = last.next;
      last.next = reaction;
    }
    return reaction as PromiseLike<A | B>;
  }

  settle(result: unknown): void {
    this.#end(DONE, result);
  }

  fail(error: ClaretError): void {
    this.#end(FAILED, error);
  }

  // A void operation may be settled by a lock that covers it, and answered afterwards.
  #end(state: number, value: unknown): void {
    if (this.#state !== PENDING) return;
    this.#state = state;
    this.#value = value;
    this.#uncount();
    for (let reaction = this.#reactions; reaction !== null; reaction = reaction.next) reaction.settle(state === FAILED, value);
  }

  #uncount(): void {
    if (this.awaitedSlot < 0) return;
    this.#sender.settled(this.awaitedSlot);
    this.awaitedSlot = -1;
  }
}

/** `return tx.finish(op)`: not a thenable, so that an async body can return it without waiting for the operation. */
export class Finish<Result> {
  readonly operation: Operation<Result>;

  constructor(operation: Operation<Result>) {
    this.operation = operation;
  }
}

/** Where typed handles put their operations. */
export interface Issuer {
  issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result>;
}

/** The same handle with every operation only described. */
export type Described<Handle> = {
  [Name in keyof Handle]: Handle[Name] extends (...args: infer Args) => Operation<infer Result>
    ? (...args: Args) => Description<Result>
    : never;
};

/** The results of a list of descriptions. */
export type ResultsOf<Descriptions extends readonly Description<unknown>[]> = {
  -readonly [Index in keyof Descriptions]: Descriptions[Index] extends Description<infer Result> ? Result : never;
};
