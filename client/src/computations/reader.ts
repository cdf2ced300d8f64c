// Reader: the argument of a computation: typed handles that only observe, and other computations.

import { wantComputation } from '../errors/misuse.ts';
import { Handles, type ReadingHandles } from '../generated/handles.ts';
import type { Operation } from '../operation/operation.ts';
import { checkedArguments } from '../values/check-call.ts';
import type { OperationSpec } from '../values/operation-spec.ts';

/** What a computation does: it reads, and returns what follows from that alone. */
export type ComputationBody<Args extends readonly unknown[], Result> = (
  read: Reader,
  ...args: Args
) => Promise<Result> | Operation<Result> | Result;

/** What can be called, inside a transaction or another computation. */
export interface Callable<Args extends readonly unknown[], Result> {
  /** never called: carries the types */
  readonly body: ComputationBody<Args, Result>;
}

/** What a computation gets to read with. Implemented once, since it hides `issue` from applications. */
export interface Reader extends ReadingHandles {
  /** The value of another computation. It is shared and frozen. */
  call<Args extends readonly unknown[], Result>(computation: Callable<Args, Result>, ...args: Args): Promise<Result>;
}

/** Where the results come from. */
export interface ResultSource {
  observe<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result>;
  call(computation: Callable<readonly unknown[], unknown>, args: readonly unknown[]): Promise<unknown>;
}

export class ComputationReader extends Handles implements Reader {
  readonly #source: ResultSource;

  constructor(source: ResultSource) {
    super();
    this.#source = source;
  }

  override issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    return this.#source.observe(spec, key, checkedArguments(spec, key, args));
  }

  call<Args extends readonly unknown[], Result>(computation: Callable<Args, Result>, ...args: Args): Promise<Result> {
    wantComputation(computation);
    return this.#source.call(computation as unknown as Callable<readonly unknown[], unknown>, args) as Promise<Result>;
  }
}
