// Interactive transactions for REST callers. Each is the body of a `transaction` call of the client: it exposes its `tx` and then waits for
// the caller's commit or abort. There is only one attempt, since the gateway does not know what the caller would do in a retry.
//
// A refused operation ends its transaction. The id of an ended transaction is unknown, except that the outcome of its commit can be
// requested again for a while.
import { randomBytes } from 'node:crypto';
import type { Claret, ErrorCause, TransactionReport, Tx } from '@claret/client';
import { steered } from '@claret/client/steered';
import { deferred } from '../deferred.ts';
import { GatewayError, isErrorCode } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import { checkCount, checkLabel, describeNamed, fromClient } from './operations.ts';
import type { NamedOperation } from './operations.ts';
import { resultToJson } from './arguments.ts';

const ID_BYTES = 24;
/** how long the outcome of a commit is kept, for callers that lost the answer and commit again */
const ENDED_KEPT_MS = 60_000;
/** added to the client's time limit, so that the table's timer, which aborts, is always first */
const CLIENT_GRACE_MS = 1_000;

export interface InteractiveLimits {
  /** default lifetime */
  lifetimeMs: number;
  lifetimeMsMax: number;
  /** limit on open transactions */
  countMax: number;
}

const NOT_OPEN =
  'No interactive transaction is open under that id at this gateway. It has ended or expired, or another gateway began it: only that one knows the id.';

interface Open {
  tx: Promise<Tx>;
  /** lets the body return, so that the client commits */
  commit: () => void;
  /** lets the body throw, so that the client aborts */
  abort: () => void;
  done: Promise<TransactionReport>;
  expiry: NodeJS.Timeout;
}

/** Error codes for causes that are not error codes themselves. */
const CODES_OF_CAUSES: Partial<Record<ErrorCause, ErrorCode>> = {
  lock_wait: 'expired',
  timeout: 'expired',
  idle: 'expired',
  attempt_lost: 'unknown_attempt',
};

// With a single attempt, the cause is the error, instead of `gave_up`.
function unwrapped(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'gave_up') return error;
  const { cause } = error.detail;
  if (cause === undefined) return error;
  const code = CODES_OF_CAUSES[cause] ?? cause;
  return isErrorCode(code) ? new GatewayError(code, error.message, error.detail) : error;
}

export class InteractiveTable {
  private readonly claret: Claret;
  private readonly catalogue: Catalogue;
  private readonly limits: InteractiveLimits;
  private readonly open = new Map<string, Open>();
  /** ended transactions, oldest first, at most `countMax`; `done` is null if there was no commit */
  private readonly ended = new Map<string, { done: Promise<TransactionReport> | null; untilMs: number }>();

  constructor(claret: Claret, catalogue: Catalogue, limits: InteractiveLimits) {
    this.claret = claret;
    this.catalogue = catalogue;
    this.limits = limits;
  }

  get count(): number {
    return this.open.size;
  }

  /** Throws too_many_transactions, invalid_request, argument_too_large. */
  begin(label: string, lifetimeMs: number = this.limits.lifetimeMs): { id: string; expiresAtMs: number } {
    checkLabel(label);
    const { countMax, lifetimeMsMax } = this.limits;
    if (lifetimeMs > lifetimeMsMax) {
      throw new GatewayError('invalid_request', `expires_in_ms may be ${lifetimeMsMax} at most.`);
    }
    if (this.open.size >= countMax) {
      throw new GatewayError('too_many_transactions', `${countMax} interactive transactions are open.`);
    }
    const id = randomBytes(ID_BYTES).toString('base64url');
    this.open.set(id, this.start(id, label, lifetimeMs));
    return { id, expiresAtMs: Date.now() + lifetimeMs };
  }

  /** Returns results in the form for JSON. Throws GatewayError, and ends the transaction then. */
  async execute(id: string, operations: readonly NamedOperation[]): Promise<unknown[]> {
    const open = this.find(id);
    try {
      checkCount(operations);
      const descriptions = operations.map((operation) => describeNamed(this.catalogue, operation));
      const tx = await open.tx;
      const results = await Promise.all(descriptions.map((description) => tx.perform(description)));
      return results.map(resultToJson);
    } catch (error) {
      this.end(id, open.abort);
      throw fromClient(error);
    }
  }

  /**
   * A repeated commit at this gateway within a minute gets the same answer. Throws GatewayError; the transaction had no effect unless
   * `commitState` says otherwise.
   */
  async commit(id: string): Promise<TransactionReport> {
    const open = this.open.get(id);
    if (open !== undefined) this.end(id, open.commit, open.done);
    const done = this.ended.get(id)?.done;
    if (done == null) throw this.notOpen(id);
    try {
      return await done;
    } catch (error) {
      throw unwrapped(fromClient(error));
    }
  }

  /** Throws unknown_transaction. */
  abort(id: string): void {
    this.end(id, this.find(id).abort);
  }

  /** Aborts all open transactions. */
  close(): void {
    for (const [id, open] of this.open) this.end(id, open.abort);
  }

  private start(id: string, label: string, lifetimeMs: number): Open {
    const begun = deferred<Tx>();
    const ending = deferred<void>();
    const committed = deferred<TransactionReport>();
    const body = async (tx: Tx): Promise<void> => {
      begun.resolve(tx);
      await ending.promise;
    };
    // Each operation is answered only once it is granted, whether it has a result or not.
    const options = steered({ now: true, attemptsMax: 1, timeoutMs: lifetimeMs + CLIENT_GRACE_MS, onCommit: committed.resolve });
    const failed = (error: unknown) => {
      begun.reject(error);
      committed.reject(error);
    };
    this.claret.transaction(label, body, options).catch(failed);
    for (const { promise } of [begun, ending, committed]) promise.catch(() => {}); // callers that await them get the error
    return {
      tx: begun.promise,
      commit: ending.resolve,
      abort: () => ending.reject(new GatewayError('unknown_transaction', 'The interactive transaction was aborted.')),
      done: committed.promise,
      expiry: setTimeout(() => this.abort(id), lifetimeMs).unref(),
    };
  }

  private find(id: string): Open {
    const open = this.open.get(id);
    if (!open) throw this.notOpen(id);
    return open;
  }

  /** `commitState` is `none` only for a known abort: an unknown id may have committed, long ago or before this gateway started. */
  private notOpen(id: string): GatewayError {
    const commitState = this.ended.get(id)?.done === null ? 'none' : 'unknown';
    return new GatewayError('unknown_transaction', NOT_OPEN, { commitState });
  }

  private end(id: string, how: () => void, done: Promise<TransactionReport> | null = null): void {
    const open = this.open.get(id);
    if (!open) return;
    clearTimeout(open.expiry);
    this.open.delete(id);
    how();
    const nowMs = performance.now();
    for (const [oldest, { untilMs }] of this.ended) {
      if (untilMs > nowMs && this.ended.size < this.limits.countMax) break;
      this.ended.delete(oldest);
    }
    this.ended.set(id, { done, untilMs: nowMs + ENDED_KEPT_MS });
  }
}
