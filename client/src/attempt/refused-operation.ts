// RefusedOperation: an operation that the client does not send, since its shard could not answer in time.

import type { ClaretError } from '../errors/claret-error.ts';
import { NEVER_SENT, Operation } from '../operation/operation.ts';
import type { Call } from '../values/call.ts';

/**
 * Fails the operation and the attempt after this turn of the body, as if the shard had refused it. An error thrown at once would keep the body
 * from awaiting its other operations.
 */
export function refusedOperation<Result>(
  attempt: { fail(error: ClaretError): void },
  { spec, key, args }: Call,
  error: ClaretError,
): Operation<Result> {
  const operation = new Operation<Result>(NEVER_SENT, spec, key, args);
  queueMicrotask(() => {
    operation.fail(error);
    attempt.fail(error);
  });
  return operation;
}
