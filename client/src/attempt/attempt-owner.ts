// AttemptOwner: the transaction as its attempts see it. Attempts begin with its members and report their ends to it.

import type { ClaretError } from '../errors/claret-error.ts';
import type { Identity } from '../idempotency/identity.ts';
import type { ReceiptDraft } from '../reports/receipt-draft.ts';
import type { Wide } from '../wire/wide.ts';
import type { LockSet } from './lock-set.ts';

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
  /** the parts of the time between its beginning and this attempt: thrown away, backing off, queued */
  readonly thrownAwayMs: number;
  readonly backingOffMs: number;
  readonly queuedMs: number;
  /** what the last attempt did, by shard; null: this is the first */
  readonly lockSets: ReadonlyMap<number, LockSet> | null;
  /** its operations may be shared and join shared ones */
  readonly combines: boolean;
  /** its operations that answer nothing are kept until the end (deferred-operations.ts) */
  readonly defers: boolean;
  /** its operations wait for each other (one-at-a-time.ts) */
  readonly oneAtATime: boolean;
  /** null: it is not observed */
  readonly receipt: ReceiptDraft | null;
  /** null: it has no id */
  readonly identity: Identity | null;
  /** id of its first attempt; null: no history is kept, or this is the first */
  readonly firstId: Uint8Array | null;
  /** The home shard lets the attempt begin. Called only for a transaction with an id. */
  onClaimed(): void;
  /** Another attempt of the transaction has committed before, with that answer. This one left no trace. */
  onCommittedBefore(at: Wide, answer: Uint8Array): void;
  onCommitted(at: Wide): void;
  /** `error.commitState` says whether the transaction may be retried. */
  onFailed(error: ClaretError): void;
}
