// One-shot transactions for callers without a Claret client, run and retried by the gateway's own client.
import type { Claret, Scope, TransactionOptions, TransactionReport, Tx } from '@claret/client';
import { GatewayError } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import { IN_JSON, ON_WIRE, expects, perform, stepFromJson, stepFromWire } from './expectations.ts';
import type { PlacedStep, Telling } from './expectations.ts';
import { Natives } from './natives.ts';
import { checkCount, checkLabel, fromClient } from './operations.ts';
import type { ExpectingOperation, WireOperation } from './operations.ts';

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
  async oneShot(label: string, operations: readonly ExpectingOperation[], how: How): Promise<Committed> {
    checkCount(operations);
    const steps = operations.map((operation, i) => stepFromJson(this.catalogue, operation, i));
    return this.run(label, steps, how, IN_JSON);
  }

  /** Throws GatewayError. */
  async oneShotFromWire(label: string, operations: readonly WireOperation[], how: How): Promise<Committed> {
    if (operations.length === 0) throw new GatewayError('invalid_request', 'A transaction has one operation at least.');
    checkCount(operations);
    const steps = operations.map((operation, i) => stepFromWire(this.catalogue, operation, i));
    return this.run(label, steps, how, ON_WIRE);
  }

  private async run(label: string, steps: readonly PlacedStep[], how: How, telling: Telling): Promise<Committed> {
    checkLabel(label);
    const expecting = steps.filter(expects);
    const claret = this.claret.within(how.scope);
    try {
      return await this.commit(claret, label, steps, how, telling);
    } catch (thrown) {
      const error = fromClient(thrown);
      if (expecting.length > 0 && isRefusal(error)) await this.compare(claret, label, expecting, telling);
      throw error;
    }
  }

  private async commit(
    claret: Claret,
    label: string,
    steps: readonly PlacedStep[],
    { idempotency }: How,
    telling: Telling,
  ): Promise<Committed> {
    let report: TransactionReport | undefined;
    const options = { onCommit: (committed: TransactionReport) => (report = committed) };
    if (idempotency !== undefined) {
      const { id, fingerprint, keepMs } = idempotency;
      const body = (tx: Tx) => performForId(tx, steps, telling, fingerprint);
      const kept = await claret.transaction(label, body, { ...options, id, keepMs, inProgress: 'refuse' });
      return { ...answerOf(kept, fingerprint), committedAt: report!.committedAt, replayed: report!.replayed };
    }
    const results = steps.some(expects)
      ? await runBody(claret, label, steps, telling, options)
      : await claret.transact(
          label,
          steps.map(({ description }) => description),
          options,
        );
    return { results, ...report! };
  }

  /**
   * A list was refused for what a record is. Its caller has to know first that it rests on results which are others now. Throws expectation_failed.
   */
  private async compare(claret: Claret, label: string, expecting: readonly PlacedStep[], telling: Telling): Promise<void> {
    const reads = expecting.filter(({ description }) => description.spec.operationClass === 'observe');
    try {
      await runBody(claret, label, reads, telling, {});
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'expectation_failed') throw error;
    }
  }
}

/** It would be refused again on the same records, and nothing has happened. */
const isRefusal = (error: unknown): boolean =>
  error instanceof GatewayError && error.code !== 'expectation_failed' && !error.retryable && error.detail.commitState === 'none';

/** Returns the results. */
async function runBody(
  claret: Claret,
  label: string,
  steps: readonly PlacedStep[],
  telling: Telling,
  options: TransactionOptions,
): Promise<unknown[]> {
  // Results that nothing is compared with arrive with the commit.
  const operations = await claret.transaction(label, (tx) => perform(tx, steps, telling), options);
  return operations.map(({ value }) => value);
}

async function performForId(tx: Tx, steps: readonly PlacedStep[], telling: Telling, fingerprint: string): Promise<KeptAnswer> {
  const operations = await perform(tx, steps, telling);
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
