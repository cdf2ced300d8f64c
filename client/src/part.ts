// Part: what one shard has of an attempt. Gathers operations, writes them as requests, takes the replies.
//
// At most one request is unanswered at a time, so a denied one can be sent again as it was, and operations apply in the
// order issued. `prepare` rides on the last one. What has been written counts as sent, whether it arrived or not.

import type { Attempt } from './attempt.ts';
import { ClaretError, codes, type WireError } from './errors.ts';
import type { Operation, Sender } from './operation.ts';
import { deniedDelayUs } from './retry.ts';
import { resultOf } from './values.ts';
import type { Session } from './session.ts';
import { REQUEST_OPERATION, beginRequest, writeBegin, writeOperation, writePrepare, type Wide } from './wire/client-frame.ts';
import { malformed } from './wire/reader.ts';
import type { Reply } from './wire/server-frame.ts';
import type { FrameWriter } from './wire/writer.ts';

/** A request of more is cut; the rest follows when it is answered. Shards take 4,096 operations in one. */
const REQUEST_OPERATIONS_MAX = 1024;
const REQUEST_BYTES_MAX = 256 * 1024;

type AnyOperation = Operation<unknown>;

export class Part implements Sender {
  readonly attempt: Attempt;
  readonly session: Session;
  /** the session's epoch when the first request was written; -1 before */
  epoch = -1;
  /** waits in the session's queue to be written */
  queued = false;
  /** estimate of what waits */
  unsentBytes = 0;
  /** the request that carries `prepare` has been written and not been denied */
  prepareSent = false;
  /** voted yes, or, alone, committed */
  voted = false;
  readonly votedAt: Wide = { high: 0, low: 0 };
  /** the answer was lost with the session: the shard is being asked what became of the attempt */
  asking = false;
  /** nothing is to be sent or expected any more */
  ended = false;
  /** all that was issued here, in order: first those that the shard has taken, then those written and unanswered */
  #operations: AnyOperation[] = [];
  #taken = 0;
  #written = 0;
  /** a request is unanswered */
  #asked = false;
  #denials = 0;
  #wanted = false;

  constructor(attempt: Attempt, session: Session) {
    this.attempt = attempt;
    this.session = session;
  }

  get sent(): boolean {
    return this.epoch >= 0;
  }

  add(operation: AnyOperation): void {
    // The literal has room for one, where the first push would make room for 17: most of a small transaction's garbage.
    if (this.#operations.length === 0) this.#operations = [operation];
    else this.#operations.push(operation);
    this.unsentBytes += estimateBytes(operation);
  }

  /** Somebody awaits an operation: all that has been gathered goes with the next frame. */
  want(): void {
    if (this.ended) return;
    this.#wanted = true;
    if (!this.#asked && this.#unwritten) this.session.enqueue(this);
  }

  /** The body is done: the rest goes, with `prepare`. */
  finish(): void {
    if (!this.#asked) this.session.enqueue(this);
  }

  get #unwritten(): boolean {
    return this.#written < this.#operations.length;
  }

  /** Writes the next request, if there is one to write. */
  write(out: FrameWriter, nowMs: number): void {
    this.queued = false;
    if (this.ended || this.#asked) return;
    const { attempt } = this;
    const mark = beginRequest(out, attempt.number, this.#taken);
    if (!this.sent) {
      this.epoch = this.session.epoch;
      writeBegin(out, attempt.begin(this, nowMs));
    }
    const operations = this.#operations;
    const end = Math.min(operations.length, this.#written + REQUEST_OPERATIONS_MAX);
    const bytesMax = out.size + REQUEST_BYTES_MAX;
    while (this.#written < end && out.size < bytesMax) writeOperation(out, REQUEST_OPERATION, operations[this.#written++]!);
    this.#asked = true;
    // Of a request that was cut, the rest goes as soon as it is answered.
    this.#wanted = this.#unwritten;
    if (attempt.preparing && !this.#unwritten) {
      writePrepare(out, attempt.participants());
      this.prepareSent = true;
    }
    this.unsentBytes = 0;
    out.end(mark);
  }

  /** Throws `malformed_frame` for a reply that fits no request. */
  onReply(reply: Reply): void {
    if (this.ended) return;
    if (reply.error !== null) return this.attempt.refused(this, reply.error);
    if (!this.#asked) throw malformed('a reply without a request');
    if (reply.denied !== null) return this.#denied(reply.denied);
    let next = 0;
    while (this.#taken < this.#written) {
      const operation = this.#operations[this.#taken++]!;
      const kind = operation.spec.result;
      if (kind === 'void') operation.settle(undefined);
      else if (next < reply.results.length) operation.settle(resultOf(kind, reply.results[next++]!));
      else throw malformed('a result is missing');
    }
    this.#asked = false;
    this.#denials = 0;
    if (this.prepareSent) {
      const { votedAt, committedAt } = reply;
      const at = committedAt.high !== 0 || committedAt.low !== 0 ? committedAt : votedAt;
      this.vote(at);
    } else if (this.attempt.preparing || (this.#wanted && this.#unwritten)) {
      this.session.enqueue(this);
    }
  }

  vote(at: Wide): void {
    this.voted = true;
    this.asking = false;
    this.votedAt.high = at.high;
    this.votedAt.low = at.low;
    this.attempt.onVote();
  }

  /** True when operations were committed whose results are lost. */
  lostResults(): boolean {
    return this.#operations.slice(this.#taken, this.#written).some((operation) => operation.spec.result !== 'void');
  }

  /** Every operation that has no result yet. */
  fail(error: ClaretError): void {
    for (const operation of this.#operations) operation.fail(error);
  }

  /** Keys that the attempt both observed and changed here, by different operations. */
  upgradedKeys(): string[] {
    const observed = new Set<string>();
    for (const { key, spec } of this.#operations) if (spec.operationClass === 'observe') observed.add(key);
    const upgraded = new Set<string>();
    for (const { key, spec } of this.#operations) if (spec.operationClass !== 'observe' && observed.has(key)) upgraded.add(key);
    return [...upgraded];
  }

  // Nothing of the request is held: it is sent again, locks of earlier ones are kept. A part that held nothing has been
  // forgotten by the shard, and begins anew.
  #denied(denied: WireError): void {
    const { attempt } = this;
    attempt.client.counters.denials++;
    this.#asked = false;
    this.#written = this.#taken;
    this.prepareSent = false;
    if (this.#taken === 0) this.epoch = -1;
    this.#denials++;
    if (this.#denials > attempt.client.retryPolicy.denialsMax) {
      return attempt.fail(new ClaretError({ ...denied, code: codes.denied, retryable: true }));
    }
    const { client } = attempt;
    client.later(deniedDelayUs(client.retryPolicy, this.#denials, client.random()), () => {
      if (this.ended || this.#asked) return;
      // The session broke meanwhile: what was held here is gone.
      if (this.sent && this.epoch !== this.session.epoch) return;
      this.session.enqueue(this);
    });
  }
}

const OPERATION_BYTES = 16;

/** Near enough to know when a frame is full. */
function estimateBytes(operation: AnyOperation): number {
  let bytes = OPERATION_BYTES + operation.key.length;
  for (const argument of operation.args) {
    if (typeof argument === 'string') bytes += argument.length;
    else if (Array.isArray(argument)) bytes += 16 * argument.length;
    else if (typeof argument === 'object' && argument !== null) bytes += 32 * Object.keys(argument).length;
    else bytes += 8;
  }
  return bytes;
}
