// DeferredOperations: the operations of one branch that answer nothing, kept until the attempt ends. They lock their records for the
// round trip of the prepare instead of several. Each is settled at once; its failure is that of the transaction.
//
// Results are of the state before the transaction, so an operation never sees what is kept. Only the order of changes on one record
// matters: an operation that changes a record and answers is sent with what is kept on that record, in the order of issue.

import type { Operation } from '../operation/operation.ts';

type AnyOperation = Operation<unknown>;

/** With more, all are sent, and the body waits for them. */
const DEFERRED_MAX = 256;

export class DeferredOperations {
  #operations: AnyOperation[] = [];

  get all(): readonly AnyOperation[] {
    return this.#operations;
  }

  get isFull(): boolean {
    return this.#operations.length === DEFERRED_MAX;
  }

  /** REQUIRES: not full. */
  add(operation: AnyOperation): void {
    // The literal allocates one item. The first push would allocate 17.
    if (this.#operations.length === 0) this.#operations = [operation];
    else this.#operations.push(operation);
    operation.settle(undefined);
  }

  /** Removes and returns all, or those on one record, in the order of issue. */
  take(key?: string): readonly AnyOperation[] {
    const all = this.#operations;
    if (key === undefined) {
      this.#operations = [];
      return all;
    }
    const taken = all.filter((operation) => operation.key === key);
    if (taken.length > 0) this.#operations = all.filter((operation) => operation.key !== key);
    return taken;
  }
}
