// Description: an operation that is only described, by `claret.on`. `transact` and `watch` take it.

import { checkedArguments } from '../values/check-call.ts';
import type { Call } from '../values/call.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import type { Operation } from './operation.ts';

/** `Result` is the type of the operation's result. */
export class Description<Result> implements Call {
  readonly spec: OperationSpec;
  readonly key: string;
  readonly args: readonly unknown[];
  /** never set: carries the type */
  declare readonly result: Result;

  /** Throws `ClaretError` for arguments that no shard would take. */
  constructor(spec: OperationSpec, key: string, args: readonly unknown[]) {
    this.spec = spec;
    this.key = key;
    this.args = checkedArguments(spec, key, args);
  }
}

/** A handle whose operations are only described. */
export type Described<Handle> = {
  [Name in keyof Handle]: Handle[Name] extends (...args: infer Args) => Operation<infer Result>
    ? (...args: Args) => Description<Result>
    : never;
};

/** The results of a list of descriptions. */
export type ResultsOf<Descriptions extends readonly Description<unknown>[]> = {
  -readonly [Index in keyof Descriptions]: Descriptions[Index] extends Description<infer Result> ? Result : never;
};
