// TransactionOptions: the options of one transaction, their defaults, and the report of its commit.

/** The defaults of a client's transactions. */
export interface Limits {
  timeoutMs: number;
  attemptsMax: number;
}

export interface TransactionReport {
  committedAt: bigint;
  retries: number;
  /** it had committed before, under its id, and its result is the answer that was kept */
  replayed: boolean;
}

export interface TransactionOptions {
  /** the time allowed for everything, retries included; 10,000 by default */
  timeoutMs?: number;
  /** 100 by default; 1: never retried */
  attemptsMax?: number;
  /**
   * `snapshot`: all that it observes is of one moment, and no lock is taken for it. What it changes must not have been changed since then,
   * except by operations that commute. Write skew is possible (API.md, "Snapshots"). `serializable` by default.
   */
  isolation?: 'serializable' | 'snapshot';
  /** called when the transaction has committed, before its promise settles */
  onCommit?: (report: TransactionReport) => void;
  /**
   * From `claret.transactionId()`. A transaction with an id commits once, no matter how often and from which clients it is sent, and
   * each caller gets the same answer. Its result must be JSON of up to 64 KiB; bigints are also allowed.
   */
  id?: string;
  /** with `id`: how long after the commit the answer is kept, also over restarts; 600,000 by default, 86,400,000 at most */
  keepMs?: number;
  /** with `id`: if another client runs the transaction, wait (by default), or reject with `transaction_in_progress` */
  inProgress?: 'wait' | 'refuse';
}
