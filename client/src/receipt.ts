// Receipt: what one transaction cost, told when it ends to whoever observes it (`claret.observed`). Kept apart from what runs
// transactions: one that nobody observes has none.

import type { ClaretError, ErrorCause } from './errors.ts';

/** What stood in a transaction's way: members as an error has them (docs/errors.md). */
export interface Blocked {
  key: string | null;
  /** the operation that was refused: "TopK.top" */
  operation: string | null;
  /** the operation that it met, and the label of that one's transaction */
  blocking_operation: string | null;
  blocking_label: string | null;
  cause: ErrorCause | null;
}

/** Written out as it is: members are named as in JSON everywhere here. */
export interface Receipt {
  label: string;
  /** `unknown`: the answer to the commit was lost, and nobody could say in time */
  outcome: 'committed' | 'aborted' | 'unknown';
  /** that the last attempt's body issued */
  operations: number;
  /** that took part in the last attempt */
  shards: number;
  /** by all attempts; where phasing is off, requests that were denied and asked again count too */
  locks_waited: number;
  /** summed over these locks, as the shards measured it; of a denied request, the pause before it was asked again */
  waited_us: number;
  /** attempts that ended before the last one */
  retries: number;
  /** from the call until the caller is told, with everything that held it up */
  duration_ms: number;
  /** what the last denial, wound, deadlock or wait in vain named; null: there was none */
  blocked: Blocked | null;
}

export type ReceiptListener = (receipt: Receipt) => void;

/** Members of an error that name what was in the way. */
type Obstacle = {
  readonly key?: string | undefined;
  readonly operation?: string | undefined;
  readonly blockingOperation?: string | undefined;
  readonly blockingLabel?: string | undefined;
};

const LOCK_CAUSES: readonly (ErrorCause | undefined)[] = ['denied', 'wounded', 'deadlock', 'lock_wait', 'idle'];

/** Takes down one transaction while it runs. */
export class ReceiptDraft {
  readonly listeners: readonly ReceiptListener[];
  #locksWaited = 0;
  #waitedUs = 0;
  #blocked: Blocked | null = null;

  constructor(listeners: readonly ReceiptListener[]) {
    this.listeners = listeners;
  }

  /** A shard says what it let the attempt wait for. */
  waited(locks: number, microseconds: number): void {
    this.#locksWaited += locks;
    this.#waitedUs += microseconds;
  }

  /** A request met a lock while phasing was off, and is asked again after that pause; null: the attempt ends. */
  denied(by: Obstacle, pauseUs: number | null): void {
    this.#blocked = blockedBy(by, 'denied');
    if (pauseUs !== null) this.waited(1, pauseUs);
  }

  /** An attempt has ended. */
  failed(error: ClaretError): void {
    if (LOCK_CAUSES.includes(error.cause)) this.#blocked = blockedBy(error, error.cause!);
  }

  end(
    label: string,
    outcome: Receipt['outcome'],
    retries: number,
    durationMs: number,
    last: { operations: number; shards: number },
  ): Receipt {
    return {
      label,
      outcome,
      operations: last.operations,
      shards: last.shards,
      locks_waited: this.#locksWaited,
      waited_us: Math.round(this.#waitedUs),
      retries,
      duration_ms: durationMs,
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
