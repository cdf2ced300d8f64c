// Transaction: runs its work in an attempt, and again in the next one, as long as the last attempt certainly had no effect and there
// is time left. Then it settles the caller's promise.

import { keepAlive } from '../attempt/keep-alive.ts';
import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import { OUTCOME_GRACE_MS } from '../attempt/atomic-commit.ts';
import { bodyFailed } from '../attempt/attempt-errors.ts';
import type { LockSet } from '../attempt/lock-set.ts';
import type { BodyRun, LockingAttempt, RunningAttempt } from '../attempt/running-attempt.ts';
import { Deadline } from '../environment/deadline.ts';
import type { Environment } from '../environment/environment.ts';
import { tell } from '../environment/tell.ts';
import { ClaretError, errorLike, textOf } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { decodeAnswer, encodeAnswer } from '../idempotency/answer.ts';
import type { Identity } from '../idempotency/identity.ts';
import type { Admitted } from '../limits/admission.ts';
import type { Limited } from '../limits/deadlines.ts';
import type { Scope, Scoped } from '../limits/scope.ts';
import { Operation } from '../operation/operation.ts';
import type { Counters } from '../reports/counters.ts';
import type { Receipt } from '../reports/receipt.ts';
import type { ReceiptDraft } from '../reports/receipt-draft.ts';
import type { Call } from '../values/call.ts';
import type { Answer } from '../wire/client-frame.ts';
import type { Grant } from '../warranties/grant.ts';
import type { Plan } from '../ways/plan.ts';
import type { Ways } from '../ways/ways.ts';
import { bigOf, type Wide } from '../wire/wide.ts';
import { expiredBeforeBegin, fateUnknown, neverBegan, timeIsOver, unreadableAnswer, withUnanswered } from './transaction-errors.ts';
import type { SteeredOptions } from './steered-options.ts';
import type { Limits, TransactionReport } from './transaction-options.ts';
import type { Once } from './once.ts';
import { Tx } from './tx.ts';
import { issueInTurn, operationsOf, resultOfWork, type Work } from './work.ts';

/** What a transaction needs to run. Implemented once, since `Transactions` makes the transactions that call it. */
export interface Runner {
  readonly environment: Environment;
  readonly counters: Counters;
  readonly limits: Limits;
  /** transactions send each operation only after the answer to the one before */
  readonly oneAtATime: boolean;
  /** operations that answer nothing are kept until their transaction ends */
  readonly defers: boolean;
  readonly ways: Ways;
  /** Returns a text that nobody else gets. */
  readonly newId: () => string;
  /** transactions that run */
  readonly running: number;
  nextPriority(): Wide;
  /** An attempt of the transaction, which has not begun. */
  beginAttempt(owner: AttemptOwner, nowMs: number): RunningAttempt;
  /** The same, one that takes locks as it goes. */
  beginLocking(owner: AttemptOwner): LockingAttempt;
  /** Starts the transaction again after its attempt has failed. */
  retry(transaction: Transaction, error: ClaretError): void;
  /** Starts the transaction again at once, after an attempt whose failure says nothing of the load. */
  again(transaction: Transaction): void;
  /** Starts the transaction again after a pause that does not count as a retry. */
  pause(transaction: Transaction, delayUs: number): void;
  /** Says which shard has the key. */
  ownerOf(key: string): string;
  /** An attempt of a transaction has failed since it met another one, which the error names. */
  met(error: ClaretError): void;
  /** The last such error, if there was one since then. */
  metSince(ms: number): ClaretError | null;
  /** The transaction is settled. */
  ended(transaction: Transaction): void;
}

/** The parts of a transaction. */
export interface Task {
  readonly label: string;
  readonly work: Work;
  readonly options: SteeredOptions;
  /** null: it is not observed */
  readonly receipt: ReceiptDraft | null;
  /** null: it has no id */
  readonly identity: Identity | null;
  readonly scope: Scope | null;
  /** Told of a commit whose attempt relied on nothing but these grants. */
  readonly onRelied?: (grants: readonly Grant[]) => void;
}

const NO_WORK: Work = () => undefined;

/** How long after the deadline a shard may still say which lock the attempt waits for. */
const ANSWER_GRACE_MS = 100;

export class Transaction implements AttemptOwner, Admitted, Limited, Scoped {
  readonly label: string;
  readonly priority: Wide;
  readonly begunMs: number;
  readonly deadlineMs: number;
  readonly deadline: Deadline;
  retries = 0;
  breaks = 0;
  thrownAwayMs = 0;
  backingOffMs = 0;
  queuedMs = 0;
  lockSets: ReadonlyMap<number, LockSet> | null = null;
  firstId: Uint8Array | null = null;
  readonly defers: boolean;
  readonly plan: Plan;
  readonly isSnapshot: boolean;
  snapshotFloor: Wide = { high: 0, low: 0 };
  readonly oneAtATime: boolean;
  readonly receipt: ReceiptDraft | null;
  readonly identity: Identity | null;
  readonly newId: () => string;
  /** what the body has drawn; null: nothing */
  once: Once | null = null;
  admitted = false;
  place = -1;
  readonly #runner: Runner;
  readonly #scope: Scope | null;
  readonly #attemptsMax: number;
  readonly #onCommit: ((report: TransactionReport) => void) | undefined;
  readonly #onRelied: Task['onRelied'];
  #work: Work;
  readonly #resolve: (result: unknown) => void;
  readonly #reject: (error: unknown) => void;
  #attempt: RunningAttempt | null = null;
  /** when it began, when its attempt did, or when that ended */
  #sinceMs: number;
  /** why the last attempt failed that says what it met */
  #met: ClaretError | null = null;
  #bodyRuns = false;
  /** what the body returned, or the operations of the list */
  #outcome: unknown = undefined;
  #settled = false;

  constructor(runner: Runner, task: Task, resolve: (result: unknown) => void, reject: (error: unknown) => void) {
    const { label, work, options, receipt, identity, scope } = task;
    this.#runner = runner;
    this.label = label;
    this.newId = runner.newId;
    this.priority = runner.nextPriority();
    this.begunMs = this.#sinceMs = runner.environment.monotonicMs();
    this.deadlineMs = Math.min(this.begunMs + (options.timeoutMs ?? runner.limits.timeoutMs), scope?.deadlineMs ?? Infinity);
    this.deadline = new Deadline(runner.environment, this.deadlineMs);
    this.#attemptsMax = options.attemptsMax ?? runner.limits.attemptsMax;
    this.#onCommit = options.onCommit;
    this.#onRelied = task.onRelied;
    this.oneAtATime = runner.oneAtATime;
    // With one operation at a time, a list is like a body that awaits each of them.
    const awaits = typeof work === 'function' || this.oneAtATime;
    this.defers = awaits && runner.defers && options.now !== true;
    this.isSnapshot = options.isolation === 'snapshot';
    const traits = {
      label,
      listed: typeof work === 'function' ? null : work.length,
      oneAtATime: this.oneAtATime,
      isSnapshot: this.isSnapshot,
      hasId: identity !== null,
      mayBeForecast: options.forecast !== false && options.now !== true,
      way: options.way ?? 'auto',
    };
    this.plan = runner.ways.plan(traits, awaits ? null : (work as readonly Call[]), this.begunMs, runner.environment);
    this.receipt = receipt;
    this.identity = identity;
    this.#work = work;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#scope = scope;
    scope?.enter(this);
  }

  get settled(): boolean {
    return this.#settled;
  }

  // ---- running ----

  start(backedOff = false): void {
    if (this.#settled) return;
    const nowMs = this.#runner.environment.monotonicMs();
    if (nowMs >= this.deadlineMs) return this.#tooLate();
    if (backedOff) this.backingOffMs += nowMs - this.#sinceMs;
    else this.queuedMs += nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    this.identity?.attemptBegins();
    const attempt = this.#runner.beginAttempt(this, nowMs);
    this.#attempt = attempt;
    attempt.begin();
  }

  get isLast(): boolean {
    return this.retries + 1 >= this.#attemptsMax;
  }

  get list(): readonly Call[] | null {
    return typeof this.#work === 'function' ? null : this.#work;
  }

  runBody(run: BodyRun): void {
    this.#bodyRuns = true;
    const work = this.#work;
    let outcome: unknown;
    try {
      if (typeof work === 'function') {
        this.receipt?.bodyRuns();
        outcome = work(new Tx(run, this.retries, this));
      } else {
        outcome = run.awaitsEach ? issueInTurn(run, work) : work.map(({ spec, key, args }) => run.issue(spec, key, args));
      }
    } catch (error) {
      return this.#bodyThrew(run, error);
    }
    if (!(outcome instanceof Operation) && isThenable(outcome)) {
      outcome.then(
        (result) => this.#bodyDone(run, result),
        (error: unknown) => this.#bodyThrew(run, error),
      );
    } else {
      this.#bodyDone(run, outcome);
    }
  }

  #bodyDone(run: BodyRun, outcome: unknown): void {
    this.#bodyRuns = false;
    this.#outcome = outcome;
    run.bodyDone();
  }

  #bodyThrew(run: BodyRun, thrown: unknown): void {
    this.#bodyRuns = false;
    run.bodyThrew(thrown);
  }

  get awaitedAtEnd(): readonly Operation<unknown>[] {
    return operationsOf(this.#work, this.#outcome);
  }

  answer(): Answer {
    return { bytes: encodeAnswer(resultOfWork(this.#work, this.#outcome)), keepMs: this.identity!.keepMs };
  }

  takeLocks(lockSets: ReadonlyMap<number, LockSet> | null): LockingAttempt {
    this.plan.takeLocks();
    this.lockSets = lockSets;
    const attempt = this.#runner.beginLocking(this);
    this.#attempt = attempt;
    return attempt;
  }

  onThrown(thrown: unknown): void {
    this.#rejectUndone(thrown);
  }

  // ---- commit ----

  onCommitted(at: Wide): void {
    this.#runner.counters.commits++;
    if (this.plan.isMeasured) this.plan.committed(this.#runner.environment.monotonicMs());
    if (this.plan.byEpoch) this.#runner.counters.epochCommits++;
    this.#committed(at, false);
    this.#resolve(resultOfWork(this.#work, this.#outcome));
    this.#forget();
  }

  onCommittedBefore(at: Wide, answer: Uint8Array): void {
    if (this.#settled) return;
    this.#runner.counters.replays++;
    let result: unknown;
    try {
      result = decodeAnswer(answer);
    } catch {
      return this.#rejectWith(unreadableAnswer(this.retries), 'committed');
    }
    this.#committed(at, true);
    this.#resolve(result);
    this.#forget();
  }

  #committed(at: Wide, replayed: boolean): void {
    this.#settle('committed');
    if (this.#onCommit !== undefined) {
      const report = { committedAt: bigOf(at), retries: this.retries, replayed };
      tell(this.#runner.environment, this.#onCommit, report);
    }
    if (this.#onRelied !== undefined && !replayed) {
      const { operations, warranted, uses } = this.#attempt!;
      if (operations === warranted) this.#onRelied(uses?.grants ?? []);
    }
    if (this.receipt !== null) this.#report(this.receipt, 'committed');
  }

  // ---- time ----

  /** Called periodically. Keeps its attempt alive where it waits. From OUTCOME_GRACE_MS after the deadline on, it settles the transaction in any state. */
  look(nowMs: number): void {
    if (this.#settled) return;
    if (nowMs < this.deadlineMs) return void (this.#attempt && keepAlive(this.#attempt, nowMs));
    const graceOver = nowMs >= this.deadlineMs + OUTCOME_GRACE_MS;
    try {
      this.#endInTime(nowMs, graceOver);
    } finally {
      if (graceOver && !this.#settled) this.#endAnyhow();
    }
  }

  #endInTime(nowMs: number, graceOver: boolean): void {
    const attempt = this.#attempt;
    // Without a running attempt it waits for its turn or for its next attempt.
    if (attempt === null || (attempt.error !== null && !this.#bodyRuns)) return this.#tooLate();
    if (attempt.error === null) {
      if (graceOver) attempt.onGraceOver(timeIsOver(attempt));
      else if (attempt.waits && nowMs < this.deadlineMs + ANSWER_GRACE_MS) return;
      else attempt.onDeadline(timeIsOver(attempt));
      // A caller with an id can send the transaction again, and need not wait for its outcome.
      if (this.identity !== null && attempt.asksInVain) attempt.giveUpAsking();
    }
    // A body that hangs would never report the failure.
    if (attempt.error !== null) this.#failed(attempt.error);
  }

  /** The state is inconsistent, but the caller's promise has to settle. */
  #endAnyhow(): void {
    if (this.#attempt === null || this.#attempt.error !== null) return this.#tooLate();
    this.#rejectWith(fateUnknown(this.retries), 'unknown');
  }

  /** The time was over before the next attempt began. */
  #tooLate(): void {
    const error = this.#attempt?.error ?? (this.deadlineMs <= this.begunMs ? expiredBeforeBegin() : null);
    this.#rejectWith(
      error === null ? neverBegan(this.label, this.#runner.running, this.#runner.metSince(this.begunMs)) : this.#gaveUp(error, true),
    );
  }

  // ---- failure ----

  onFailed(error: ClaretError): void {
    if (error === bodyFailed) return;
    // A running body learns of the failure from its operations and continues to its end, so two bodies of one transaction never run
    // at once.
    if (!this.#bodyRuns || error.commitState !== 'none') this.#failed(error);
  }

  #failed(error: ClaretError): void {
    if (this.#settled) return;
    if (error.code === codes.transactionInProgress && this.identity !== null) return this.#inProgress(error);
    const attempt = this.#attempt!;
    const { counters, environment } = this.#runner;
    counters.aborts++;
    this.receipt?.failed(error);
    if (error.blockingOperation !== undefined) {
      this.#met = error;
      this.#runner.met(error);
    }
    if (error.commitState !== 'none') return this.#rejectWith(error, error.commitState === 'applied' ? 'committed' : 'unknown');
    // An attempt and its transaction have the same deadline, but the clock of a shard may reach it a little earlier.
    const nowMs = environment.monotonicMs();
    const late = nowMs >= this.deadlineMs || (error.code === codes.expired && error.cause !== 'idle');
    if (error.code === codes.calledOff) return this.#rejectWith(this.#withRetries(error));
    if (!error.retryable || isLasting(error) || attempt.hopeless) return this.#rejectUndone(this.#withRetries(error));
    if (late || this.isLast) return this.#rejectWith(this.#gaveUp(error, late));
    if (error.code === codes.nativeConflict) this.breaks++;
    if (error.code === codes.epochMissed) counters.epochsMissed++;
    this.plan.failed(error);
    // They are by shard, and the records of one have other shards now.
    this.lockSets = error.code === codes.wrongShard || this.plan.byEpoch ? null : attempt.lockSets();
    this.retries++;
    this.thrownAwayMs += Math.max(0, nowMs - this.#sinceMs - attempt.waitedMs);
    this.#sinceMs = nowMs;
    counters.retries++;
    if (attempt.againAtOnce) this.#runner.again(this);
    else this.#runner.retry(this, error);
  }

  /** Another attempt is under way. It may be another client's, or one of this very transaction whose session broke. */
  #inProgress(error: ClaretError): void {
    if (!this.identity!.waitsForOther()) return this.#rejectWith(error);
    this.#runner.pause(this, this.identity!.nextPauseUs(this.#runner.environment.random()));
  }

  #gaveUp(error: ClaretError, late: boolean): ClaretError {
    if (late && error.code === codes.shardUnavailable) return this.#withRetries(error);
    // An attempt whose time is over may know less than one before it, and its shards less than the client.
    const isMute = error.cause === 'timeout' && error.blockingOperation === undefined;
    const known = isMute ? (this.#met ?? withUnanswered(error, this.#attempt)) : error;
    const tries = `${this.retries + 1} attempt${this.retries === 0 ? '' : 's'}${late ? ', when its time was over' : ''}`;
    const owner = error.code === codes.wrongShard && error.key !== undefined ? `; ${this.#runner.ownerOf(error.key)}` : '';
    return errorLike(known, {
      code: codes.gaveUp,
      message: `${this.label || 'A transaction'} gave up after ${tries}: ${textOf(known)}${owner}`,
      retries: this.retries,
    });
  }

  #withRetries(error: ClaretError): ClaretError {
    return errorLike(error, { retries: this.retries });
  }

  /** The result is no longer wanted. An attempt that may be decided already ends by itself. */
  callOff(error: ClaretError): void {
    const attempt = this.#attempt;
    if (attempt === null || attempt.error !== null) return this.#rejectWith(error);
    if (attempt.callOff(error)) this.#failed(error);
  }

  close(error: ClaretError): void {
    if (this.#settled) return;
    if (this.#attempt !== null && !this.#attempt.preparing) this.#attempt.fail(bodyFailed);
    const committing = this.#attempt?.preparing ?? false;
    if (committing) this.#attempt!.giveUp(error);
    this.#rejectWith(committing ? errorLike(error, { commitState: 'unknown' }) : error, committing ? 'unknown' : 'aborted');
  }

  // ---- the end ----

  /** Rejects for good, once its home shard has said that it has not committed. */
  #rejectUndone(thrown: unknown): void {
    if (this.#settled || this.identity === null || this.identity.mayFail(thrown)) return this.#rejectWith(thrown);
    this.#sinceMs = this.#runner.environment.monotonicMs();
    this.#runner.again(this);
  }

  #rejectWith(error: unknown, outcome: Receipt['outcome'] = 'aborted'): void {
    if (this.#settled) return;
    // An earlier call with the same id may have committed it, whatever happened here.
    if (this.identity?.isUndone === false && error instanceof ClaretError && error.commitState === 'none') {
      return this.#rejectWith(errorLike(error, { commitState: 'unknown' }), 'unknown');
    }
    this.#settle(outcome);
    if (this.receipt !== null) this.#report(this.receipt, outcome);
    this.#reject(error);
    this.#forget();
  }

  /** Its promise is settled. Cuts links (see Operation). */
  #forget(): void {
    this.#attempt = null;
    this.#work = NO_WORK;
    this.once = null;
    this.#outcome = undefined;
  }

  #report(draft: ReceiptDraft, outcome: Receipt['outcome']): void {
    const attempt = this.#attempt;
    const { environment } = this.#runner;
    const nowMs = environment.monotonicMs();
    const receipt = draft.end({
      label: this.label,
      outcome,
      retries: this.retries,
      durationMs: nowMs - this.begunMs,
      operations: attempt?.operations ?? 0,
      warranted: attempt?.warranted ?? 0,
      shards: attempt?.parts.length ?? 0,
      epochMs: this.plan.byEpoch ? nowMs - this.#sinceMs : null,
    });
    for (const listener of draft.listeners) tell(environment, listener, receipt);
  }

  #settle(outcome: Receipt['outcome']): void {
    this.#settled = true;
    this.plan.ended();
    this.#scope?.leave(this, outcome !== 'aborted' && this.#attempt?.changes === true);
    this.#runner.ended(this);
  }
}

/** The condition behind the error lasts, so a retry in a moment would fail too. */
function isLasting({ code }: ClaretError): boolean {
  return code === codes.diskFull || code === codes.clockSkew;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
