// Native operations for callers without a Claret client, performed by the gateway's own client. Each is executed by itself, outside any
// transaction (docs/decisions/0023-natives.md).
//
// A native that was sent cannot be called off. Its shard answers or withdraws it within a second.
import type { Claret, Description, Scope } from '@claret/client';
import { GatewayError } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import { checkCount, describeFromWire, describeNamed, fromClient } from './operations.ts';
import type { NamedOperation, WireOperation } from './operations.ts';

export interface Executed {
  /** undefined: the operation has no result */
  value: unknown;
  executedAt: bigint;
}

export class Natives {
  private readonly claret: Claret;
  private readonly catalogue: Catalogue;

  constructor(claret: Claret, catalogue: Catalogue) {
    this.claret = claret;
    this.catalogue = catalogue;
  }

  /** Throws GatewayError. */
  async perform(operation: NamedOperation, scope: Scope): Promise<Executed> {
    return issue(this.within(scope), describeNamed(this.catalogue, operation));
  }

  /** Performs an operation of class observe; `at`: as of that moment. Throws GatewayError. */
  async read(operation: NamedOperation, scope: Scope, at?: Date | bigint): Promise<Executed> {
    const description = describeNamed(this.catalogue, operation);
    const { name, operationClass } = description.spec;
    if (operationClass !== 'observe') throw new GatewayError('invalid_request', `${name} changes the record: send it with POST.`);
    return issue(this.within(scope), description, at);
  }

  /**
   * Performs operations independently of each other; those on one record are executed in order. Resolves with the outcome of each: an
   * operation that is refused fails alone, with a GatewayError. Throws too_many_operations.
   */
  async runFromWire(operations: readonly WireOperation[], scope: Scope): Promise<PromiseSettledResult<Executed>[]> {
    checkCount(operations);
    const native = this.within(scope);
    const perform = async (operation: WireOperation) => {
      if (operation.expected !== undefined) throw new GatewayError('invalid_request', 'Only a transaction expects results: Transact.');
      return issue(native, describeFromWire(this.catalogue, operation), operation.at || undefined);
    };
    return Promise.allSettled(operations.map(perform));
  }

  /** Throws called_off. */
  private within(scope: Scope): Claret['native'] {
    if (scope.calledOff || performance.now() >= scope.deadlineMs) {
      throw new GatewayError('called_off', 'The caller went away before the operation was sent.');
    }
    return this.claret.within(scope).native;
  }
}

async function issue(native: Claret['native'], description: Description<unknown>, at?: Date | bigint): Promise<Executed> {
  try {
    let executedAt = 0n;
    const value = await native.perform(description, { onExecuted: (told) => (executedAt = told), ...(at !== undefined && { at }) });
    return { value, executedAt };
  } catch (error) {
    throw withAdvice(fromClient(error));
  }
}

/** Says of an operation whose outcome is unknown that it is not safe to send again as it is. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'outcome_unknown') return error;
  const message =
    'The answer was lost, so the operation may have been executed. Sent again, it may be executed twice. With an idempotency key it is executed once.';
  return new GatewayError(error.code, message, error.detail);
}
