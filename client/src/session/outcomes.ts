// Outcomes: what one shard is told of the ends of attempts, or asked about them. Outcomes are kept until the shard has acknowledged their frame,
// since an attempt may be forgotten only when every participant has its outcome.

import { writeAbandoned, writeAborted, writeCommitted, writeInquiry, writeWound } from '../wire/client-frame.ts';
import type { Wide } from '../wire/wide.ts';
import type { FrameWriter } from '../wire/writer.ts';
import type { Due } from './due.ts';
import type { DecidedAttempt } from './outgoing.ts';

/** Outcomes that have left in one frame. */
interface InFlight {
  readonly sequence: number;
  readonly attempts: DecidedAttempt[];
}

export class Outcomes {
  readonly #due: Due;
  readonly #committed: number[] = [];
  readonly #committedAt: Wide[] = [];
  readonly #committedAttempts: DecidedAttempt[] = [];
  readonly #aborted: number[] = [];
  readonly #abandoned: number[] = [];
  readonly #inquiries: { id: Uint8Array; ticket: number }[] = [];
  readonly #wounds: { attempt: number; id: Uint8Array; priority: Wide }[] = [];
  /** oldest first */
  #inFlight: InFlight[] = [];

  constructor(due: Due) {
    this.#due = due;
  }

  commit(attempt: DecidedAttempt, at: Wide): void {
    this.#committed.push(attempt.number);
    this.#committedAt.push(at);
    this.#committedAttempts.push(attempt);
    this.#due.mark();
  }

  abort(attempt: number): void {
    this.#aborted.push(attempt);
    this.#due.mark();
  }

  /** The client could not find out how the attempt ended. The shards do so among themselves. */
  abandon(attempt: number): void {
    this.#abandoned.push(attempt);
    this.#due.mark();
  }

  /** Notifies the shard that an older transaction, of that priority, waits for the attempt. */
  wound(attempt: number, id: Uint8Array, priority: Wide): void {
    this.#wounds.push({ attempt, id, priority });
    this.#due.mark();
  }

  /** Asks for the outcome of an attempt, if the session is live. */
  inquire(id: Uint8Array, ticket: number): void {
    if (!this.#due.isOpen) return;
    this.#inquiries.push({ id, ticket });
    this.#due.mark();
  }

  /** Writes all into frame number `sequence`. */
  write(out: FrameWriter, sequence: number): void {
    if (this.#committed.length > 0) {
      writeCommitted(out, this.#committed, this.#committedAt);
      this.#inFlight.push({ sequence, attempts: this.#committedAttempts.slice() });
      this.#committed.length = this.#committedAt.length = this.#committedAttempts.length = 0;
    }
    if (this.#aborted.length > 0) {
      writeAborted(out, this.#aborted);
      this.#aborted.length = 0;
    }
    if (this.#abandoned.length > 0) {
      writeAbandoned(out, this.#abandoned);
      this.#abandoned.length = 0;
    }
    for (const { id, ticket } of this.#inquiries) writeInquiry(out, id, ticket);
    for (const { attempt, id, priority } of this.#wounds) writeWound(out, attempt, id, priority);
    this.#inquiries.length = this.#wounds.length = 0;
  }

  /** The shard has received every frame up to this number. */
  acknowledge(sequence: number, shard: number): void {
    const inFlight = this.#inFlight;
    let delivered = 0;
    while (delivered < inFlight.length && inFlight[delivered]!.sequence <= sequence) {
      for (const attempt of inFlight[delivered]!.attempts) attempt.outcomeTaken(shard);
      delivered++;
    }
    if (delivered > 0) inFlight.splice(0, delivered);
  }

  /** Forgets all, and returns the attempts whose outcome may not have arrived. */
  reset(): DecidedAttempt[] {
    const undelivered = [...this.#inFlight.flatMap(({ attempts }) => attempts), ...this.#committedAttempts];
    this.#inFlight = [];
    this.#committed.length = this.#committedAt.length = this.#committedAttempts.length = 0;
    this.#aborted.length = this.#abandoned.length = this.#inquiries.length = this.#wounds.length = 0;
    return undelivered;
  }
}
