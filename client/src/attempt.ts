// Attempt: one try of a transaction, and its coordinator (the founding rules, sections 5 and 6).
//
// running ──finish──▶ preparing ──every part voted──▶ committed        the owner is told at once, the outcome follows
//    └──────any failure──┴──────────────────────────▶ failed           and the other parts are told `aborted`
// A part whose prepare went unanswered (its session is gone, or time is up) is asked for the outcome; until it answers
// the attempt is neither. Once committed, an attempt stays in the client's table until every part has the outcome.

import { alreadyCommitted, outcomeUnknown, resultLost, sessionGone, tooLate } from './attempt-errors.ts';
import type { AttemptOwner } from './attempt-owner.ts';
import { before, microseconds } from './before.ts';
import type { Client } from './client.ts';
import { ClaretError, codes, errorLike, stacklessError, type WireError } from './errors.ts';
import type { AttemptRecord } from './history.ts';
import type { Identity } from './identity.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { Operation, type Description, type Sender } from './operation.ts';
import { Part } from './part.ts';
import type { Session } from './session.ts';
import type { OperationSpec } from './values.ts';
import { HOLDS, greatestVote, holdsFor } from './votes.ts';
import { ID_BYTES, type Answer, type Begin, type Wide } from './wire/client-frame.ts';
import type { Committed, InquiryState } from './wire/server-frame.ts';

/**
 * How long after its deadline an attempt's outcome may still be asked for. An answer that comes later says nothing: the
 * shards remember a commit for 10 s after the attempt's time is over.
 */
export const OUTCOME_GRACE_MS = 3_000;

const ASK_AGAIN_FIRST_US = 1_000;
const ASK_AGAIN_LONGEST_US = 100_000;

// Older than any: what voted in a lost session is out of reach of wounds, so it must not wait elsewhere.
const NOBODY: Wide = { high: 0, low: 0 };

const NEVER_SENT: Sender = { want: () => {}, settled: () => {} };

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
  /** for locks, as shards have told */
  waitedMs = 0;
  /** the body has awaited an operation: not everything goes at once */
  awaited = false;
  /** what holds its operations back, where they go one at a time */
  readonly #queue: OneAtATime | null;
  /** where a transaction with an id is at home */
  #home: Part | null = null;
  #answer: Answer | null = null;
  /** why it is about to fail */
  #refusal: ClaretError | null = null;
  /** the body is done, and its results are waited for */
  #concluding = false;
  readonly #ids: Uint8Array;
  readonly #idAt: number;
  #state = RUNNING;
  #participants: number[] | null = null;
  #unvoted = 0;
  #outcomesDue = 0;
  #resultsLost = false;
  /** it only observes, and is committed, but its owner is told only once these parts have taken the outcome in */
  #unconfirmed: ReadonlySet<Part> | null = null;
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
      throw (
        this.error ??
        new ClaretError({
          code: codes.transactionEnded,
          message: `${spec.name}: the transaction has ended`,
          key,
          operation: spec.name,
        })
      );
    }
    this.operations++;
    const session = this.client.sessionOf(key);
    const part = this.partOf(session) ?? this.#newPart(session);
    if (part === null) return this.#refuse<Result>(session, spec, key, args);
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
   * Null where the shard is so far behind that nothing can come of it: better refused at once than when the time is over. A retry
   * has other reasons to tell, and hardly any time in the end.
   */
  #newPart(session: Session): Part | null {
    const nowMs = this.client.monotonicMs();
    const behindMs = session.live && this.owner.retries === 0 ? session.behindMs(nowMs) : 0;
    return behindMs === 0 || behindMs < this.owner.deadlineMs - nowMs ? this.#part(session) : null;
  }

  /**
   * The attempt fails after this turn of the body, as if the shard had refused it. Thrown at once, the error would keep the body
   * from awaiting what it has just asked for.
   */
  #refuse<Result>(session: Session, spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const behindMs = Math.round(session.behindMs(this.client.monotonicMs()));
    const message = `shard ${session.shard} is ${behindMs} ms behind, which is more than the time left`;
    const error = stacklessError({ code: codes.overloaded, message, key, operation: spec.name, retryable: true });
    if (this.#refusal === null) this.client.counters.refused++;
    this.#refusal ??= error;
    this.hopeless = true;
    const operation = new Operation<Result>(NEVER_SENT, spec, key, args);
    queueMicrotask(() => {
      operation.fail(error);
      this.fail(error);
    });
    return operation;
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
    if (this.#refusal !== null) return this.fail(this.#refusal);
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
    if (this.#refusal !== null) this.fail(this.#refusal);
    else if (this.#queue === null) this.vote();
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
      // Both are counted at home alone.
      ageUs: part === this.parts[0] ? microseconds(nowMs - owner.begunMs) : 0,
      before: part === this.parts[0] ? before(owner) : null,
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
    if (this.#unconfirmed?.has(part)) return this.#notConfirmed(error);
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

  /** Every shard has been told to prepare: it may be committed, whatever happens here. */
  get #mayBeDecided(): boolean {
    return this.#state === PREPARING && this.parts.every((part) => part.prepareSent);
  }

  /** Its time is over. One that may be decided cannot simply be called off: the shards say how it ended. */
  onDeadline(error: ClaretError): void {
    if (this.#unconfirmed !== null) return this.#notConfirmed(error);
    if (!this.#mayBeDecided) return this.fail(error);
    // Alone, a shard has either committed or not voted: it takes an abort at its word. Several end it by its expiry.
    const [alone, another] = this.parts;
    if (another === undefined && !alone!.asking && alone!.epoch === alone!.session.epoch) alone!.session.abort(this.number);
    for (const part of this.parts) if (!part.voted && !part.asking) this.#ask(part, error);
  }

  /** The time to ask is over too. What changes nothing leaves nothing unknown. */
  onGraceOver(error: ClaretError): void {
    if (this.#unconfirmed !== null) this.#notConfirmed(error);
    else if (this.#mayBeDecided && !this.observesOnly) this.giveUpAsking();
    else this.fail(error);
  }

  /** Nobody waits for it any more. False: it may be decided already, and ends by itself. */
  callOff(error: ClaretError): boolean {
    const [alone, another] = this.parts;
    const harmless = this.observesOnly && another === undefined && !alone?.asking;
    if (this.#unconfirmed !== null) {
      this.#notConfirmed(error);
      return true;
    }
    if (this.#state === COMMITTED || (this.#mayBeDecided && !harmless)) return false;
    this.fail(error);
    return true;
  }

  /** Nobody could be asked in time. It may still commit: every shard must learn how it ended before it is forgotten. */
  giveUpAsking(why = 'nobody could be asked in time'): void {
    if (this.#unconfirmed !== null) return this.#notConfirmed(tooLate());
    if (this.#state !== PREPARING) return;
    this.#state = COMMITTED;
    const lost = this.parts.find((part) => !part.voted && !part.session.live);
    const error = outcomeUnknown(why, {
      lostShard: lost !== undefined,
      retryable: this.owner.identity !== null && this.client.topology.durability === 'sync', // unless a shard forgets
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

  /** The shard of a part has taken the outcome in, in the session in which it has voted. */
  outcomeTaken(session: Session): void {
    this.outcomeDelivered();
    if (this.#unconfirmed === null) return;
    const left = new Set([...this.#unconfirmed].filter((part) => part.session !== session));
    this.#unconfirmed = left;
    if (left.size > 0) return;
    // After its time a shard may have let go of it without the outcome.
    if (this.client.monotonicMs() >= this.owner.deadlineMs) return this.#notConfirmed(tooLate());
    this.#unconfirmed = null;
    this.#committed();
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
        // How long a vote that is not logged holds, no answer says.
        part.vote(at, this.observesOnly && state === 'voted' ? at : HOLDS);
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
    const unconfirmed = this.observesOnly ? this.parts.filter((part) => !holdsFor(part, at)) : [];
    if (unconfirmed.length === 0) return this.#committed();
    this.#unconfirmed = new Set(unconfirmed);
    if (unconfirmed.some((part) => part.epoch !== part.session.epoch)) this.#notConfirmed(sessionGone());
  }

  #committed(): void {
    const at = greatestVote(this.parts);
    this.record?.end('ok', at, this.#resultsLost ? codes.resultLost : undefined);
    if (!this.#resultsLost) return this.owner.onCommitted(at);
    const lost = this.parts.find((part) => part.lostResults())?.unanswered;
    const error = resultLost(lost, this.owner.retries);
    for (const part of this.parts) part.fail(error);
    // What is kept with the commit was known before it.
    if (this.#answer === null) this.owner.onFailed(error);
    else this.owner.onCommitted(at);
  }

  /** Perhaps not all that it saw stood at one time. It has changed nothing, so it may run again. */
  #notConfirmed(error: ClaretError): void {
    this.#unconfirmed = null;
    this.error = error;
    for (const part of this.parts) part.fail(error);
    this.record?.end('fail', null, error.code);
    this.owner.onFailed(error);
  }
}
