// Peeks: questions for single results on the committed states of one shard, to complete a picture.

import { NumberedTable } from '../session/numbered-table.ts';
import type { RequestSource } from '../session/outgoing.ts';
import type { Call } from '../values/call.ts';
import { writePeek } from '../wire/chain-writer.ts';
import type { PeekReply } from '../wire/chain-reader.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import type { Wide } from '../wire/wide.ts';
import type { FrameWriter } from '../wire/writer.ts';

/** @param reply null: the session was lost */
export type PeekListener = (reply: PeekReply | null) => void;

interface PeekingSession {
  enqueue(source: RequestSource): void;
}

class Peek implements RequestSource {
  number = 0;
  queued = false;
  queuedMs = 0;
  ended = false;
  readonly unsentBytes: number;
  readonly call: Call;
  readonly at: Wide;
  readonly answered: PeekListener;

  constructor(call: Call, at: Wide, answered: PeekListener) {
    this.call = call;
    this.at = at;
    this.answered = answered;
    this.unsentBytes = estimatedBytes(call);
  }

  write(out: FrameWriter): boolean {
    this.queued = false;
    if (!this.ended) writePeek(out, this.number, this.call, this.at);
    return false;
  }
}

export class Peeks {
  readonly #session: PeekingSession;
  readonly #asked = new NumberedTable<Peek>();

  constructor(session: PeekingSession) {
    this.#session = session;
  }

  /** @param at 0 and 0: the result is wanted as it is now */
  ask(call: Call, at: Wide, answered: PeekListener): void {
    const peek = new Peek(call, at, answered);
    this.#asked.add(peek);
    this.#session.enqueue(peek);
  }

  onReply(reply: PeekReply): void {
    const peek = this.#asked.get(reply.ticket);
    if (peek === null) return;
    this.#asked.remove(peek);
    peek.answered(reply);
  }

  onSessionLost(): void {
    for (const peek of this.#asked) {
      this.#asked.remove(peek);
      peek.ended = true;
      peek.answered(null);
    }
  }
}
