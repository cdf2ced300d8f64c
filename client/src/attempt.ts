// Attempt: one try of a transaction, and its coordinator (the founding rules, sections 5 and 6).
//
// running ──finish──▶ preparing ──every part voted──▶ committed        the owner is told at once, the outcome follows
//    └──────any failure──┴──────────────────────────▶ failed           and the other parts are told `aborted`
// A part whose prepare went unanswered (its session is gone, or time is up) is asked for the outcome; until it answers
// the attempt is neither. Once committed, an attempt stays in the client's table until every part has the outcome.

import type { Wanted } from './again.ts';
import type { Client } from './client.ts';
import { ClaretError, codes, errorLike, stacklessError, type WireError } from './errors.ts';
import type { AttemptRecord } from './history.ts';
import type { Identity } from './identity.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { Operation, type Description } from './operation.ts';
import { Part } from './part.ts';
import type { ReceiptDraft } from './receipt.ts';
import type { Session } from './session.ts';
import type { OperationSpec } from './values.ts';
import { areTooFarApart, greatestVote } from './votes.ts';
import { ID_BYTES, type Answer, type Begin, type Wide } from './wire/client-frame.ts';
import type { Committed, InquiryState } from './wire/server-frame.ts';

/** what the wire holds */
const AGE_US_MAX = 2 ** 32 - 1;

export interface AttemptOwner {
  readonly label: string;
  readonly priority: Wide;
  readonly retries: number;
  /** monotonic */
  readonly begunMs: number;
  readonly deadlineMs: number;
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

/**
 * How long after its deadline an attempt's outcome may still be asked for. An answer that comes later says nothing: the
 * shards remember a commit for 10 s after the attempt's time is over.
 */
export const OUTCOME_GRACE_MS = 3_000;

const ASK_AGAIN_FIRST_US = 1_000;
const ASK_AGAIN_LONGEST_US = 100_000;

/**
 * Older than any: what voted in a session that is lost cannot be reached by wounds any more, so that it must not wait
 * elsewhere for somebody who may wait for it.
 */
const NOBODY: Wide = { high: 0, low: 0 };

/** Seen in histories alone: of such an attempt nothing was issued. */
const alreadyCommitted = stacklessError({ code: 'already_committed', message: 'The transaction has committed before' });

const RUNNING = 0;
const PREPARING = 1;
const COMMITTED = 2;
const FAILED = 3;

export class Attempt {
  readonly client: Client;
  readonly owner: AttemptOwner;
  /** given by the client's table */
  number = 0;
  parts: readonly Part[] = [];
  /** issued by the body */
  operations = 0;
  /** why it failed */
  error: ClaretError | null = null;
  /** another attempt would fail like it */
  hopeless = false;
  /** where the client keeps a history */
  record: AttemptRecord | null = null;
  /** the body has awaited an operation: not everything goes at once */
  awaited = false;
  /** what holds its operations back, where they go one at a time */
  readonly #queue: OneAtATime | null;
  /** where a transaction with an id is at home */
  #home: Part | null = null;
  #answer: Answer | null = null;
  /** the body is done, and its results are waited for */
  #concluding = false;
  readonly #ids: Uint8Array;
  readonly #idAt: number;
  #state = RUNNING;
  #participants: number[] | null = null;
  #unvoted = 0;
  #outcomesDue = 0;
  #resultsLost = false;
  #wounder: Wide | null = null;
  /** known once it prepares: no operation on any shard changes anything */
  observesOnly = false;

  /** Its id is what stands in `ids` from `idAt` on. */
  constructor(client: Client, owner: AttemptOwner, ids: Uint8Array, idAt: number) {
    this.client = client;
    this.owner = owner;
    this.#ids = ids;
    this.#idAt = idAt;
    this.#queue = owner.oneAtATime ? new OneAtATime(this) : null;
  }

  /** A view, made when it is asked for: hardly any attempt needs one. */
  get id(): Uint8Array {
    return this.#ids.subarray(this.#idAt, this.#idAt + ID_BYTES);
  }

  get running(): boolean {
    return this.#state === RUNNING;
  }

  get preparing(): boolean {
    return this.#state === PREPARING;
  }

  /** Once it has voted: it has an operation that changes something, if it commits. */
  get changes(): boolean {
    return !this.observesOnly && this.parts.length > 0;
  }

  /** Nothing else has been issued, asked for again or joined: the attempt holds nothing, and nobody waits for it. */
  beginsWith(operation: Operation<unknown>): boolean {
    const [part] = this.parts;
    return this.parts.length === 1 && part!.beginsWith(operation);
  }

  /** A shard that can be reached has a request of it that is not answered: it waits for a lock there, most likely. */
  get waits(): boolean {
    return this.error === null && this.parts.some((part) => part.busy && part.session.live && part.epoch === part.session.epoch);
  }

  /** REQUIRES: `checkCall` has found nothing. */
  issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const queue = this.#queue;
    if (this.#state !== RUNNING || this.#concluding || (queue !== null && queue.bodyDone)) {
      throw this.error ?? new ClaretError({
        code: codes.transactionEnded,
        message: `${spec.name}: the transaction has ended`,
        key,
        operation: spec.name,
      });
    }
    this.operations++;
    const session = this.client.sessionOf(key);
    const part = this.partOf(session) ?? this.#newPart(session, spec, key);
    const observed = part.again?.observed(spec, key, args);
    if (observed !== undefined) {
      if (queue !== null) queue.add(part, observed, true);
      return observed as Operation<Result>;
    }
    const operation = this.operation<Result>(part, spec, key, args);
    if (queue === null) part.add(operation);
    else queue.add(part, operation, false);
    this.client.counters.operations++;
    return operation;
  }

  issueAll(operations: readonly Description<unknown>[]): Operation<unknown>[] {
    return operations.map(({ spec, key, args }) => this.issue(spec, key, args));
  }

  /** An operation that the history will tell of, where there is one. */
  operation<Result>(part: Part, spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const sender = this.#queue ?? part;
    return this.record === null ? new Operation<Result>(sender, spec, key, args) : this.record.operation<Result>(sender, spec, key, args);
  }

  /** Before anything else, of a transaction with an id: may it begin? The owner is told. */
  claim(identity: Identity): void {
    this.#home = this.#part(this.client.sessionOfSlot(identity.slot));
    this.#home.claim();
  }

  /** A retry asks for all that the last attempt did, at once. */
  askAgain(): void {
    if (this.owner.wanted === null) return;
    for (const [session, wanted] of this.owner.wanted) {
      if (wanted.observes.length + wanted.intents.length > 0) this.#part(session).askAgain(wanted);
    }
  }

  /**
   * Throws where the shard is so far behind that nothing can come of it: better at once than when the time is over. A retry has
   * other reasons to tell, and hardly any time in the end.
   */
  #newPart(session: Session, spec: OperationSpec, key: string): Part {
    const nowMs = this.client.monotonicMs();
    const behindMs = session.live && this.owner.retries === 0 ? session.behindMs(nowMs) : 0;
    if (behindMs === 0 || behindMs < this.owner.deadlineMs - nowMs) return this.#part(session);
    const message = `shard ${session.shard} is ${Math.round(behindMs)} ms behind, which is more than the time left`;
    const error = stacklessError({ code: codes.overloaded, message, key, operation: spec.name, retryable: true });
    this.client.counters.refused++;
    this.hopeless = true;
    this.fail(error);
    throw error;
  }

  #part(session: Session): Part {
    for (const part of this.parts) if (part.session === session) return part;
    const part = new Part(this, session);
    // Not pushed, nor spread alone: both make room for 17.
    this.parts = this.parts.length === 0 ? [part] : [...this.parts, part];
    return part;
  }

  partOf(session: Session): Part | null {
    for (const part of this.parts) if (part.session === session) return part;
    return null;
  }

  /** The body is done, and its answer depends on these: `then` is called once they have results. Nothing can be issued any more. */
  conclude(operations: readonly Operation<unknown>[], then: () => void): void {
    this.#concluding = true;
    const awaited = operations.filter(({ spec }) => spec.result !== 'void');
    const concluded = () => {
      if (this.#state === RUNNING) then();
    };
    // Where one fails, so has the attempt.
    if (awaited.length === 0) concluded();
    else void Promise.all(awaited).then(concluded, () => {});
  }

  /** What is kept with the commit, at the home shard. */
  finishWith(answer: Answer): void {
    this.#answer = answer;
    this.finish();
  }

  answerFor(part: Part): Answer | null {
    return part === this.#home ? this.#answer : null;
  }

  /** The body is done: nothing can be issued any more. */
  finish(): void {
    if (this.#queue === null) this.vote();
    else this.#queue.finish();
  }

  /** Everything that was issued is sent, or goes with this: vote, or, alone, commit. */
  vote(): void {
    this.#state = PREPARING;
    this.#unvoted = this.parts.length;
    if (this.parts.length === 0) return this.#commit();
    // An answer that is kept is a change.
    this.observesOnly = this.#answer === null && this.parts.every((part) => part.observesOnly);
    if (!this.observesOnly) this.client.mayCommit(this);
    for (const part of this.parts) part.finish();
  }

  /** The shards that take part; none where it is one alone. */
  participants(): number[] {
    this.#participants ??= this.parts.length > 1 ? this.parts.map((part) => part.session.shard) : [];
    return this.#participants;
  }

  begin(part: Part, nowMs: number): Begin {
    const { owner } = this;
    if (this.#wounder !== null) part.session.wound(this, this.#wounder);
    return {
      ids: this.#ids,
      idAt: this.#idAt,
      label: owner.label,
      priority: owner.priority,
      retries: owner.retries,
      home: this.parts[0]!.session.shard,
      expiresInMs: Math.max(1, Math.ceil(owner.deadlineMs - nowMs)),
      exclusive: owner.wanted?.get(part.session)?.exclusive ?? [],
      ageUs: part === this.parts[0] ? Math.min(Math.round((nowMs - owner.begunMs) * 1000), AGE_US_MAX) : 0, // counted at home alone
      transaction: part === this.#home ? owner.identity!.bytes : null,
    };
  }

  onVote(): void {
    if (--this.#unvoted === 0) this.#commit();
  }

  /** A shard has ended it. */
  refused(part: Part, error: WireError): void {
    part.ended = true;
    this.fail(stacklessError(error));
  }

  /**
   * REQUIRES: no prepare has left, or a part has said no (its `ended` is set, or its prepare never left), or nothing is
   * changed anywhere.
   */
  fail(error: ClaretError): void {
    if (this.#state === FAILED || this.#state === COMMITTED) return;
    this.#leave(error);
    this.owner.onFailed(error);
  }

  /** The home shard knows of a commit of the transaction. */
  committedBefore(part: Part, { at, answer }: Committed): void {
    part.ended = true;
    this.#leave(alreadyCommitted);
    this.owner.onCommittedBefore(at, answer);
  }

  #leave(error: ClaretError): void {
    this.#state = FAILED;
    this.error = error;
    for (const part of this.parts) {
      if (!part.ended && part.sent && part.epoch === part.session.epoch) part.session.abort(this.number);
      part.ended = true;
    }
    for (const part of this.parts) part.fail(error);
    if (this.#queue !== null) this.#queue.fail(error);
    this.client.attempts.remove(this);
    this.record?.end('fail', null, error.code);
  }

  /** The session of `part` is gone, with everything that was neither voted nor prepared. */
  onSessionLost(part: Part, error: ClaretError): void {
    if (this.#state === COMMITTED || this.#state === FAILED || part.ended || !(part.sent || part.hasUnnamed)) return;
    // What changes nothing need not be asked about: it may run again whatever became of it.
    if (this.#state === PREPARING && part.prepareSent && !(this.observesOnly && !part.voted)) {
      if (!part.voted) this.#ask(part, error);
      return this.#mustNotWait(part.session, NOBODY);
    }
    part.ended = true;
    const { unanswered } = part;
    this.fail(errorLike(error, { key: unanswered?.key, operation: unanswered?.spec.name }));
  }

  /** Its time is over. One whose prepare is out cannot simply be called off: the shards say how it ended. */
  onDeadline(error: ClaretError): void {
    if (this.#state !== PREPARING || !this.parts.every((part) => part.prepareSent)) return this.fail(error);
    // Alone, a shard has either committed or not voted: it takes an abort at its word. Several end it by its expiry.
    const [alone, another] = this.parts;
    if (another === undefined && !alone!.asking && alone!.epoch === alone!.session.epoch) alone!.session.abort(this.number);
    for (const part of this.parts) if (!part.voted && !part.asking) this.#ask(part, error);
  }

  /** Nobody waits for it any more. False: it may be decided already, and ends by itself. */
  callOff(error: ClaretError): boolean {
    const [alone, another] = this.parts;
    const harmless = this.observesOnly && another === undefined && !alone?.asking;
    if (this.#state === COMMITTED) return false;
    if (this.#state === PREPARING && !harmless && this.parts.every((part) => part.prepareSent)) return false;
    this.fail(error);
    return true;
  }

  /** Nobody could be asked in time. It may still commit: every shard must learn how it ended before it is forgotten. */
  giveUpAsking(why = 'nobody could be asked in time'): void {
    if (this.#state !== PREPARING) return;
    this.#state = COMMITTED;
    const lost = this.parts.find((part) => !part.voted && !part.session.live);
    const error = new ClaretError({
      code: codes.outcomeUnknown,
      message: `The answer to the commit was lost, and ${why}`,
      cause: lost === undefined ? 'timeout' : codes.shardUnavailable,
      commitState: 'unknown',
      // Sent again with its id, it commits once, unless a shard forgets.
      retryable: this.owner.identity !== null && this.client.topology.durability === 'sync',
      retries: this.owner.retries,
    });
    this.#outcomesDue = this.parts.length;
    for (const part of this.parts) {
      if (part.sent && part.epoch === part.session.epoch) part.session.abandon(this.number);
      part.ended = true;
      part.fail(error);
      part.session.settleLater(this);
    }
    this.record?.end('unknown', null, error.code);
    this.owner.onFailed(error);
  }

  /** It asks a shard that cannot be reached. */
  get asksInVain(): boolean {
    return this.#state === PREPARING && this.parts.some((part) => part.asking && !part.session.live);
  }

  get #tooLateToAsk(): boolean {
    return this.client.monotonicMs() >= this.owner.deadlineMs + OUTCOME_GRACE_MS;
  }

  /** A part has the outcome, or will never need it. */
  outcomeDelivered(): void {
    if (--this.#outcomesDue === 0) this.client.attempts.remove(this);
  }

  /** An older transaction waits for this one at `session`'s shard: from now on it must not wait itself at any other. */
  onWound(session: Session, priority: Wide): void {
    this.client.counters.wounds++;
    this.#mustNotWait(session, { ...priority });
  }

  #mustNotWait(session: Session, wounder: Wide): void {
    this.#wounder = wounder;
    for (const part of this.parts) {
      if (part.session !== session && part.sent && !part.voted && !part.ended) part.session.wound(this, wounder);
      part.unpark();
    }
  }

  /** `error` is what the attempt fails with where it left no trace. */
  #ask(part: Part, error: ClaretError): void {
    part.asking = true;
    let delayUs = ASK_AGAIN_FIRST_US;
    const ask = () => {
      if (this.#state === PREPARING && !part.voted) part.session.inquire(this.id, answer);
    };
    const answer = (state: InquiryState, at: Wide) => {
      if (this.#state !== PREPARING || part.voted) return;
      if (this.#tooLateToAsk) return this.giveUpAsking();
      // A shard that has restarted may not know of all it did before, unless everything was synced.
      if (state === 'aborted' && part.restarted && this.client.topology.durability !== 'sync') {
        return this.giveUpAsking(`the shard has restarted, with durability ${this.client.topology.durability}`);
      }
      if (state === 'aborted') {
        part.ended = true;
        this.fail(error);
      } else if (state === 'pending' || (state === 'voted' && this.parts.length === 1)) {
        this.client.later(delayUs, ask);
        delayUs = Math.min(ASK_AGAIN_LONGEST_US, delayUs * 2);
      } else {
        this.#resultsLost ||= part.lostResults();
        part.vote(at);
      }
    };
    ask();
  }

  #commit(): void {
    this.#state = COMMITTED;
    const at = greatestVote(this.parts);
    if (this.parts.length <= 1) {
      this.client.attempts.remove(this);
    } else {
      this.#outcomesDue = this.parts.length;
      for (const part of this.parts) {
        if (part.epoch === part.session.epoch) part.session.commit(this, at);
        else part.session.settleLater(this);
      }
    }
    for (const part of this.parts) part.ended = true;
    if (this.observesOnly && areTooFarApart(this.parts)) return this.#votesTooFarApart();
    this.record?.end('ok', at, this.#resultsLost ? codes.resultLost : undefined);
    if (!this.#resultsLost) return this.owner.onCommitted(at);
    const lost = this.parts.find((part) => part.lostResults())?.unanswered;
    const error = new ClaretError({
      code: codes.resultLost,
      key: lost?.key,
      operation: lost?.spec.name,
      message: 'The transaction is committed, but a result was lost with the session',
      commitState: 'applied',
      retries: this.owner.retries,
    });
    for (const part of this.parts) part.fail(error);
    // What is kept with the commit was known before it.
    if (this.#answer === null) this.owner.onFailed(error);
    else this.owner.onCommitted(at);
  }

  /** It has changed nothing, so it may run again. The shards have it as committed: that brings their clocks together. */
  #votesTooFarApart(): void {
    const error = new ClaretError({
      code: codes.clockSkew,
      message: "The shards' clocks are too far apart to tell whether all that was read stood at one time",
      retryable: true,
    });
    this.error = error;
    for (const part of this.parts) part.fail(error);
    this.record?.end('fail', null, error.code);
    this.owner.onFailed(error);
  }
}
