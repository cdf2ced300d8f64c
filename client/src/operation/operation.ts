// Operation: one operation on one record inside an attempt, issued by `tx`.

import type { ClaretError } from '../errors/claret-error.ts';
import type { Call } from '../values/call.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import type { WireValue } from '../values/values.ts';
import { Reaction } from './reaction.ts';

/** Sends an operation as soon as its result is wanted. */
export interface Sender {
  want(operation: Operation<unknown>): void;
}

/**
 * The sender of an operation that is settled, or gets its result in another way. The engine may have moved an array of operations to its old generation, where it lives on until the
 * next full collection even if nothing refers to it. It must not keep whole transactions alive until then, so links are cut.
 */
export const NEVER_SENT: Sender = { want: () => {} };

const PENDING = 0;
const DONE = 1;
const FAILED = 2;

/** Learns what a shard says of a result beside the result itself: its digest, and whether it is promised. */
export interface Witness {
  /** @param grant of the room of warranties, which a shard may also have given earlier */
  told(grant: object): void;
}

/**
 * An operation costs no promise until it is awaited. It is sent no later than the next awaited operation of its shard, or the
 * transaction's end. If it is not awaited and fails, the attempt fails.
 */
export class Operation<Result> implements Call, PromiseLike<Result> {
  readonly spec: OperationSpec;
  readonly key: string;
  readonly args: readonly unknown[];
  /** a request for the lock alone (attempt/reacquisition.ts) */
  intent = false;
  /** the result with which a forecast or the body itself has settled it, which the shard's has to equal; undefined: it was not guessed */
  guess: WireValue | undefined = undefined;
  /** the digest that its result has to have; null: any (warranties/use.ts) */
  expect: Uint8Array | null = null;
  /** null: nobody asks for more than the result */
  witness: Witness | null = null;
  #sender: Sender;
  #state = PENDING;
  /** the result, or the error */
  #value: unknown = undefined;
  /** the first of the reactions that awaited it while it was pending */
  #reactions: Reaction | null = null;

  /** REQUIRES: the arguments are `checkedArguments`. */
  constructor(sender: Sender, spec: OperationSpec, key: string, args: readonly unknown[]) {
    this.#sender = sender;
    this.spec = spec;
    this.key = key;
    this.args = args;
  }

  get settled(): boolean {
    return this.#state !== PENDING;
  }

  /** It is pending, and the body has asked for its result, or for its end. */
  get awaited(): boolean {
    return this.#reactions !== null;
  }

  /** REQUIRES: settled with a result. */
  get value(): Result {
    return this.#value as Result;
  }

  // An operation itself is awaited: `await tx.counter('a').value()`.
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

  // A lock that covers a void operation may settle it before its own answer arrives.
  #end(state: number, value: unknown): void {
    if (this.#state !== PENDING) return;
    this.#state = state;
    this.#value = value;
    for (let reaction = this.#reactions; reaction !== null; reaction = reaction.next) reaction.settle(state === FAILED, value);
    this.#sender = NEVER_SENT;
    this.#reactions = null;
  }
}
