// ReceiptDraft: gathers the receipt of one transaction while it runs. Only an observed transaction has one.

import type { ClaretError } from '../errors/claret-error.ts';
import type { ErrorCause } from '../errors/error-codes.ts';
import { metLock } from '../errors/met-lock.ts';
import { bigOf, type Wide } from '../wire/wide.ts';
import type { Blocked, Receipt, ReceiptBatch, ReceiptListener } from './receipt.ts';

/** The members of an error that name the obstacle. */
interface Obstacle {
  readonly key?: string | undefined;
  readonly operation?: string | undefined;
  readonly blockingOperation?: string | undefined;
  readonly blockingLabel?: string | undefined;
}

/** How a transaction ended. */
export interface Ending {
  readonly label: string;
  readonly outcome: Receipt['outcome'];
  readonly retries: number;
  readonly durationMs: number;
  /** of the last attempt */
  readonly operations: number;
  readonly warranted: number;
  readonly shards: number;
  /** its duration, if it was a member of an epoch */
  readonly epochMs: number | null;
}

export class ReceiptDraft {
  readonly listeners: readonly ReceiptListener[];
  #locksWaited = 0;
  #waitedUs = 0;
  #blocked: Blocked | null = null;
  #bodyRuns = 0;
  #outs = 0;
  /** when it began to wait for the turn to be sent in */
  #queuedMs: number | null = null;
  #turnWaitedUs = 0;
  #concludedMs = 0;
  #batch: ReceiptBatch | null = null;
  #chainsBroken = 0;
  #chainBroken: string | null = null;

  constructor(listeners: readonly ReceiptListener[]) {
    this.listeners = listeners;
  }

  /** A shard reports the attempt's waits for locks. */
  waited(locks: number, microseconds: number): void {
    this.#locksWaited += locks;
    this.#waitedUs += microseconds;
  }

  /** A request met a lock while phasing was off, and is sent again after that pause; null: the attempt ends. */
  denied(by: Obstacle, pauseUs: number | null): void {
    this.#blocked = blockedBy(by, 'denied');
    if (pauseUs !== null) this.waited(1, pauseUs);
  }

  /** The body begins to run. */
  bodyRuns(): void {
    this.#bodyRuns++;
  }

  /** A forecast proved wrong. */
  out(): void {
    this.#outs++;
  }

  /** It waits for a turn. */
  wantsTurn(nowMs: number): void {
    this.#queuedMs ??= nowMs;
  }

  /** It is sent to several shards. */
  hasTurn(nowMs: number): void {
    if (this.#queuedMs !== null) this.#turnWaitedUs += 1_000 * (nowMs - this.#queuedMs);
    this.#queuedMs = null;
  }

  /** It may commit, as far as its client is concerned. */
  concluded(nowMs: number): void {
    this.#concludedMs = nowMs;
  }

  /** Its batch leaves. */
  batched(members: number, shards: readonly number[], nowMs: number): void {
    const waited_us = Math.round(1_000 * (nowMs - this.#concludedMs));
    this.#batch = { members, shards: shards.toSorted((one, other) => one - other), at: null, waited_us, stood_back: false };
  }

  /** A shard has put its batch under locks. */
  stoodBack(): void {
    if (this.#batch !== null) this.#batch.stood_back = true;
  }

  /** Its batch has committed. */
  batchCommitted(at: Wide): void {
    if (this.#batch !== null) this.#batch.at = String(bigOf(at));
  }

  /** The attempt ends, since its chain is broken. */
  chainBroken(reason: string): void {
    this.#chainsBroken++;
    this.#chainBroken = reason;
  }

  /** An attempt has ended. */
  failed(error: ClaretError): void {
    if (metLock(error)) this.#blocked = blockedBy(error, error.cause!);
  }

  end({ label, outcome, retries, durationMs, operations, warranted, shards, epochMs }: Ending): Receipt {
    return {
      label,
      outcome,
      operations,
      warranted,
      shards,
      locks_waited: this.#locksWaited,
      waited_us: Math.round(this.#waitedUs),
      retries,
      duration_ms: durationMs,
      body_runs: this.#bodyRuns,
      forecasts_out: this.#outs,
      turn_waited_us: Math.round(this.#turnWaitedUs),
      batch: this.#batch,
      chains_broken: this.#chainsBroken,
      chain_broken: this.#chainBroken,
      epoch_us: epochMs === null ? null : Math.round(1_000 * epochMs),
      blocked: this.#blocked,
    };
  }
}

function blockedBy({ key, operation, blockingOperation, blockingLabel }: Obstacle, cause: ErrorCause): Blocked {
  return {
    key: key || null,
    operation: operation || null,
    blocking_operation: blockingOperation || null,
    blocking_label: blockingLabel || null,
    cause,
  };
}
