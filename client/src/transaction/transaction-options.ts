// TransactionOptions: the options of one transaction, their defaults, and the report of its commit.

import type { Way } from '../ways/epoch-choice.ts';

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
   * Operations that answer nothing are sent when they are awaited, rather than with the commit: a `catch` around one then sees its
   * error, and it locks its record from then on. Off by default.
   */
  now?: boolean;
  /**
   * false: the body never runs on a forecast (API.md, "Forecasts"), so that it runs once in each attempt. For bodies whose effects outside
   * the transaction cost much.
   */
  forecast?: boolean;
  /**
   * Whether a list of operations goes by locks or in an epoch (API.md, "Epochs"). By default the client chooses the way that it has measured to be
   * faster. A list with an id goes by locks.
   */
  way?: Way;
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
