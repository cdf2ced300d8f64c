// One-shot transactions for callers without a Claret client, run and retried by the gateway's own client.
import { WAYS, type Claret, type Description, type Scope, type TransactionReport, type Tx, type Way } from '@claret/client';
import { GatewayError } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import { Natives } from './natives.ts';
import { checkCount, checkLabel, describeFromWire, describeNamed, fromClient } from './operations.ts';
import type { NamedOperation, WireOperation } from './operations.ts';

export interface Committed extends TransactionReport {
  /** in the order of the operations; undefined for those without a result */
  results: unknown[];
}

/** Makes a call idempotent. */
export interface Idempotency {
  /** the client's transaction id */
  id: string;
  /** fingerprint of the request; another request with the same id is refused */
  fingerprint: string;
  keepMs: number;
}

/** How a one-shot transaction runs. */
export interface How {
  scope: Scope;
  idempotency?: Idempotency | undefined;
  /** whether it is a member of an epoch */
  way?: Way | undefined;
}

/** Throws GatewayError. Empty: auto. */
export function wayOf(text: string): Way {
  const way = WAYS.find((known) => known === (text || 'auto'));
  if (way === undefined) throw new GatewayError('invalid_request', `way is one of ${WAYS.join(', ')}.`);
  return way;
}

/** The answer that a shard keeps for a transaction with an id. */
interface KeptAnswer {
  fingerprint: string;
  results: unknown[];
  retries: number;
}

export class Transactions {
  /** single operations, outside any transaction */
  readonly natives: Natives;
  private readonly claret: Claret;
  private readonly catalogue: Catalogue;

  constructor(claret: Claret, catalogue: Catalogue) {
    this.natives = new Natives(claret, catalogue);
    this.claret = claret;
    this.catalogue = catalogue;
  }

  /** Throws GatewayError. */
  oneShot(label: string, operations: readonly NamedOperation[], how: How): Promise<Committed> {
    checkCount(operations);
    return this.run(
      label,
      operations.map((operation) => describeNamed(this.catalogue, operation)),
      how,
    );
  }

  /** Throws GatewayError. */
  async oneShotFromWire(label: string, operations: readonly WireOperation[], how: How): Promise<Committed> {
    if (operations.length === 0) throw new GatewayError('invalid_request', 'A transaction has one operation at least.');
    checkCount(operations);
    return this.run(
      label,
      operations.map((operation) => describeFromWire(this.catalogue, operation)),
      how,
    );
  }

  private async run(label: string, descriptions: Description<unknown>[], { scope, idempotency, way = 'auto' }: How): Promise<Committed> {
    checkLabel(label);
    let report: TransactionReport | undefined;
    const onCommit = (committed: TransactionReport) => (report = committed);
    const claret = this.claret.within(scope);
    try {
      if (idempotency === undefined) return { results: await claret.transact(label, descriptions, { onCommit, way }), ...report! };
      const { id, fingerprint, keepMs } = idempotency;
      const body = (tx: Tx) => performAll(tx, descriptions, fingerprint);
      const kept = await claret.transaction(label, body, { id, keepMs, inProgress: 'refuse', onCommit });
      return { ...answerOf(kept, fingerprint), committedAt: report!.committedAt, replayed: report!.replayed };
    } catch (error) {
      throw fromClient(error);
    }
  }
}

async function performAll(tx: Tx, descriptions: Description<unknown>[], fingerprint: string): Promise<KeptAnswer> {
  const operations = descriptions.map((description) => tx.perform(description));
  const results = await Promise.all(operations.map((operation) => (operation.spec.result === 'void' ? undefined : operation)));
  return { fingerprint, results, retries: tx.retries };
}

/** Throws idempotency_key_reused if the kept answer is not one to this request; any client may have written it. */
function answerOf(kept: Partial<KeptAnswer> | null | undefined, fingerprint: string): { results: unknown[]; retries: number } {
  if (kept?.fingerprint !== fingerprint || !Array.isArray(kept.results)) {
    throw new GatewayError('idempotency_key_reused', 'The key was used before with another payload.');
  }
  return { results: kept.results, retries: kept.retries ?? 0 };
}
