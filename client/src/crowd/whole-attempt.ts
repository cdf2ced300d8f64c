// WholeAttempt: the identity of an attempt that is sent whole: its id, its number in the client's table, and its Begin.

import type { Deadline } from '../environment/deadline.ts';
import type { AttemptUnderWay } from '../attempt/dependencies.ts';
import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import { microseconds, timeBefore } from '../attempt/elapsed.ts';
import type { ReceiptDraft } from '../reports/receipt-draft.ts';
import { ID_BYTES, type Begin } from '../wire/client-frame.ts';
import type { Wide } from '../wire/wide.ts';

/** The id begins at `at` in `bytes`. */
export interface AttemptId {
  readonly bytes: Uint8Array;
  readonly at: number;
}

export abstract class WholeAttempt implements AttemptUnderWay {
  /** given by the table of attempts, once it is sent */
  number = 0;
  readonly owner: AttemptOwner;
  readonly receipt: ReceiptDraft | null;
  readonly #id: AttemptId;

  /** @param receipt null: what becomes of it stands in none */
  constructor(owner: AttemptOwner, id: AttemptId, receipt: ReceiptDraft | null = null) {
    this.owner = owner;
    this.receipt = receipt;
    this.#id = id;
  }

  get id(): Uint8Array {
    return this.#id.bytes.subarray(this.#id.at, this.#id.at + ID_BYTES);
  }

  get priority(): Wide {
    return this.owner.priority;
  }

  get deadlineMs(): number {
    return this.owner.deadlineMs;
  }

  get deadline(): Deadline {
    return this.owner.deadline;
  }

  beginAt(shard: number, nowMs: number): Begin {
    const { owner } = this;
    return {
      ids: this.#id.bytes,
      idAt: this.#id.at,
      label: owner.label,
      priority: owner.priority,
      retries: owner.retries,
      breaks: owner.breaks,
      home: shard,
      expiresInMs: Math.max(1, Math.ceil(this.deadlineMs - nowMs)),
      exclusive: [],
      ageUs: microseconds(nowMs - owner.begunMs),
      before: timeBefore(owner),
      transaction: null,
      epochManager: null,
    };
  }

  // It has no branch, and nobody waits for its locks. Its session's chains deal with the loss of the session.

  branchAt(): null {
    return null;
  }

  onWound(): void {}

  onSessionLost(): void {}
}
