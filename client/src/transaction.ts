// Transaction: what an application asks for. Runs the body in an attempt, and again in the next one, as long as the
// outcome of the last is known to be nothing and there is time.

import { decodeAnswer, encodeAnswer } from './answer.ts';
import { wantedAfter, type Wanted } from './again.ts';
import { Attempt, OUTCOME_GRACE_MS } from './attempt.ts';
import type { AttemptOwner } from './attempt-owner.ts';
import type { Client } from './client.ts';
import { ClaretError, codes, errorLike } from './errors.ts';
import { Handles } from './generated/handles.ts';
import type { Identity } from './identity.ts';
import { Finish, Operation, type Description } from './operation.ts';
import type { Receipt, ReceiptDraft } from './receipt.ts';
import { attemptDelayUs } from './retry.ts';
import type { Scope } from './scope.ts';
import type { Session } from './session.ts';
import { checkCall, type OperationSpec } from './values.ts';
import type { Wide } from './wire/client-frame.ts';

export interface TransactionReport {
  committedAt: bigint;
  retries: number;
  /** it has committed before, under its id: its result is the answer that was kept */
  replayed: boolean;
}

export interface TransactionOptions {
  /** everything, retries included, must be done in this time; 10,000 by default */
  timeoutMs?: number;
  /** 100 by default; 1: never retried */
  attemptsMax?: number;
  /** told when the transaction has committed, before its result is */
  onCommit?: (report: TransactionReport) => void;
  /**
   * From `claret.transactionId()`: however often, wherever and by whomever a transaction is sent with this id, it commits once,
   * and each caller is answered the same. What it returns must be JSON, or hold bigints besides, of up to 64 KiB.
   */
  id?: string;
  /** with `id`: how long after its commit that is so, shards' restarts included; 600,000 by default, 86,400,000 at most */
  keepMs?: number;
  /** with `id`: while somebody else runs the transaction, wait (by default), or reject with `transaction_in_progress` */
  inProgress?: 'wait' | 'refuse';
}

/** What a body works with: typed handles whose operations run inside the transaction. One for each attempt. */
export class Tx extends Handles {
  readonly #attempt: Attempt;
  /** attempts that ended before this one */
  readonly retries: number;

  constructor(attempt: Attempt, retries: number) {
    super();
    this.#attempt = attempt;
    this.retries = retries;
  }

  override issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    checkCall(spec, key, args);
    return this.#attempt.issue(spec, key, args);
  }

  /** Issues an operation that was described before. */
  perform<Result>(description: Description<Result>): Operation<Result> {
    return this.#attempt.issue(description.spec, description.key, description.args);
  }

  /** `return tx.finish(op)`: the end rides on `op`, whose result is the transaction's. */
  finish<Result>(operation: Operation<Result>): Finish<Result> {
    return new Finish(operation);
  }
}

export type Body<Result> = (tx: Tx) => Promise<Result | Finish<Result>> | Operation<Result> | Finish<Result> | Result;

/** A body, or, one-shot, all operations, whose results are the transaction's. */
export type Work = Body<unknown> | readonly Description<unknown>[];

/** What a transaction is made of. */
export interface Task {
  readonly label: string;
  readonly work: Work;
  readonly options: TransactionOptions;
  /** null: nobody observes it */
  readonly receipt: ReceiptDraft | null;
  /** null: it has no id */
  readonly identity: Identity | null;
  readonly scope: Scope | null;
}

/** How long after the deadline a shard may still say what the attempt has been waiting for. */
const ANSWER_GRACE_MS = 100;

export class Transaction implements AttemptOwner {
  readonly label: string;
  readonly priority: Wide;
  /** monotonic */
  readonly begunMs: number;
  readonly deadlineMs: number;
  retries = 0;
  thrownAwayMs = 0;
  backingOffMs = 0;
  queuedMs = 0;
  wanted: ReadonlyMap<Session, Wanted> | null = null;
  /** id of its first attempt, where there is a history */
  firstId: Uint8Array | null = null;
  /** one whose join was broken goes on by itself */
  combines: boolean;
  readonly oneAtATime: boolean;
  readonly receipt: ReceiptDraft | null;
  readonly identity: Identity | null;
  /** counted among those that run */
  admitted = false;
  readonly #client: Client;
  readonly #scope: Scope | null;
  readonly #attemptsMax: number;
  readonly #onCommit: ((report: TransactionReport) => void) | undefined;
  readonly #work: Work;
  readonly #resolve: (result: unknown) => void;
  readonly #reject: (error: unknown) => void;
  #attempt: Attempt | null = null;
  /** since it began, since its attempt did, or since that ended */
  #sinceMs: number;
  /** why the last attempt failed, if it was denied a lock */
  #denied: ClaretError | null = null;
  #bodyRuns = false;
  /** its home shard has let an attempt of it begin */
  #claimed = false;
  /** as far as its home shard has said: it has not committed, and nobody else runs it */
  #undone = false;
  #result: unknown = undefined;
  #settled = false;

  constructor(client: Client, task: Task, resolve: (result: unknown) => void, reject: (error: unknown) => void) {
    const { label, work, options, receipt, identity, scope } = task;
    this.#client = client;
    this.label = label;
    this.priority = client.nextPriority();
    this.begunMs = this.#sinceMs = client.monotonicMs();
    this.deadlineMs = Math.min(this.begunMs + (options.timeoutMs ?? client.limits.timeoutMs), scope?.deadlineMs ?? Infinity);
    this.#attemptsMax = options.attemptsMax ?? client.limits.attemptsMax;
    this.#onCommit = options.onCommit;
    this.oneAtATime = client.oneAtATime;
    // One at a time, a list is like a body that awaits each of them.
    this.combines = typeof work === 'function' || this.oneAtATime;
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

  /** `backedOff`: after a pause, and not in its turn */
  start(backedOff = false): void {
    if (this.#settled) return;
    const nowMs = this.#client.monotonicMs();
    if (nowMs >= this.deadlineMs) return this.#tooLate();
    if (backedOff) this.backingOffMs += nowMs - this.#sinceMs;
    else this.queuedMs += nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    const attempt = this.#client.beginAttempt(this);
    this.#attempt = attempt;
    if (attempt.record !== null) this.firstId ??= attempt.id;
    if (this.identity === null) this.#run(attempt);
    else attempt.claim(this.identity);
  }

  /** The body runs only where the transaction cannot have committed before: it would meet its own effects. */
  onClaimed(): void {
    this.#undone = true;
    this.#run(this.#attempt!);
  }

  #run(attempt: Attempt): void {
    this.#bodyRuns = true;
    this.#claimed = true;
    attempt.askAgain();
    const work = this.#work;
    let outcome: unknown;
    try {
      outcome = typeof work === 'function' ? work(new Tx(attempt, this.retries)) : attempt.issueAll(work);
    } catch (error) {
      return this.#bodyThrew(attempt, error);
    }
    if (!(outcome instanceof Operation) && isThenable(outcome)) {
      outcome.then(
        (result) => this.#bodyDone(attempt, result),
        (error: unknown) => this.#bodyThrew(attempt, error),
      );
    } else {
      this.#bodyDone(attempt, outcome);
    }
  }

  /** Its time was over before this attempt began. */
  #tooLate(): void {
    const message = 'the time allowed was over before it began';
    const last = this.#attempt?.error ?? new ClaretError({ code: codes.expired, message, retryable: true });
    this.#rejectWith(this.#gaveUp(last, true));
  }

  #bodyDone(attempt: Attempt, result: unknown): void {
    this.#bodyRuns = false;
    if (attempt.error !== null) return this.#failed(attempt.error);
    this.#result = result;
    if (this.identity === null) attempt.finish();
    else attempt.conclude(this.#operationsOf(result), () => this.#answer(attempt, this.identity!));
  }

  /** Those that its result depends on. */
  #operationsOf(result: unknown): readonly Operation<unknown>[] {
    if (typeof this.#work !== 'function') return result as Operation<unknown>[];
    if (result instanceof Finish) return [result.operation];
    return result instanceof Operation ? [result] : [];
  }

  /** Its result, once these have been answered. */
  #value(): unknown {
    const result = this.#result;
    if (typeof this.#work !== 'function') return (result as Operation<unknown>[]).map(({ value }) => value);
    if (result instanceof Finish) return result.operation.value;
    return result instanceof Operation ? result.value : result;
  }

  #answer(attempt: Attempt, { keepMs }: Identity): void {
    let bytes: Uint8Array;
    try {
      bytes = encodeAnswer(this.#value());
    } catch (error) {
      return attempt.fail(error as ClaretError);
    }
    attempt.finishWith({ bytes, keepMs });
  }

  #bodyThrew(attempt: Attempt, thrown: unknown): void {
    this.#bodyRuns = false;
    if (attempt.error !== null) return attempt.error.retryable ? this.#failed(attempt.error) : this.#rejectWith(thrown);
    attempt.fail(bodyFailed);
    this.#rejectWith(thrown);
  }

  onCommitted(at: Wide): void {
    this.#client.counters.commits++;
    this.#committed(at, false);
    this.#resolve(this.#value());
  }

  onCommittedBefore(at: Wide, answer: Uint8Array): void {
    if (this.#settled) return;
    this.#client.counters.replays++;
    let result: unknown;
    try {
      result = decodeAnswer(answer);
    } catch {
      const message = 'The transaction has committed before, with an answer that this client cannot read';
      return this.#rejectWith(
        new ClaretError({ code: codes.resultLost, message, commitState: 'applied', retries: this.retries }),
        'committed',
      );
    }
    this.#committed(at, true);
    this.#resolve(result);
  }

  #committed(at: Wide, replayed: boolean): void {
    this.#settle('committed');
    if (this.#onCommit !== undefined) {
      const report = { committedAt: (BigInt(at.high) << 32n) | BigInt(at.low), retries: this.retries, replayed };
      this.#client.tell(this.#onCommit, report);
    }
    if (this.receipt !== null) this.#report(this.receipt, 'committed');
  }

  onFailed(error: ClaretError): void {
    if (error === bodyFailed) return;
    // The body is told by its operations and runs to its end: two of one transaction never run at once.
    if (!this.#bodyRuns || error.commitState !== 'none') this.#failed(error);
  }

  /** Called now and then until it is settled. From OUTCOME_GRACE_MS after its deadline on, that settles it in any state. */
  look(nowMs: number): void {
    if (this.#settled || nowMs < this.deadlineMs) return;
    const graceOver = nowMs >= this.deadlineMs + OUTCOME_GRACE_MS;
    try {
      this.#endInTime(nowMs, graceOver);
    } finally {
      if (graceOver && !this.#settled) this.#endAnyhow();
    }
  }

  #endInTime(nowMs: number, graceOver: boolean): void {
    const attempt = this.#attempt;
    // It waits for its turn or for its next attempt.
    if (attempt === null || (attempt.error !== null && !this.#bodyRuns)) return this.#tooLate();
    if (attempt.error === null) {
      if (graceOver) attempt.onGraceOver(this.#timeIsOver());
      else if (attempt.waits && nowMs < this.deadlineMs + ANSWER_GRACE_MS) return;
      else attempt.onDeadline(this.#timeIsOver());
      // Who can send it again need not wait to be told.
      if (this.identity !== null && attempt.asksInVain) attempt.giveUpAsking();
    }
    // A body that hangs would never tell.
    if (attempt.error !== null) this.#failed(attempt.error);
  }

  /** Something is wrong in here; its caller does not wait for that to be found. */
  #endAnyhow(): void {
    if (this.#attempt === null || this.#attempt.error !== null) return this.#tooLate();
    const message = 'The time allowed is over, and how the transaction ended is not known';
    this.#rejectWith(new ClaretError({ code: codes.outcomeUnknown, message, commitState: 'unknown', retries: this.retries }), 'unknown');
  }

  #timeIsOver(): ClaretError {
    const message = 'the time allowed is over';
    const { parts } = this.#attempt!;
    const missing = parts.find((part) => !part.session.live);
    const denied = parts.find((part) => part.denied !== null)?.denied;
    if (missing === undefined && denied != null) return new ClaretError({ ...denied, message, retryable: true });
    // An attempt that has not been answered yet knows less than the one before it.
    if (missing === undefined && this.#denied !== null) return errorLike(this.#denied, { message });
    const unanswered = (missing ?? parts.find((part) => part.unanswered))?.unanswered;
    const code = missing === undefined ? codes.expired : codes.shardUnavailable;
    return new ClaretError({ code, message, key: unanswered?.key, operation: unanswered?.spec.name, retryable: true });
  }

  #failed(error: ClaretError): void {
    if (this.#settled) return;
    if (error.code === codes.transactionInProgress) return this.#inProgress(error);
    this.#client.counters.aborts++;
    this.receipt?.failed(error);
    if (error.commitState !== 'none') return this.#rejectWith(error, error.commitState === 'applied' ? 'committed' : 'unknown');
    // An attempt's time is its transaction's: a shard may see a little earlier that it is over.
    const nowMs = this.#client.monotonicMs();
    const late = nowMs >= this.deadlineMs || (error.code === codes.expired && error.cause !== 'idle');
    // There will not be room in a moment.
    if (!error.retryable || error.code === codes.diskFull || error.code === codes.clockSkew || this.#attempt!.hopeless)
      return this.#rejectWith(this.#withRetries(error));
    if (late || this.retries + 1 >= this.#attemptsMax) return this.#rejectWith(this.#gaveUp(error, late));
    if (error.code === codes.joinBroken) this.combines = false;
    this.#denied = error.code === codes.denied ? error : null;
    this.wanted = wantedAfter(this.#attempt!);
    this.retries++;
    this.thrownAwayMs += Math.max(0, nowMs - this.#sinceMs - this.#attempt!.waitedMs);
    this.#sinceMs = nowMs;
    this.#client.counters.retries++;
    this.#client.retry(this, error, attemptDelayUs(this.#client.retryPolicy, this.retries, this.#client.random()));
  }

  /** Another attempt of it is under way, whoever runs that; perhaps one of this very transaction, whose session broke. */
  #inProgress(error: ClaretError): void {
    this.#undone = false;
    if (this.identity!.refuses && !this.#claimed) return this.#rejectWith(error);
    this.#client.pause(this, this.identity!.nextPauseUs(this.#client.random()));
  }

  #gaveUp(error: ClaretError, late: boolean): ClaretError {
    if (late && error.code === codes.shardUnavailable) return this.#withRetries(error);
    const tries = `${this.retries + 1} attempts${late ? ', the time is over' : ''}`;
    return errorLike(error, {
      code: codes.gaveUp,
      message: `${this.label || 'A transaction'} gave up after ${tries}: ${error.message}`,
      retries: this.retries,
    });
  }

  #withRetries(error: ClaretError): ClaretError {
    return errorLike(error, { retries: this.retries });
  }

  /** Whoever wanted it has gone. What may be decided already ends by itself. */
  callOff(error: ClaretError): void {
    const attempt = this.#attempt;
    if (attempt === null || attempt.error !== null) return this.#rejectWith(error);
    if (attempt.callOff(error)) this.#failed(error);
  }

  /** The client is closing: whatever can be called off is. */
  close(error: ClaretError): void {
    if (this.#settled) return;
    if (this.#attempt !== null && !this.#attempt.preparing) this.#attempt.fail(bodyFailed);
    const committing = this.#attempt?.preparing ?? false;
    if (committing) this.#attempt!.record?.end('unknown', null, error.code);
    this.#rejectWith(committing ? errorLike(error, { commitState: 'unknown' }) : error, committing ? 'unknown' : 'aborted');
  }

  #rejectWith(error: unknown, outcome: Receipt['outcome'] = 'aborted'): void {
    if (this.#settled) return;
    // Sent before, or by others, it may have committed, whatever became of it here.
    if (this.identity !== null && !this.#undone && error instanceof ClaretError && error.commitState === 'none') {
      return this.#rejectWith(errorLike(error, { commitState: 'unknown' }), 'unknown');
    }
    this.#settle(outcome);
    if (this.receipt !== null) this.#report(this.receipt, outcome);
    this.#reject(error);
  }

  #report(draft: ReceiptDraft, outcome: Receipt['outcome']): void {
    const attempt = this.#attempt;
    const last = { operations: attempt?.operations ?? 0, shards: attempt?.parts.length ?? 0 };
    const receipt = draft.end(this.label, outcome, this.retries, this.#client.monotonicMs() - this.begunMs, last);
    for (const listener of draft.listeners) this.#client.tell(listener, receipt);
  }

  #settle(outcome: Receipt['outcome']): void {
    this.#settled = true;
    this.#client.deadlines.remove(this);
    this.#scope?.leave(this, outcome !== 'aborted' && this.#attempt?.changes === true);
    if (this.admitted) this.#client.admission.leave();
  }
}

/** Told to operations still under way when a body throws; nobody else sees it. */
const bodyFailed = new ClaretError({ code: codes.transactionEnded, message: 'The transaction was aborted by its body' });

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
