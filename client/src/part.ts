// Part: what one shard has of an attempt. Gathers operations, writes them as requests, takes the replies.
//
// At most one request is unanswered at a time, so a denied one can be sent again as it was, and operations apply in the
// order issued. `prepare` rides on the last one. What has been written counts as sent, whether it arrived or not.

import type { Attempt } from './attempt.ts';
import { codes, stacklessError, type ClaretError, type WireError } from './errors.ts';
import { Again, type Wanted } from './again.ts';
import { Joins } from './joins.ts';
import { Operation, type Sender } from './operation.ts';
import { deniedDelayUs } from './retry.ts';
import { resultOf } from './values.ts';
import type { Session } from './session.ts';
import type { SharedOperation } from './shared-operation.ts';
import { REQUEST_OPERATION, beginRequest, writeBegin, writeOperation, writePrepare, writeWhole, type Wide } from './wire/client-frame.ts';
import { malformed } from './wire/reader.ts';
import type { Reply } from './wire/server-frame.ts';
import type { FrameWriter } from './wire/writer.ts';

/** All that a transaction does on one shard goes in one request up to this many. Shards take 4,096 operations in one. */
const WHOLE_OPERATIONS_MAX = 1024;
/**
 * What is more, or follows a request, goes in pieces, one when the one before it is answered: the shard does others' work in
 * between. A full piece of a transaction that has awaited something waits for no await.
 */
const PIECE_OPERATIONS = 512;
const REQUEST_BYTES_MAX = 256 * 1024;

type AnyOperation = Operation<unknown>;

export class Part implements Sender {
  readonly attempt: Attempt;
  readonly session: Session;
  /** the session's epoch when the first request was written; -1 before */
  epoch = -1;
  /** waits in the session's queue to be written */
  queued = false;
  /** since when */
  queuedMs = 0;
  /** estimate of what waits */
  unsentBytes = 0;
  /** the request that carries `prepare` has been written and not been denied */
  prepareSent = false;
  /** voted yes, or, alone, committed */
  voted = false;
  readonly votedAt: Wide = { high: 0, low: 0 };
  /** its vote holds for commit timestamps up to here (votes.ts) */
  readonly holdsUntil: Wide = { high: 0, low: 0 };
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
  #preparedInStart = 0;
  /** why the last request was denied, until one is granted */
  denied: WireError | null = null;
  #wanted = false;
  /** asks whether the attempt may begin, at the home shard of a transaction with an id; then it may */
  #claims = false;
  #claimed = false;
  /** what it has to do with shared operations */
  #joins: Joins | null = null;
  /** what it asked for before the body did */
  again: Again | null = null;

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
    if (this.#joins !== null && operation.spec.operationClass !== 'observe') this.#joins.changes(operation.key);
    if (this.attempt.awaited && this.#operations.length - this.#written === PIECE_OPERATIONS) {
      this.#wanted = true;
      if (!this.#asked) this.session.enqueue(this);
    }
  }

  /** Somebody awaits an operation: all that has been gathered goes with the next frame. */
  want(operation: AnyOperation): void {
    this.attempt.awaited = true;
    if (this.ended || this.again?.covers(operation) || this.attempt.client.combiner.combine(this, operation)) return;
    this.#wanted = true;
    if (!this.#asked && this.#unwritten) this.session.enqueue(this);
  }

  /** Before anything else. */
  askAgain(wanted: Wanted): void {
    this.again = new Again(wanted, ({ spec, key, args }, intent) => {
      if (!intent) return this.attempt.operation(this, spec, key, args);
      const operation = new Operation<unknown>(this, spec, key, args);
      operation.intent = true;
      return operation;
    });
    for (const operation of this.again.operations) this.add(operation);
    this.#wanted = true;
    this.session.enqueue(this);
  }

  /** Before anything else: may the attempt begin? */
  claim(): void {
    this.#claims = true;
    this.session.enqueue(this);
  }

  /** What the body has issued here, or an earlier one that this attempt repeats. */
  issued(): AnyOperation[] {
    return [...this.#operations, ...(this.#joins?.operations ?? [])];
  }

  settled(slot: number): void {
    this.attempt.client.combiner.settled(slot);
  }

  /** The body is done: the rest goes, with `prepare`. */
  finish(): void {
    if (this.#joins !== null) for (const operation of this.#joins.unpark()) this.add(operation);
    if (!this.#asked) this.session.enqueue(this);
  }

  get #unwritten(): boolean {
    return this.#written < this.#operations.length;
  }

  /** Writes the next request, if there is one to write. */
  write(out: FrameWriter, nowMs: number): void {
    this.queued = false;
    const { attempt } = this;
    if (this.ended || this.#asked) return;
    if (!this.sent && nowMs >= attempt.owner.deadlineMs) return; // called off at the client's next look
    const joins = this.#joins;
    if (!attempt.preparing && !this.#unwritten && !this.hasUnnamed && !this.#claims) return;
    const operations = this.#operations;
    const left = operations.length - this.#written;
    const first = !this.sent || (this.#claimed && this.#taken === 0);
    const end = this.#written + (first && left <= WHOLE_OPERATIONS_MAX ? left : Math.min(left, PIECE_OPERATIONS));
    const mark = beginRequest(out, attempt.number, this.#taken);
    if (!this.sent) {
      this.epoch = this.session.epoch;
      writeBegin(out, attempt.begin(this, nowMs));
    }
    if (first && this.again !== null) writeWhole(out);
    if (joins !== null) joins.write(out);
    const bytesMax = out.size + REQUEST_BYTES_MAX;
    while (this.#written < end && out.size < bytesMax) {
      const operation = operations[this.#written++]!;
      writeOperation(out, REQUEST_OPERATION, operation, joins === null ? 0 : joins.shareOf(operation, nowMs), operation.intent);
    }
    this.#asked = true;
    // Of a request that was cut, the rest goes as soon as it is answered.
    this.#wanted = this.#unwritten;
    if (attempt.preparing && !this.#unwritten) {
      writePrepare(out, attempt.participants(), attempt.observesOnly && attempt.parts.length > 1, attempt.answerFor(this));
      this.prepareSent = true;
      this.#preparedInStart = this.session.starts;
      if (joins !== null) joins.leave();
    }
    this.unsentBytes = 0;
    out.end(mark);
  }

  /** Throws `malformed_frame` for a reply that fits no request. */
  onReply(reply: Reply): void {
    if (this.ended) return;
    if (reply.waitedLocks !== 0) {
      this.attempt.waitedMs += reply.waitedMicroseconds / 1000;
      this.attempt.owner.receipt?.waited(reply.waitedLocks, reply.waitedMicroseconds);
    }
    if (reply.error !== null) return this.attempt.refused(this, reply.error);
    if (!this.#asked) throw malformed('a reply without a request');
    if (this.#claims) return this.#onClaim(reply);
    if (reply.denied !== null) return this.#denied(reply.denied);
    const joins = this.#joins;
    let next = 0;
    while (this.#taken < this.#written) {
      const operation = this.#operations[this.#taken++]!;
      const kind = operation.spec.result;
      if (kind === 'void') operation.settle(undefined);
      else if (next < reply.results.length) {
        const result = reply.results[next++]!;
        if (joins !== null) joins.answered(operation, result);
        operation.settle(resultOf(kind, result));
      } else throw malformed('a result is missing');
    }
    this.#asked = false;
    this.#denials = 0;
    this.denied = null;
    if (joins !== null) joins.granted(reply.shared);
    if (this.again !== null) this.again.granted();
    if (this.prepareSent) {
      const { votedAt, committedAt, holdsUntil } = reply;
      const at = committedAt.high !== 0 || committedAt.low !== 0 ? committedAt : votedAt;
      this.vote(at, holdsUntil);
    } else if (this.attempt.preparing || (this.#wanted && this.#unwritten) || (joins !== null && joins.urgent)) {
      this.session.enqueue(this);
    }
  }

  #onClaim({ committedBefore }: Reply): void {
    this.#claims = false;
    this.#asked = false;
    if (committedBefore !== null) return this.attempt.committedBefore(this, committedBefore);
    this.#claimed = true;
    this.attempt.owner.onClaimed();
  }

  vote(at: Wide, holdsUntil: Wide): void {
    this.voted = true;
    this.asking = false;
    this.votedAt.high = at.high;
    this.votedAt.low = at.low;
    this.holdsUntil.high = holdsUntil.high;
    this.holdsUntil.low = holdsUntil.low;
    this.attempt.onVote();
  }

  /** True when operations were committed whose results are lost. */
  lostResults(): boolean {
    return this.#operations.slice(this.#taken, this.#written).some((operation) => operation.spec.result !== 'void');
  }

  /** The shard has restarted since the prepare left. */
  get restarted(): boolean {
    return this.session.starts !== this.#preparedInStart;
  }

  /** Nothing of what was issued here changes anything. */
  get observesOnly(): boolean {
    const observes = this.#operations.every(({ spec }) => spec.operationClass === 'observe');
    return observes && (this.#joins === null || this.#joins.observesOnly);
  }

  /** Every operation that has no result yet. */
  fail(error: ClaretError): void {
    for (const operation of this.#operations) operation.fail(error);
    if (this.#joins !== null) this.#joins.fail(error);
  }

  // ---- combining ----

  /** a request is unanswered */
  get busy(): boolean {
    return this.#asked;
  }

  /** it has joined what its shard does not know of yet */
  get hasUnnamed(): boolean {
    return this.#joins !== null && this.#joins.hasUnnamed;
  }

  /** The first operation without a result, sent or not. */
  get unanswered(): AnyOperation | undefined {
    return this.#operations[this.#taken];
  }

  get #joined(): Joins {
    return (this.#joins ??= new Joins(this));
  }

  /** The operation may be combined with others': it has not been sent, and does not want its record for itself. */
  combines(operation: AnyOperation): boolean {
    const { owner, running } = this.attempt;
    if (!owner.combines || !running || !this.#operations.includes(operation, this.#written)) return false;
    return owner.wanted?.get(this.session)?.exclusive.includes(operation.key) !== true;
  }

  /** The attempt has, or is about to have, something of its own on that record beside this operation. */
  hasOwn(operation: AnyOperation): boolean {
    return this.#operations.some((own) => own.key === operation.key && own !== operation);
  }

  beginsWith(operation: AnyOperation): boolean {
    return this.#operations.length === 1 && this.#operations[0] === operation && this.#joins === null;
  }

  share(shared: SharedOperation): void {
    this.#joined.create(shared);
  }

  /** The operation has its result from a shared one. */
  join(shared: SharedOperation, operation: AnyOperation, result: unknown): void {
    this.#withdraw(operation);
    this.#joined.join(shared, operation);
    operation.settle(result);
  }

  /** The operation waits for one that is asked for. */
  park(shared: SharedOperation, operation: AnyOperation): void {
    this.#withdraw(operation);
    this.#joined.park(shared, operation);
  }

  parkedEnds(operation: AnyOperation): void {
    this.#joined.parkedEnds(operation);
  }

  /** What waited for another has to be asked for after all. */
  resend(operation: AnyOperation): void {
    if (this.ended) return;
    this.add(operation);
    this.#wanted = true;
    if (!this.#asked) this.session.enqueue(this);
  }

  /** An older transaction waits: it must not wait unseen for what another attempt has asked for. */
  unpark(): void {
    if (this.#joins !== null) for (const operation of this.#joins.unpark()) this.resend(operation);
  }

  /** Names what it has joined to the shard as soon as it can. */
  takeOver(): void {
    if (this.ended || !this.hasUnnamed) return;
    this.#joined.urgent = true;
    if (!this.#asked) this.session.enqueue(this);
  }

  #withdraw(operation: AnyOperation): void {
    const index = this.#operations.indexOf(operation, this.#written);
    if (index >= 0) this.#operations.splice(index, 1);
  }

  /** Among what is written next, is there a change of that record? */
  writesChangeOf(key: string): boolean {
    for (let i = this.#written; i < this.#operations.length; i++) {
      const operation = this.#operations[i]!;
      if (operation.key === key && operation.spec.operationClass !== 'observe') return true;
    }
    return false;
  }

  // Nothing of the request is held: it is sent again, locks of earlier ones are kept. A part that held nothing has been
  // forgotten by the shard, and begins anew.
  #denied(denied: WireError): void {
    const { attempt } = this;
    attempt.client.counters.denials++;
    this.#asked = false;
    this.#written = this.#taken;
    this.prepareSent = false;
    if (this.#joins !== null) this.#joins.denied();
    if (this.#taken === 0 && !this.#joins?.named && !this.#claimed) this.epoch = -1;
    this.#denials++;
    this.denied = denied;
    const { client } = attempt;
    if (this.#denials > client.retryPolicy.denialsMax) {
      attempt.owner.receipt?.denied(denied, null);
      return attempt.fail(stacklessError({ ...denied, code: codes.denied, retryable: true }));
    }
    const denials = this.#denials;
    const delayUs = deniedDelayUs(client.retryPolicy, denials, client.random());
    attempt.owner.receipt?.denied(denied, delayUs);
    client.later(delayUs, () => {
      // It may have been sent again before, with the end of the body.
      if (this.ended || this.#asked || this.#denials !== denials) return;
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
