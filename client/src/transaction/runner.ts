// Runner: the things that a transaction needs to run, as it sees them.

import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import type { LockingAttempt, RunningAttempt } from '../attempt/running-attempt.ts';
import type { Environment } from '../environment/environment.ts';
import type { EpochChoice } from '../epochs/epoch-choice.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { Admitted } from '../limits/admission.ts';
import type { Limited } from '../limits/deadlines.ts';
import type { Counters } from '../reports/counters.ts';
import type { Wide } from '../wire/wide.ts';

/** The defaults of a client's transactions. */
export interface Limits {
  timeoutMs: number;
  attemptsMax: number;
}

/** A transaction as its runner sees it. */
export interface RunningTransaction extends Admitted, Limited {
  /** see AttemptOwner */
  readonly fellBack: boolean;
  /** @param backedOff it starts after a pause, and not in its turn */
  start(backedOff?: boolean): void;
  /** The client is closing. */
  close(error: ClaretError): void;
}

export interface Runner {
  readonly environment: Environment;
  readonly counters: Counters;
  readonly limits: Limits;
  /** transactions send each operation only after the answer to the one before */
  readonly oneAtATime: boolean;
  /** operations that answer nothing are kept until their transaction ends */
  readonly defers: boolean;
  readonly epochChoice: EpochChoice;
  nextPriority(): Wide;
  /** An attempt of the transaction, which has not begun. */
  beginAttempt(owner: AttemptOwner): RunningAttempt;
  /** The same, one that takes locks as it goes. */
  beginLocking(owner: AttemptOwner): LockingAttempt;
  /** Starts the transaction again after its attempt has failed. */
  retry(transaction: RunningTransaction, error: ClaretError): void;
  /** Starts the transaction again at once, after an attempt whose failure says nothing of the load. */
  again(transaction: RunningTransaction): void;
  /** Starts the transaction again after a pause that does not count as a retry. */
  pause(transaction: RunningTransaction, delayUs: number): void;
  /** The transaction is settled. */
  ended(transaction: RunningTransaction): void;
}
