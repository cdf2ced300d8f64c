// AttemptOwner: the transaction as its attempts see it. Attempts begin with its members and report their ends to it.

import type { Deadline } from '../environment/deadline.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { Operation } from '../operation/operation.ts';
import type { Call } from '../values/call.ts';
import type { Answer } from '../wire/client-frame.ts';
import type { Identity } from '../idempotency/identity.ts';
import type { ReceiptDraft } from '../reports/receipt-draft.ts';
import type { Wide } from '../wire/wide.ts';
import type { Plan } from '../ways/plan.ts';
import type { LockSet } from './lock-set.ts';
import type { BodyRun, LockingAttempt } from './running-attempt.ts';

/** Implemented once, since transactions stand above attempts. */
export interface AttemptOwner {
  readonly label: string;
  /** smaller is older */
  readonly priority: Wide;
  readonly retries: number;
  /** attempts that native operations have broken */
  readonly breaks: number;
  /** monotonic */
  readonly begunMs: number;
  readonly deadlineMs: number;
  /** the same, by the civil clock too */
  readonly deadline: Deadline;
  /** the parts of the time between its beginning and this attempt: thrown away, backing off, queued */
  readonly thrownAwayMs: number;
  readonly backingOffMs: number;
  readonly queuedMs: number;
  /** what the last attempt did, by shard; null: this is the first */
  readonly lockSets: ReadonlyMap<number, LockSet> | null;
  /** its operations that answer nothing are kept until the end (deferred-operations.ts) */
  readonly defers: boolean;
  /** it is a list of operations rather than a body; null: a body */
  readonly list: readonly Call[] | null;
  /** which way it goes, attempt by attempt */
  readonly plan: Plan;
  /** it observes a snapshot */
  readonly isSnapshot: boolean;
  /** no snapshot before this one will do, as an earlier attempt has learned; zero: nothing is known */
  snapshotFloor: Wide;
  /** no other attempt may follow this one */
  readonly isLast: boolean;
  /** its operations wait for each other (one-at-a-time.ts) */
  readonly oneAtATime: boolean;
  /** null: it is not observed */
  readonly receipt: ReceiptDraft | null;
  /** null: it has no id */
  readonly identity: Identity | null;
  /** id of its first attempt that is recorded; null: none is */
  firstId: Uint8Array | null;
  /** Runs the body, or issues the list. `run` takes the operations, and then the end. */
  runBody(run: BodyRun): void;
  /** The operations on which the transaction's result depends. REQUIRES: the body has returned. */
  readonly awaitedAtEnd: readonly Operation<unknown>[];
  /** The answer to keep under its id. Throws `ClaretError` for a result that cannot be kept. REQUIRES: the operations have results. */
  answer(): Answer;
  /** It is not to be forecast any more: from now on its attempts take locks. Returns the next one, which has not begun. */
  takeLocks(lockSets: ReadonlyMap<number, LockSet> | null): LockingAttempt;
  /** The error of its body is its outcome: nothing of it has an effect. */
  onThrown(thrown: unknown): void;
  /** Another attempt of the transaction has committed before, with that answer. This one left no trace. */
  onCommittedBefore(at: Wide, answer: Uint8Array): void;
  onCommitted(at: Wide): void;
  /** `error.commitState` says whether the transaction may be retried. */
  onFailed(error: ClaretError): void;
}
