// AttemptOwner: the transaction as its attempts see it: what they begin with, and whom they tell how they ended.

import type { Wanted } from './again.ts';
import type { ClaretError } from './errors.ts';
import type { Identity } from './identity.ts';
import type { ReceiptDraft } from './receipt.ts';
import type { Session } from './session.ts';
import type { Wide } from './wire/client-frame.ts';

export interface AttemptOwner {
  readonly label: string;
  readonly priority: Wide;
  readonly retries: number;
  /** monotonic */
  readonly begunMs: number;
  readonly deadlineMs: number;
  // Of the time since it began, until this attempt: see Before.
  readonly thrownAwayMs: number;
  readonly backingOffMs: number;
  readonly queuedMs: number;
  /** what the last attempt did, by shard; null: it is the first */
  readonly wanted: ReadonlyMap<Session, Wanted> | null;
  /** its operations may be shared and join shared ones */
  readonly combines: boolean;
  /** its operations wait for each other (one-at-a-time.ts) */
  readonly oneAtATime: boolean;
  /** null: nobody observes it */
  readonly receipt: ReceiptDraft | null;
  /** null: it has no id */
  readonly identity: Identity | null;
  /** The home shard lets the attempt begin; only of a transaction with an id. */
  onClaimed(): void;
  /** Another attempt of the transaction has committed before, with that answer. This one has left no trace. */
  onCommittedBefore(at: Wide, answer: Uint8Array): void;
  onCommitted(at: Wide): void;
  /** `error.commitState` says whether it may be retried. */
  onFailed(error: ClaretError): void;
}
