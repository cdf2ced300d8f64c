// Given: an operation as a computation sees it. Its result comes from elsewhere, and is the computation's own.

import { Operation, type Sender } from '../operation/operation.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { outside } from './purity.ts';

export class Given<Result> extends Operation<Result> {
  constructor(spec: OperationSpec, key: string, args: readonly unknown[], wanted: () => void) {
    super({ want: wanted } satisfies Sender, spec, key, args);
  }

  // oxlint-disable-next-line unicorn/no-thenable
  override then<A = Result, B = never>(
    onResult?: ((result: Result) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B> {
    return outside(() => super.then(onResult, onError));
  }
}
