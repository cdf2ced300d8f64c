// Expectations: results that operations of a list have to have. For callers who read, decide and write in separate requests: REST, unary gRPC,
// the command line.

import { mayBeGuessed } from '../errors/misuse.ts';
import type { Description } from '../operation/description.ts';
import type { Operation } from '../operation/operation.ts';
import { isSame } from '../values/same.ts';
import type { Tx } from './tx.ts';

/** An operation of a list. */
export interface Step {
  readonly description: Description<unknown>;
  /** the result that it has to have (`expectedResult`); undefined: any */
  readonly expected?: unknown;
}

/** An operation that has another result than was expected. */
export interface Unmet<S extends Step> {
  readonly step: S;
  readonly result: unknown;
}

/**
 * Issues the operations of a list, and resolves once it has compared those that have to have a certain result. REQUIRES: the body throws if any
 * is unmet. Operations without expectation need not have settled yet.
 * @param toldAs the form in which the caller is told of results: what is the same to the caller is the same
 */
export async function performExpecting<S extends Step>(
  tx: Tx,
  steps: readonly S[],
  toldAs: (result: unknown) => unknown,
): Promise<{ operations: Operation<unknown>[]; unmet: Unmet<S>[] }> {
  // What may be guessed costs no message of its own: its shard compares it at the commit. The caller is told only what has been read.
  const operations = steps.map(({ description, expected }) =>
    tx.perform(description, mayBeGuessed(description.spec) ? { guess: expected } : {}),
  );
  const results = await Promise.all(steps.map(({ expected }, i) => (expected === undefined ? undefined : operations[i])));
  const differs = ({ expected }: S, i: number) => expected !== undefined && !isSame(toldAs(results[i]), toldAs(expected));
  const unmet = steps.flatMap((step, i) => (differs(step, i) ? [{ step, result: results[i] }] : []));
  return { operations, unmet };
}
