// Branch: the part of an attempt at one shard. It gathers operations, writes them as requests and handles the replies.
//
// At most one request is unanswered at a time. So a denied request can be sent again unchanged, and operations apply in the order of
// issue. `prepare` travels with the last request. A request counts as sent once it is written, whether it arrives or not.

import { stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { MEMBER_BYTES_MAX, MEMBER_OPERATIONS_MAX } from '../epochs/epoch-choice.ts';
import { Operation, type Sender } from '../operation/operation.ts';
import type { ReplyReceiver } from '../session/incoming.ts';
import type { RequestSource } from '../session/outgoing.ts';
import type { Session } from '../session/session.ts';
import { observes } from '../values/call.ts';
import { copyOf } from '../values/join-rules.ts';
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
import { malformed } from '../wire/reader.ts';
import type { Committed, Reply } from '../wire/server-frame.ts';
import type { Wide } from '../wire/wide.ts';
import type { WireError } from '../wire/wire-error.ts';
import type { FrameWriter } from '../wire/writer.ts';
import type { AttemptOwner } from './attempt-owner.ts';
import { DeferredOperations } from './deferred-operations.ts';
import type { BranchDependencies } from './dependencies.ts';
import type { LockSet } from './lock-set.ts';
import { estimatedBytes } from '../wire/operation-size.ts';
import { Reacquisition } from './reacquisition.ts';
import { HOLDS, type Vote } from './votes.ts';

/** Up to this many operations of a transaction on one shard go in one request. A shard accepts 4,096 in one. */
const WHOLE_OPERATIONS_MAX = 1024;
/**
 * Further operations go in pieces of this size, each after the answer to the one before it, so that the shard works for others in
 * between. If the body has awaited something, a full piece leaves without being awaited.
 */
const PIECE_OPERATIONS = 512;
const REQUEST_BYTES_MAX = 256 * 1024;
const NONE: readonly never[] = [];
const NOT_VOTED: Wide = { high: 0, low: 0 };

type AnyOperation = Operation<unknown>;

/** The attempt as its branches see it. */
export interface Coordinator {
  readonly number: number;
  readonly owner: AttemptOwner;
  /** it is a member of an epoch, which that shard manages; null: it takes locks */
  readonly epochManager: number | null;
  readonly running: boolean;
  /** REQUIRES: it prepares. No operation on any shard changes anything. */
  readonly observesOnly: boolean;
  readonly branches: readonly Branch[];
  /** the body has awaited an operation, so not all operations leave at once */
  readonly awaited: boolean;
  /** the warranties on which it relies; null: it relies on none */
  readonly uses: Uses | null;
  isAwaited(operation: AnyOperation): void;
  /** time spent waiting for locks, as reported by shards */
  waitedMs: number;
  /** A new operation that the history records, if one is kept. */
  operation(branch: Branch, spec: OperationSpec, key: string, args: readonly unknown[]): AnyOperation;
  beginOf(branch: Branch, nowMs: number): Begin;
  /** The home shard lets the attempt begin. */
  claimed(): void;
  /** The shards that take part; none if there is only one. */
  participants(): readonly number[];
  /** what it has read of a snapshot; null: nothing */
  readonly snapshot: { readonly at: Wide | null } | null;
  /** The answer that the shard keeps with the commit, if it is the transaction's home. */
  answerFor(branch: Branch): Answer | null;
  /** The shard has ended the attempt. */
  refused(branch: Branch, error: WireError): void;
  /** The home shard knows of a commit of the transaction. */
  committedBefore(branch: Branch, committed: Committed): void;
  fail(error: ClaretError): void;
  /** One more branch has voted. */
  onVote(): void;
}

/**
 * What is wished for beside the result.
 * @param asks its session takes warranties
 * @param needed its message would have to be sent in any case: a promise of what is first read in it saves nothing
 */
function wishOf(operation: AnyOperation, asks: boolean, needed: boolean): 0 | 1 | 2 {
  if (operation.witness !== null) return 2;
  return asks && observes(operation) && (!needed || operation.expect !== null) ? 1 : 0;
}

export class Branch implements Sender, RequestSource, ReplyReceiver, Vote {
  readonly session: Session;
  readonly shard: number;
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
  /** why the last request was denied, until one is granted */
  denied: WireError | null = null;
  /** the requests that a retry makes before its body runs */
  reacquisition: Reacquisition | null = null;
  readonly #coordinator: Coordinator;
  readonly #dependencies: BranchDependencies;
  /** all issued operations in order: first those that the shard has answered, then those written and unanswered */
  #operations: AnyOperation[] = [];
  #taken = 0;
  #written = 0;
  /** a request is unanswered */
  #asked = false;
  #denials = 0;
  #preparedInStart = 0;
  /** when its first request was written */
  #begunMs = 0;
  /** an operation is awaited, so the gathered ones leave with the next frame */
  #wanted = false;
  /** the body is done, and every operation has been gathered */
  #finished = false;
  /** it asks the home shard of a transaction with an id whether the attempt may begin */
  #claims = false;
  #claimed = false;
  /** it asks whether the shard still has the attempt; null: it does not */
  #confirmed: (() => void) | null = null;
  #confirmAsked = false;
  /** null: none was ever deferred */
  #deferred: DeferredOperations | null = null;

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
    if (this.#coordinator.awaited && this.#operations.length - this.#written === PIECE_OPERATIONS) {
      this.#wanted = true;
      if (!this.#asked) this.session.enqueue(this);
    }
  }

  #gather(operation: AnyOperation): void {
    const { warranties } = this.#dependencies;
    if (warranties.size > 0 && !observes(operation)) warranties.at(this.shard).onChange(operation.key, this.#coordinator.owner.priority);
    // The literal allocates one item. The first push would allocate 17, most of a small transaction's garbage.
    if (this.#operations.length === 0) this.#operations = [operation];
    else this.#operations.push(operation);
    this.unsentBytes += estimatedBytes(operation);
  }

  /** Keeps an operation that answers nothing until the end. Returns false if too many are kept. */
  defer(operation: AnyOperation): boolean {
    const deferred = (this.#deferred ??= new DeferredOperations());
    if (deferred.isFull) return false;
    deferred.add(operation);
    return true;
  }

  /** What has to be sent before the next operation, which is not deferred. */
  deferredBefore({ spec, key }: AnyOperation): readonly AnyOperation[] {
    if (this.#deferred === null || spec.operationClass === 'observe') return NONE;
    return this.#deferred.isFull ? this.#deferred.take() : this.#deferred.take(key);
  }

  /** The operation is awaited, so all gathered ones leave with the next frame. */
  want(operation: AnyOperation): void {
    this.#coordinator.isAwaited(operation);
    if (this.ended || this.reacquisition?.covers(operation)) return;
    this.#wanted = true;
    if (!this.#asked && this.#unwritten) this.session.enqueue(this);
  }

  /** Asks at once whether a result on which the attempt relies is still the same. */
  validate(validation: Validation): void {
    this.add(validation);
    this.#wanted = true;
    if (!this.#asked) this.session.enqueue(this);
  }

  /** An operation changes the record. */
  changes(key: string): boolean {
    return this.issued().some((operation) => operation.key === key && !observes(operation));
  }

  /** Requests everything that the last attempt did here. REQUIRES: nothing was issued before. */
  reacquire(lockSet: LockSet): void {
    this.reacquisition = new Reacquisition(lockSet, ({ spec, key, args }, intent) => {
      if (!intent) return this.#coordinator.operation(this, spec, key, args);
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
    return this.reacquisition !== null && this.#taken === 0;
  }

  /** Asks whether the attempt may begin. REQUIRES: nothing was issued before. */
  claim(): void {
    this.#claims = true;
    this.session.enqueue(this);
  }

  get told(): boolean {
    return this.#operations.slice(0, this.#taken).some(({ spec }) => spec.result !== 'void');
  }

  confirm(then: () => void): void {
    this.#confirmed = then;
    if (!this.#asked) this.session.enqueue(this);
  }

  /** The operations that the body issued here, or that this attempt repeats. */
  issued(): AnyOperation[] {
    const operations = this.#operations.filter((operation) => operation.expect === null);
    return [...operations, ...(this.#deferred?.all ?? [])];
  }

  /** The body is done: the remaining operations leave, with `prepare`. */
  finish(): void {
    // All are gathered before any can leave: `enqueue` may write at once, and what is written last carries the prepare.
    if (this.#deferred !== null) for (const operation of this.#deferred.take()) this.#gather(operation);
    this.#finished = true;
    if (!this.#asked) this.session.enqueue(this);
  }

  // ---- requests ----

  get #unwritten(): boolean {
    return this.#written < this.#operations.length;
  }

  write(out: FrameWriter, nowMs: number): boolean {
    this.queued = false;
    const coordinator = this.#coordinator;
    if (this.ended || this.#asked) return false;
    if (!this.sent && nowMs >= coordinator.owner.deadlineMs) return false; // the next check of deadlines ends the transaction
    if (this.#confirmed !== null) return this.#writeConfirmation(out);
    if (!this.#finished && !this.#unwritten && !this.#claims) return false;
    const operations = this.#operations;
    const left = operations.length - this.#written;
    const first = !this.sent || (this.#claimed && this.#taken === 0);
    const inEpoch = coordinator.epochManager !== null;
    const whole = first && left <= (inEpoch ? MEMBER_OPERATIONS_MAX : WHOLE_OPERATIONS_MAX);
    const end = this.#written + (whole ? left : Math.min(left, PIECE_OPERATIONS));
    const mark = beginRequest(out, coordinator.number, this.#taken);
    if (!this.sent) {
      this.epoch = this.session.epoch;
      this.#begunMs = nowMs;
      writeBegin(out, coordinator.beginOf(this, nowMs));
    }
    if (first && this.reacquisition !== null) writeWhole(out);
    const asks = this.#dependencies.warranties.at(this.shard).asks && !inEpoch;
    const needed = asks && this.#finished && operations.some((operation) => !observes(operation));
    const bytesMax = out.size + (inEpoch ? MEMBER_BYTES_MAX : REQUEST_BYTES_MAX);
    while (this.#written < end && out.size < bytesMax) {
      const operation = operations[this.#written++]!;
      writeOperation(out, REQUEST_OPERATION, operation, operation.intent, wishOf(operation, asks, needed), operation.expect);
    }
    this.#asked = true;
    // The rest of a request that was cut leaves as soon as the request is answered.
    this.#wanted = this.#unwritten;
    if (this.#finished && !this.#unwritten) this.#writePrepare(out);
    this.unsentBytes = 0;
    out.end(mark);
    return false;
  }

  /** A request without operations. What has not left is of no use any more. */
  #writeConfirmation(out: FrameWriter): boolean {
    out.end(beginRequest(out, this.#coordinator.number, this.#taken));
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
    if (this.#claims) return this.#onClaim(reply);
    if (this.#confirmed !== null) return this.#onConfirming(reply);
    if (reply.denied !== null) return this.#onDenied(reply.denied);
    this.#onGranted(reply);
    if (this.prepareSent) {
      const { votedAt, committedAt, holdsUntil } = reply;
      const at = committedAt.high !== 0 || committedAt.low !== 0 ? committedAt : votedAt;
      this.vote(at, holdsUntil);
    } else if (this.#finished || (this.#wanted && this.#unwritten)) {
      this.session.enqueue(this);
    }
  }

  #onGranted(reply: Reply): void {
    if (reply.granted.length > 0) this.#keep(reply);
    const { uses } = this.#coordinator;
    let next = 0;
    while (this.#taken < this.#written) {
      const operation = this.#operations[this.#taken++]!;
      const kind = operation.spec.result;
      if (operation instanceof Validation) {
        uses!.validated(operation.use);
        uses!.holdBack(operation, undefined);
      } else if (kind === 'void') operation.settle(undefined);
      else if (next === reply.results.length) throw malformed('a result is missing');
      else if (uses === null) operation.settle(resultOf(kind, reply.results[next++]!));
      else uses.holdBack(operation, resultOf(kind, reply.results[next++]!));
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
    for (let at = this.#taken; at < this.#written && kept < granted.length; at++) {
      const operation = this.#operations[at]!;
      const isVoid = operation.spec.result === 'void';
      const result = operation instanceof Validation ? operation.use.grant.result : isVoid ? null : results[next++]!;
      if (granted[kept]!.operation !== at - this.#taken) continue;
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
    this.#written = this.#taken;
    this.session.enqueue(this);
  }

  #onClaim({ committedBefore }: Reply): void {
    this.#claims = false;
    this.#asked = false;
    if (committedBefore !== null) return this.#coordinator.committedBefore(this, committedBefore);
    this.#claimed = true;
    this.#coordinator.claimed();
  }

  // The shard holds nothing of the denied request. It is sent again, and locks of earlier requests are kept. A branch without such
  // locks has been forgotten by the shard, and begins anew.
  #onDenied(denied: WireError): void {
    const coordinator = this.#coordinator;
    const { backoff, counters, delays } = this.#dependencies;
    const { receipt } = coordinator.owner;
    counters.denials++;
    this.#asked = false;
    this.#written = this.#taken;
    this.prepareSent = false;
    if (this.#taken === 0 && !this.#claimed) this.epoch = -1;
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
    return this.#operations.slice(this.#taken, this.#written).some(({ spec, expect }) => spec.result !== 'void' && expect === null);
  }

  /** The shard has restarted since the prepare left. */
  get restarted(): boolean {
    return this.session.starts !== this.#preparedInStart;
  }

  /** No operation of this branch changes anything. */
  get observesOnly(): boolean {
    if (this.#deferred !== null && this.#deferred.all.length > 0) return false;
    return this.#operations.every(({ spec }) => spec.operationClass === 'observe');
  }

  /** The first operation without a result, sent or not. */
  get unanswered(): AnyOperation | undefined {
    return this.#operations[this.#taken];
  }

  /**
   * The attempt has committed and its results are told: nothing more is asked of its operations. Cuts links (see Operation). The list is
   * emptied rather than replaced, since it is the list itself that may be in the old generation.
   */
  forget(): void {
    this.#operations.length = 0;
  }

  /** Fails every operation that has no result yet. */
  fail(error: ClaretError): void {
    for (const operation of this.#operations) operation.fail(error);
  }

  /** A request is unanswered. */
  get busy(): boolean {
    return this.#asked;
  }
}
