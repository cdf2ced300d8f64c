// Branch: the part of an attempt at one shard. It gathers operations, writes them as requests and handles the replies.
//
// At most one request is unanswered at a time. So a denied request can be sent again unchanged, and operations apply in the order of
// issue. `prepare` travels with the last request. A request counts as sent once it is written, whether it arrives or not.

import { stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { Operation, type Sender } from '../operation/operation.ts';
import type { AttemptRecord, Snapshot } from '../reports/attempt-record.ts';
import type { ReplyReceiver } from '../session/incoming.ts';
import type { RequestSource } from '../session/outgoing.ts';
import type { Session } from '../session/session.ts';
import { observes } from '../values/call.ts';
import { copyOf } from '../values/same.ts';
import { OPERATIONS_PER_REQUEST_MAX } from '../values/limits.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { resultOf } from '../values/result.ts';
import { Validation } from '../warranties/use.ts';
import type { Uses } from '../warranties/uses.ts';
import {
  REQUEST_OPERATION,
  beginRequest,
  writeBegin,
  writeOperation,
  writePrepare,
  writeWhole,
  type Answer,
  type Begin,
} from '../wire/client-frame.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import { malformed } from '../wire/reader.ts';
import type { Committed, Reply } from '../wire/server-frame.ts';
import type { Wide } from '../wire/wide.ts';
import type { WireError } from '../wire/wire-error.ts';
import type { FrameWriter } from '../wire/writer.ts';
import type { AttemptOwner } from './attempt-owner.ts';
import type { BranchDependencies } from './dependencies.ts';
import { Issued } from './issued.ts';
import { Silence } from './keep-alive.ts';
import type { LockSet } from './lock-set.ts';
import { Reacquisition } from './reacquisition.ts';
import { HOLDS, type Vote } from './votes.ts';

/** Up to this many operations of a transaction on one shard go in one request. A shard accepts more in one. */
const WHOLE_OPERATIONS_MAX = 1024;
// Further operations go in pieces of this size, each after the answer to the one before it, so that the shard works for others in between. If
// the body has awaited something, a full piece leaves without being awaited.
const PIECE_OPERATIONS = 512;
/** No operation is added to a request of this size. So it has room in a frame, whatever the last one has. */
const REQUEST_BYTES_MAX = 256 * 1024;
const NOT_VOTED: Wide = { high: 0, low: 0 };

type AnyOperation = Operation<unknown>;

/**
 * The attempt as its parts see it: branches, the commit, and what it does beside. Implemented once, since an attempt makes its parts, and is told
 * by them of all that happens.
 */
export interface Coordinator {
  readonly number: number;
  readonly id: Uint8Array;
  readonly owner: AttemptOwner;
  /** it is a member of an epoch, which that shard manages; null: it takes locks */
  readonly epochManager: number | null;
  readonly running: boolean;
  /** it prepares, and is neither decided nor failed */
  readonly preparing: boolean;
  /** REQUIRES: it prepares. No operation on any shard changes anything. */
  readonly observesOnly: boolean;
  readonly branches: readonly Branch[];
  /** the body has awaited an operation, so not all operations leave at once */
  readonly awaited: boolean;
  /** the warranties on which it relies; null: it relies on none */
  uses: Uses | null;
  isAwaited(operation: AnyOperation): void;
  /** time spent waiting for locks, as reported by shards */
  waitedMs: number;
  /** null: the client keeps no history */
  readonly record: AttemptRecord | null;
  /** why it failed */
  error: ClaretError | null;
  /** another attempt would fail too */
  hopeless: boolean;
  /** The body was told something that may not be so any more. */
  readonly reliesInVain: boolean;
  /** If it fails, the next one begins at once. */
  againAtOnce: boolean;
  /** A new operation that the history records, if one is kept. */
  operation<Result>(sender: Sender, spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result>;
  /** null: it has none there */
  branchAt(shard: number): Branch | null;
  /** REQUIRES: it has none there. */
  addBranch(session: Session): Branch;
  /** its branch at that shard, made if there is none */
  branchOf(session: Session): Branch;
  beginOf(branch: Branch, nowMs: number): Begin;
  /** The home shard of a transaction with an id has let the attempt begin. */
  claimed(): void;
  /** The shards that take part; none if there is only one. */
  participants(): readonly number[];
  /** what it has read of a snapshot; null: nothing */
  readonly snapshot: Snapshot | null;
  /** the timestamp as of which it has read, if it has no branch */
  readonly readAt: Wide;
  /** The answer that the shard keeps with the commit, if it is the transaction's home. */
  answerFor(branch: Branch): Answer | null;
  /** The shard has ended the attempt. */
  refused(branch: Branch, error: WireError): void;
  /** The home shard knows of a commit of the transaction. */
  committedBefore(branch: Branch, committed: Committed): void;
  fail(error: ClaretError): void;
  /** The next attempt locks what it reads, or relies on what still stands. */
  failWithoutWarranties(error: ClaretError): void;
  /** The body is done: nothing can be issued any more. `answer`: kept with the commit by the home shard. */
  finish(answer: Answer | null): void;
  /** Every operation is sent, or goes with the prepare. */
  vote(): void;
  /** One more branch has voted. */
  onVote(): void;
  /** From now on it cannot fail any more. `at`: of its commit; null: the client could not find out whether it commits. */
  decided(at: Wide | null): void;
  /** An older transaction waits for it at that shard, so it must not wait at any other. */
  mustNotWait(shard: number, wounder: Wide): void;
}

export class Branch implements Sender, RequestSource, ReplyReceiver, Vote {
  readonly session: Session;
  readonly shard: number;
  readonly issued = new Issued();
  /** the session's epoch when the first request was written; -1 before */
  epoch = -1;
  queued = false;
  queuedMs = 0;
  unsentBytes = 0;
  /** the request that carries `prepare` has been written and not been denied */
  prepareSent = false;
  /** voted yes, or, as the only branch, committed */
  voted = false;
  votedAt: Wide = NOT_VOTED;
  holdsUntil: Wide = HOLDS;
  /** the answer was lost with the session, and the shard is being asked for the outcome */
  asking = false;
  /** nothing is sent or expected any more */
  ended = false;
  /** at the home shard of a transaction with an id */
  isHome = false;
  /** why the last request was denied, until one is granted */
  denied: WireError | null = null;
  /** the requests that a retry makes before its body runs */
  reacquisition: Reacquisition | null = null;
  readonly #coordinator: Coordinator;
  readonly #dependencies: BranchDependencies;
  /** a request is unanswered */
  #asked = false;
  #denials = 0;
  #preparedInStart = 0;
  /** when its first request was written */
  #begunMs = 0;
  readonly #silence = new Silence();
  /** the answers to its last request tell which readings recur */
  #learns = false;
  /** an operation is awaited, so the gathered ones leave with the next frame */
  #wanted = false;
  /** the body is done, and every operation has been gathered */
  #finished = false;
  /** it asks the home shard whether the attempt may begin, and nothing else */
  #claims = false;
  /** the home shard has let the attempt begin */
  #claimed = false;
  /** it asks whether the shard still has the attempt; null: it does not */
  #confirmed: (() => void) | null = null;
  #confirmAsked = false;

  constructor(coordinator: Coordinator, session: Session, dependencies: BranchDependencies) {
    this.#coordinator = coordinator;
    this.session = session;
    this.shard = session.shard;
    this.#dependencies = dependencies;
  }

  get sent(): boolean {
    return this.epoch >= 0;
  }

  /** Its requests were sent in the present life of the session. */
  get connected(): boolean {
    return this.epoch === this.session.epoch;
  }

  // ---- gathering ----

  add(operation: AnyOperation): void {
    this.#gather(operation);
    if (this.#coordinator.awaited && this.issued.left === PIECE_OPERATIONS) {
      this.#wanted = true;
      if (!this.#asked) this.session.enqueue(this);
    }
  }

  #gather(operation: AnyOperation): void {
    const { warranties } = this.#dependencies;
    if (warranties.size > 0 && !observes(operation)) warranties.at(this.shard).onChange(operation.key, this.#coordinator.owner.priority);
    this.issued.add(operation);
    this.unsentBytes += estimatedBytes(operation);
  }

  /** The operation is awaited, so all gathered ones leave with the next frame. */
  want(operation: AnyOperation): void {
    this.#coordinator.isAwaited(operation);
    if (this.ended || this.reacquisition?.covers(operation)) return;
    this.#wanted = true;
    if (!this.#asked && this.issued.left > 0) this.session.enqueue(this);
  }

  /** An operation at another shard is awaited. What is gathered here and has a result goes along: the body most likely awaits it next. */
  goAlong(): void {
    if (this.ended || this.#asked || !this.issued.asksMore) return;
    this.#wanted = true;
    this.session.enqueue(this);
  }

  /** Asks at once whether a result on which the attempt relies is still the same. */
  validate(validation: Validation): void {
    this.add(validation);
    this.#wanted = true;
    if (!this.#asked) this.session.enqueue(this);
  }

  /** Requests everything that the last attempt did here. REQUIRES: nothing was issued before. */
  reacquire(lockSet: LockSet): void {
    this.reacquisition = new Reacquisition(lockSet, ({ spec, key, args }, intent) => {
      if (!intent) return this.#coordinator.operation<unknown>(this, spec, key, args);
      const operation = new Operation<unknown>(this, spec, key, args);
      operation.intent = true;
      return operation;
    });
    for (const operation of this.reacquisition.operations) this.add(operation);
    this.#wanted = true;
    this.session.enqueue(this);
  }

  /** The request with what the last attempt did is not granted yet. */
  get repeats(): boolean {
    return this.reacquisition !== null && this.issued.taken === 0;
  }

  /** Asks whether the attempt may begin. REQUIRES: it is home, and nothing is issued. */
  claim(): void {
    this.#claims = true;
    this.session.enqueue(this);
  }

  /** Calls `then` once the shard has answered that it still has the attempt; if it has not, the attempt fails. REQUIRES: the body is done. */
  confirm(then: () => void): void {
    this.#confirmed = then;
    if (!this.#asked) this.session.enqueue(this);
  }

  keepAlive(nowMs: number): void {
    const isOver = this.ended || this.#asked || this.prepareSent || this.#confirmed !== null || this.issued.taken === 0 || !this.connected;
    if (!isOver && this.#silence.end(nowMs)) this.session.enqueue(this);
  }

  /** The body is done: the remaining operations leave, with `prepare`. */
  finish(): void {
    // All are gathered before any can leave: `enqueue` may write at once, and what is written last carries the prepare.
    for (const operation of this.issued.takeDeferred()) this.#gather(operation);
    this.#finished = true;
    if (!this.#asked) this.session.enqueue(this);
  }

  // ---- requests ----

  write(out: FrameWriter, nowMs: number): boolean {
    this.queued = false;
    const coordinator = this.#coordinator;
    if (this.ended || this.#asked) return false;
    if (!this.sent && nowMs >= coordinator.owner.deadlineMs) return false; // the next check of deadlines ends the transaction
    if (this.#confirmed !== null) return this.#writeConfirmation(out);
    if (!this.#finished && this.issued.left === 0 && !this.#claims && !this.#silence.isEnding) return false;
    const { issued } = this;
    const { left, all } = issued;
    const first = !this.sent || (this.#claimed && issued.taken === 0);
    const inEpoch = coordinator.epochManager !== null;
    const whole = first && left <= (inEpoch ? OPERATIONS_PER_REQUEST_MAX : WHOLE_OPERATIONS_MAX);
    const end = issued.written + (whole ? left : Math.min(left, PIECE_OPERATIONS));
    const mark = beginRequest(out, coordinator.number, this.issued.taken);
    if (!this.sent) {
      this.epoch = this.session.epoch;
      this.#begunMs = nowMs;
      writeBegin(out, coordinator.beginOf(this, nowMs));
    }
    if (first && this.reacquisition !== null) writeWhole(out);
    const { wishes } = this.#dependencies.warranties;
    this.#learns = this.#wish(inEpoch, end, nowMs);
    // A member of an epoch has been measured, and is never cut.
    const bytesMax = inEpoch ? Infinity : out.size + REQUEST_BYTES_MAX;
    while (issued.written < end && out.size < bytesMax) {
      const operation = all[issued.written++]!;
      const { intent, expect, guess } = operation;
      writeOperation(out, REQUEST_OPERATION, operation, intent, wishes.of(operation), expect, null, null, guess);
    }
    this.#asked = true;
    this.#silence.asked(nowMs);
    // The rest of a request that was cut leaves as soon as the request is answered.
    this.#wanted = issued.left > 0;
    if (this.#finished && issued.left === 0) this.#writePrepare(out);
    this.unsentBytes = 0;
    out.end(mark);
    return false;
  }

  /** Returns whether the answers are to be learnt. */
  #wish(inEpoch: boolean, end: number, nowMs: number): boolean {
    const { all, written: from } = this.issued;
    const { wishes } = this.#dependencies.warranties;
    const shard = this.#dependencies.warranties.at(this.shard);
    if (!shard.asks || inEpoch) return wishes.none();
    const needed = this.#finished && all.some((operation) => !observes(operation));
    const { label, list } = this.#coordinator.owner;
    return wishes.begin(shard.evidence, { label, isList: list !== null, needed, operations: all, from, end, nowMs });
  }

  /** A request without operations. What has not left is of no use any more. */
  #writeConfirmation(out: FrameWriter): boolean {
    out.end(beginRequest(out, this.#coordinator.number, this.issued.taken));
    this.#asked = this.#confirmAsked = true;
    return false;
  }

  #writePrepare(out: FrameWriter): void {
    const coordinator = this.#coordinator;
    const observesOnly = coordinator.observesOnly && coordinator.branches.length > 1;
    const limits = coordinator.uses?.limitsAt(this.shard) ?? null;
    writePrepare(
      out,
      coordinator.participants(),
      observesOnly,
      coordinator.answerFor(this),
      limits,
      coordinator.uses?.answers,
      coordinator.snapshot?.at,
    );
    this.prepareSent = true;
    this.#preparedInStart = this.session.starts;
  }

  // ---- replies ----

  onReply(reply: Reply): void {
    if (this.ended) return this.#dependencies.warranties.at(this.shard).onGrantedInVain(reply.granted);
    const coordinator = this.#coordinator;
    const { lockTimes } = this.session;
    if (reply.waitedLocks !== 0) {
      lockTimes.waitedMs += reply.waitedMicroseconds / 1000;
      lockTimes.runs += reply.waitedRuns;
      coordinator.waitedMs += reply.waitedMicroseconds / 1000;
      coordinator.owner.receipt?.waited(reply.waitedLocks, reply.waitedMicroseconds);
    }
    if (reply.error !== null || this.prepareSent) {
      lockTimes.attempts++;
      lockTimes.attemptMs += this.session.heardMs - this.#begunMs;
    }
    if (reply.error !== null) return coordinator.refused(this, reply.error);
    if (!this.#asked) throw malformed('a reply without a request');
    if (reply.committedBefore !== null) return coordinator.committedBefore(this, reply.committedBefore);
    if (this.isHome && !this.#claimed) {
      this.#claimed = true;
      coordinator.claimed();
      if (this.ended) return;
    }
    if (this.#confirmed !== null) return this.#onConfirming(reply);
    if (reply.denied !== null) return this.#onDenied(reply.denied);
    this.#onGranted(reply);
    if (this.prepareSent) {
      const { votedAt, committedAt, holdsUntil } = reply;
      const at = committedAt.high !== 0 || committedAt.low !== 0 ? committedAt : votedAt;
      this.vote(at, holdsUntil);
    } else if (this.#finished || (this.#wanted && this.issued.left > 0)) {
      this.session.enqueue(this);
    }
  }

  #onGranted(reply: Reply): void {
    if (reply.granted.length > 0) this.#keep(reply);
    const { uses } = this.#coordinator;
    const { wishes } = this.#dependencies.warranties;
    const { issued } = this;
    const { all } = issued;
    let next = 0;
    while (issued.taken < issued.written) {
      const operation = all[issued.taken++]!;
      const kind = operation.spec.result;
      if (operation instanceof Validation) {
        uses!.validated(operation.use);
        uses!.holdBack(operation, undefined);
      } else if (kind === 'void') operation.settle(undefined);
      else if (operation.guess !== undefined) continue;
      else if (next === reply.results.length) throw malformed('a result is missing');
      else {
        const value = reply.results[next++]!;
        if (this.#learns) wishes.answered(operation, value, this.session.heardMs);
        const result = resultOf(kind, value);
        if (uses === null) operation.settle(result);
        else uses.holdBack(operation, result);
      }
    }
    this.#asked = false;
    this.#denials = 0;
    this.denied = null;
    if (this.reacquisition !== null) this.reacquisition.granted();
    uses?.tell();
  }

  /** Keeps the results that the shard warrants. REQUIRES: none of them is taken. */
  #keep({ results, granted }: Reply): void {
    const warranties = this.#dependencies.warranties.at(this.shard);
    let next = 0;
    let kept = 0;
    const { all, taken, written } = this.issued;
    for (let at = taken; at < written && kept < granted.length; at++) {
      const operation = all[at]!;
      // What was guessed right is not told.
      const isTold = operation.spec.result !== 'void' && operation.guess === undefined;
      const result = operation instanceof Validation ? operation.use.grant.result : isTold ? results[next++]! : (operation.guess ?? null);
      if (granted[kept]!.operation !== at - taken) continue;
      const grant = warranties.onGranted(operation, copyOf(result), granted[kept++]!);
      operation.witness?.told(grant);
    }
    warranties.onGrantedInVain(granted.slice(kept));
  }

  /** The answer to the confirmation, or to a request before it. */
  #onConfirming(reply: Reply): void {
    this.#asked = false;
    if (this.#confirmAsked) return this.#confirmed!();
    if (reply.denied === null) this.#onGranted(reply);
    this.issued.unwrite();
    this.session.enqueue(this);
  }

  // The shard holds nothing of the denied request. It is sent again, and locks of earlier requests are kept. A branch without such
  // locks has been forgotten by the shard, and begins anew, unless it is home.
  #onDenied(denied: WireError): void {
    const coordinator = this.#coordinator;
    const { backoff, counters, delays } = this.#dependencies;
    const { receipt } = coordinator.owner;
    counters.denials++;
    this.#asked = this.prepareSent = false;
    this.issued.unwrite();
    if (this.issued.taken === 0 && !this.#claimed) this.epoch = -1;
    this.#denials++;
    this.denied = denied;
    if (this.#denials > backoff.denialsMax) {
      receipt?.denied(denied, null);
      return coordinator.fail(stacklessError({ ...denied, code: codes.denied, retryable: true }));
    }
    const denials = this.#denials;
    const delayUs = Math.max(backoff.deniedDelayUs(denials), 1_000 * denied.retryAfterMs);
    receipt?.denied(denied, delayUs);
    delays.after(delayUs, () => {
      // The end of the body may have sent it again already.
      if (this.ended || this.#asked || this.#denials !== denials) return;
      // If the session broke meanwhile, the locks that were held here are gone.
      if (this.sent && !this.connected) return;
      this.session.enqueue(this);
    });
  }

  // ---- votes and the end ----

  /** Counts the shard's vote. The timestamps are copied, since replies are reused. */
  vote(at: Wide, holdsUntil: Wide): void {
    this.voted = true;
    this.asking = false;
    this.votedAt = { high: at.high, low: at.low };
    if (holdsUntil.high !== 0 || holdsUntil.low !== 0) this.holdsUntil = { high: holdsUntil.high, low: holdsUntil.low };
    this.#coordinator.onVote();
  }

  /** Operations were committed whose results are lost. */
  lostResults(): boolean {
    return this.issued.wantsResults;
  }

  /** The shard has restarted since the prepare left. */
  get restarted(): boolean {
    return this.session.starts !== this.#preparedInStart;
  }

  /** The first operation without a result, sent or not. */
  get unanswered(): AnyOperation | undefined {
    return this.issued.unanswered;
  }

  /** A request is unanswered. */
  get busy(): boolean {
    return this.#asked;
  }
}
