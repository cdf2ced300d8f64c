// The senders of a session, as it sees them: sources of requests, and attempts whose outcome it carries.

import type { FrameWriter } from '../wire/writer.ts';

/** Has requests for the shard. It waits in a queue until the session asks it to write the next one. */
export interface RequestSource {
  /** it waits in the session's queue */
  queued: boolean;
  /** the time it entered the queue */
  queuedMs: number;
  /** an estimate of the bytes that it would write */
  readonly unsentBytes: number;
  /** it has nothing to send any more */
  readonly ended: boolean;
  /** Writes the next request, if there is one. True: more may be written into the same frame. */
  write(out: FrameWriter, nowMs: number): boolean;
}

/** An attempt that prepares, at one shard. Implemented once, since chains stand above sessions. */
export interface Preparing {
  write(out: FrameWriter, nowMs: number): void;
}

/** A committed attempt. It may be forgotten only after every participant has its outcome. */
export interface DecidedAttempt {
  readonly number: number;
  readonly id: Uint8Array;
  /** The shard has received the outcome in the session in which it voted. */
  outcomeTaken(shard: number): void;
  /** A shard has the outcome, or will never need it. */
  outcomeDelivered(): void;
}
