// Outbox: what goes to one shard beside requests. Never held back. Outcomes are kept until their frame has been
// acknowledged, since an attempt may be forgotten only when every participant has its outcome.

import type { Attempt } from './attempt.ts';
import type { Session } from './session.ts';
import type { WatchEntry } from './watch.ts';
import {
  writeAbandoned,
  writeAborted,
  writeCommitted,
  writeInquiry,
  writeReleased,
  writeUnwatched,
  writeWatch,
  writeWound,
  type Wide,
} from './wire/client-frame.ts';
import type { FrameWriter } from './wire/writer.ts';

export class Outbox {
  readonly committed: number[] = [];
  readonly committedAt: Wide[] = [];
  readonly committedAttempts: Attempt[] = [];
  readonly aborted: number[] = [];
  readonly abandoned: number[] = [];
  readonly #watches = new Map<number, WatchEntry>();
  readonly #unwatched: number[] = [];
  readonly released: number[] = [];
  readonly inquiries: { id: Uint8Array; ticket: number }[] = [];
  readonly wounds: { attempt: number; id: Uint8Array; priority: Wide }[] = [];
  /** outcomes that have left, with the number of their frame, oldest first */
  #inFlight: { sequence: number; attempts: Attempt[] }[] = [];

  get empty(): boolean {
    return (
      this.committed.length === 0 &&
      this.aborted.length === 0 &&
      this.abandoned.length === 0 &&
      this.inquiries.length === 0 &&
      this.#watches.size === 0 &&
      this.#unwatched.length === 0 &&
      this.released.length === 0 &&
      this.wounds.length === 0
    );
  }

  watch(entry: WatchEntry): void {
    this.#watches.set(entry.id, entry);
  }

  /** One that has not left yet never will. */
  unwatch(id: number): void {
    if (!this.#watches.delete(id)) this.#unwatched.push(id);
  }

  /** Writes it into frame number `sequence`: all of it, but watches only until the frame has `bytesMax`. */
  write(out: FrameWriter, sequence: number, bytesMax: number): void {
    if (this.committed.length > 0) {
      writeCommitted(out, this.committed, this.committedAt);
      this.#inFlight.push({ sequence, attempts: this.committedAttempts.slice() });
      this.committed.length = this.committedAt.length = this.committedAttempts.length = 0;
    }
    if (this.aborted.length > 0) {
      writeAborted(out, this.aborted);
      this.aborted.length = 0;
    }
    if (this.abandoned.length > 0) {
      writeAbandoned(out, this.abandoned);
      this.abandoned.length = 0;
    }
    for (const { id, ticket } of this.inquiries) writeInquiry(out, id, ticket);
    this.inquiries.length = 0;
    if (this.#unwatched.length > 0) writeUnwatched(out, this.#unwatched);
    this.#unwatched.length = 0;
    for (const { attempt, id, priority } of this.wounds) writeWound(out, attempt, id, priority);
    this.wounds.length = 0;
    this.#writeWatches(out, bytesMax);
  }

  // A session that has come back asks for all that the process watches: that may be more than a frame can take.
  #writeWatches(out: FrameWriter, bytesMax: number): void {
    for (const [id, { call, since }] of this.#watches) {
      if (out.size >= bytesMax) return;
      this.#watches.delete(id);
      writeWatch(out, id, call, since);
    }
  }

  /** Behind the frame's requests: writing those may have let go of more. */
  writeReleased(out: FrameWriter): void {
    if (this.released.length === 0) return;
    writeReleased(out, this.released);
    this.released.length = 0;
  }

  /** The shard has taken in every frame up to this number. */
  acknowledge(sequence: number, session: Session): void {
    const inFlight = this.#inFlight;
    let delivered = 0;
    while (delivered < inFlight.length && inFlight[delivered]!.sequence <= sequence) {
      for (const attempt of inFlight[delivered]!.attempts) attempt.outcomeTaken(session);
      delivered++;
    }
    if (delivered > 0) inFlight.splice(0, delivered);
  }

  /** The session is lost: empties itself and gives back the attempts whose outcome may not have arrived. */
  reset(): Attempt[] {
    const undelivered = [...this.#inFlight.flatMap(({ attempts }) => attempts), ...this.committedAttempts];
    this.#inFlight = [];
    this.committed.length = this.committedAt.length = this.committedAttempts.length = 0;
    this.abandoned.length = 0;
    this.aborted.length = this.#unwatched.length = 0;
    this.#watches.clear();
    this.inquiries.length = this.wounds.length = this.released.length = 0;
    return undelivered;
  }
}
