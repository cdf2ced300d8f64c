// Finish: the operation that ends its transaction, as `return tx.finish(operation)` says. It is not a thenable, so that an async
// body can return it without waiting for the operation.

import type { Operation } from './operation.ts';

export class Finish<Result> {
  readonly operation: Operation<Result>;

  constructor(operation: Operation<Result>) {
    this.operation = operation;
  }
}
