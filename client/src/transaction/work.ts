// Work: the content of a transaction: a body, or, for a one-shot transaction, a list of operations.

import type { Description } from '../operation/description.ts';
import { Finish } from '../operation/finish.ts';
import type { Issuer } from '../operation/issuer.ts';
import { Operation } from '../operation/operation.ts';
import type { Tx } from './tx.ts';

export type Body<Result> = (tx: Tx) => Promise<Result | Finish<Result>> | Operation<Result> | Finish<Result> | Result;

/** The results of a list are the transaction's result. */
export type Work = Body<unknown> | readonly Description<unknown>[];

/**
 * The operations on which the result of a transaction depends.
 * @param outcome what the body returned, or the operations of the list
 */
export function operationsOf(work: Work, outcome: unknown): readonly Operation<unknown>[] {
  if (typeof work !== 'function') return outcome as Operation<unknown>[];
  if (outcome instanceof Finish) return [outcome.operation];
  return outcome instanceof Operation ? [outcome] : [];
}

/** Issues the operations of a list as a body would that awaits each. */
export async function issueInTurn(issuer: Issuer, list: readonly Description<unknown>[]): Promise<readonly Operation<unknown>[]> {
  const operations: Operation<unknown>[] = [];
  for (const { spec, key, args } of list) {
    const operation = issuer.issue(spec, key, args);
    operations.push(operation);
    await operation;
  }
  return operations;
}

/** The result of a transaction. REQUIRES: the operations on which it depends have results. */
export function resultOfWork(work: Work, outcome: unknown): unknown {
  if (typeof work !== 'function') return (outcome as Operation<unknown>[]).map(({ value }) => value);
  if (outcome instanceof Finish) return outcome.operation.value;
  return outcome instanceof Operation ? outcome.value : outcome;
}
