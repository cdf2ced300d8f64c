// One-shot transactions for callers that are no Claret clients themselves: run, and retried, by the gateway's own client.
import type { Claret, Description, Scope, TransactionReport } from '@claret/client';
import { GatewayError } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import { checkLabel, describeFromWire, describeNamed, fromClient } from './operations.ts';
import type { NamedOperation, WireOperation } from './operations.ts';

export interface Committed extends TransactionReport {
  /** in the order of the operations; undefined for those without a result */
  results: unknown[];
}

// Of what changes nothing, nothing can be in doubt: the shard went away, and asking again does no harm.
function withoutEffects(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.detail.commitState !== 'unknown') return error;
  return new GatewayError('shard_unavailable', 'The shard went away before it answered.', {
    ...error.detail,
    commitState: 'none',
    retryable: true,
  });
}

export class Transactions {
  private readonly claret: Claret;
  private readonly catalogue: Catalogue;

  constructor(claret: Claret, catalogue: Catalogue) {
    this.claret = claret;
    this.catalogue = catalogue;
  }

  /** Throws GatewayError. */
  oneShot(label: string, operations: readonly NamedOperation[], scope: Scope): Promise<Committed> {
    return this.run(label, operations.map((operation) => describeNamed(this.catalogue, operation)), scope);
  }

  /** Throws GatewayError. */
  oneShotFromWire(label: string, operations: readonly WireOperation[], scope: Scope): Promise<Committed> {
    return this.run(label, operations.map((operation) => describeFromWire(this.catalogue, operation)), scope);
  }

  /** An operation that changes nothing. Throws GatewayError. */
  read(label: string, operation: NamedOperation, scope: Scope): Promise<Committed> {
    const description = describeNamed(this.catalogue, operation);
    const { name, operationClass } = description.spec;
    if (operationClass !== 'observe') {
      throw new GatewayError('invalid_request', `${name} changes the record: use POST /v1/transactions.`);
    }
    return this.run(label, [description], scope).catch((error: unknown) => {
      throw withoutEffects(error);
    });
  }

  private async run(label: string, descriptions: Description<unknown>[], scope: Scope): Promise<Committed> {
    checkLabel(label);
    let report: TransactionReport | undefined;
    try {
      const results = await this.claret.within(scope).transact(label, descriptions, { onCommit: (committed) => (report = committed) });
      return { results, ...report! };
    } catch (error) {
      throw fromClient(error);
    }
  }
}
