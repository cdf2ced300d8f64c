// CrowdAttempt: an attempt that is forecast, and sent whole.
//
// forecasts ──none can be sent──▶ an attempt with locks instead
//    └──body ended──▶ member ──answer──▶ second run ──same operations──▶ in: word ──▶ committed
//                        ▲   │ │             └──others──▶ out: fails, and its transaction goes again at once
//                        │   │ └──all guesses were right──▶ in
//                        │   └──nothing was guessed──▶ committed with its answer
//                     denied

import { bodyFailed, isOfLog, outcomeUnknown, resultLost } from '../attempt/attempt-errors.ts';
import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import { lockSetsOf, type LockSet } from '../attempt/lock-set.ts';
import type { AttemptPart, BodyRun, RunningAttempt } from '../attempt/running-attempt.ts';
import { errorLike, stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { AttemptRecord } from '../reports/attempt-record.ts';
import { observes, type Call } from '../values/call.ts';
import type { WireValue } from '../values/values.ts';
import type { Begin } from '../wire/client-frame.ts';
import type { Wide } from '../wire/wide.ts';
import type { WireError } from '../wire/wire-error.ts';
import type { Chains } from './chains.ts';
import type { CrowdContext } from './crowd-context.ts';
import type { Forecast, ForecastAttempt, Thrown } from './forecast.ts';
import { Forecasts } from './forecasts.ts';
import { MemberDoubt, type DoubtfulAttempt } from './member-doubt.ts';
import { Member, type MemberOwner } from './member.ts';
import { SecondRun, otherOperations, otherResults } from './second-run.ts';
import { WholeAttempt, type AttemptId } from './whole-attempt.ts';

const NO_TIME: Wide = { high: 0, low: 0 };

export class CrowdAttempt extends WholeAttempt implements RunningAttempt, ForecastAttempt, MemberOwner, DoubtfulAttempt {
  error: ClaretError | null = null;
  readonly record: AttemptRecord | null;
  readonly hopeless = false;
  againAtOnce = false;
  readonly warranted = 0;
  waitedMs = 0;
  ended = false;
  readonly #context: CrowdContext;
  readonly #forecasts: Forecasts;
  #member: Member | null = null;
  /** the shard's starts when the member was sent */
  #starts = 0;
  /** the error of the forecast's body */
  #thrown: Thrown = null;
  #secondRun: SecondRun | null = null;
  #denied: WireError | null = null;
  #asking = false;

  constructor(context: CrowdContext, owner: AttemptOwner, id: AttemptId) {
    super(owner, id, owner.receipt);
    this.#context = context;
    this.record = context.newRecord(this, owner);
    this.#forecasts = new Forecasts(this, context);
  }

  // ---- forecasts ----

  get #forecast(): Forecast {
    return this.#forecasts.current;
  }

  begin(): void {
    this.#forecasts.begin();
  }

  handOver(): BodyRun {
    this.ended = true;
    return this.owner.takeLocks(null).run;
  }

  forecastEnded(forecast: Forecast, thrown: Thrown): void {
    this.#forecasts.ended(forecast, thrown);
  }

  /** The attempt had failed before. */
  bodyEnded(error: ClaretError, thrown: Thrown): void {
    if (thrown === null || error.retryable) this.owner.onFailed(error);
    else this.owner.onThrown(thrown.value);
  }

  takeLocks(lockSets: ReadonlyMap<number, LockSet> | null): void {
    this.ended = true;
    this.#context.attempts.remove(this);
    if (this.#member !== null) this.record?.end('fail', null, codes.denied);
    this.owner.takeLocks(lockSets).begin();
  }

  // ---- the member ----

  send(operations: readonly Call[], ends: boolean, thrown: Thrown): void {
    if (operations.length === 0) return this.#commit(NO_TIME);
    this.#thrown = thrown;
    this.#context.counters.operations += operations.length;
    this.#member = new Member(this, operations, (key) => this.#context.crowd.of(key).session, { ends });
    this.#context.attempts.add(this);
    if (this.record !== null) this.owner.firstId ??= this.id;
    if (ends) this.#mayCommit();
    this.#chains.send(this.#member);
  }

  get #chains(): Chains {
    return this.#context.crowd.chains;
  }

  #mayCommit(): void {
    const { beforeCommit } = this.#context;
    const member = this.#member!;
    if (this.#changesSomething && beforeCommit !== undefined)
      this.record?.mayCommit(beforeCommit, this.owner.deadlineMs, member.batch?.placeOf(member));
  }

  beginOf(_shard: number, nowMs: number): Begin {
    const { session } = this.#forecast.crowds[0]!;
    this.#starts = session.starts;
    return this.beginAt(session.shard, nowMs);
  }

  onWaited(locks: number, microseconds: number): void {
    this.waitedMs += microseconds / 1000;
    this.owner.receipt?.waited(locks, microseconds);
  }

  onDenied(error: WireError): void {
    this.#denied = error;
    this.owner.receipt?.denied(error, null);
  }

  fallBack(triedMs: number): boolean {
    return this.owner.plan.fallBack(triedMs);
  }

  onTurn(results: WireValue[]): void {
    if (this.#forecast.isRight(results)) {
      this.#forecast.settle(results);
      return this.#chains.concluded(this.#member!, true);
    }
    this.#context.counters.secondRuns++;
    // What the forecast has left pending is pending for nobody.
    this.#forecast.fail(otherOperations);
    this.record?.restart();
    this.#secondRun = new SecondRun(this, this.#context.crowd.turns, this.#member!.operations, results, {
      awaitsEach: this.#forecasts.awaitsEach,
      observesOnly: this.#thrown !== null,
    });
    this.owner.runBody(this.#secondRun);
  }

  secondRunEnded(isIn: boolean, straight: boolean, thrown: Thrown): void {
    this.#context.crowd.labels.ran(this.owner.label, straight);
    if (this.error !== null) return this.bodyEnded(this.error, thrown);
    if (isIn) this.#thrown = thrown;
    this.#chains.concluded(this.#member!, isIn);
  }

  onWord(): void {
    this.#context.crowd.concluded(this.owner.label, false);
    if (!this.#member!.ends || this.#member!.batch !== null) this.#mayCommit();
  }

  onOut(): void {
    this.#context.crowd.concluded(this.owner.label, true);
    this.#context.counters.outs++;
    this.owner.receipt?.out();
    this.#failAtOnce(otherOperations);
  }

  onBroken(error: ClaretError, reason: string): void {
    this.receipt?.chainBroken(reason);
    this.#failAtOnce(isOfLog(error) ? otherResults : error, isOfLog(error));
  }

  onStale(): void {
    this.#failAtOnce(otherResults);
  }

  #failAtOnce(error: ClaretError, lasting = false): void {
    this.owner.plan.memberOut(lasting);
    this.againAtOnce = true;
    this.fail(error);
  }

  onRefused(error: WireError): void {
    if (this.ended) return;
    // Denied for good, or the cluster does not allow chains any more.
    if (error.code === codes.denied || error.code === codes.conditionChanged) return this.takeLocks(this.#lockSet());
    if (this.#member!.ends) return this.fail(stacklessError(error));
    // On the true results the body might not have issued the operation that is refused.
    this.#context.crowd.concluded(this.owner.label, true);
    this.takeLocks(null);
  }

  onCommitted(at: Wide, results: WireValue[] | null): void {
    if (this.ended) return;
    if (results !== null) this.#forecast.settle(results);
    if (this.#member!.batch !== null) this.receipt?.batchCommitted(at);
    this.#commit(at);
  }

  #commit(at: Wide): void {
    this.ended = true;
    this.#context.attempts.remove(this);
    if (this.#thrown === null) {
      this.record?.end('ok', at, undefined);
      this.owner.onCommitted(at);
    } else {
      this.record?.end('fail', null, bodyFailed.code);
      this.owner.onThrown(this.#thrown.value);
    }
    this.#forget();
  }

  /** Nothing more is asked of its operations. Cuts links (see Operation). */
  #forget(): void {
    this.#forecast.operations.length = 0;
    if (this.#secondRun !== null) this.#secondRun.operations.length = 0;
  }

  // ---- failures ----

  fail(error: ClaretError): void {
    if (this.ended) return;
    this.#leave(error, 'fail');
    this.owner.onFailed(error);
  }

  #leave(error: ClaretError, outcome: 'fail' | 'unknown'): void {
    this.ended = true;
    this.error = error;
    this.#context.attempts.remove(this);
    this.#forecasts.fail(error);
    if (this.#member === null) return;
    // A forecast that was never sent is no attempt that a shard could know of.
    this.record?.end(outcome, null, error.code);
    this.#chains.leave(this.#member);
  }

  giveUp(error: ClaretError): void {
    this.#leave(error, 'unknown');
  }

  onLost(error: ClaretError): void {
    if (this.ended) return;
    if (this.#mayHaveChanged) this.#ask(error);
    else this.fail(error);
  }

  onDeadline(error: ClaretError): void {
    if (this.#mayHaveChanged) this.#ask(error);
    else this.fail(error);
  }

  onGraceOver(error: ClaretError): void {
    if (this.#mayHaveChanged) this.giveUpAsking();
    else this.fail(error);
  }

  callOff(error: ClaretError): boolean {
    if (this.#mayHaveChanged) return false;
    this.fail(error);
    return true;
  }

  // ---- doubt ----

  /** It may have committed, and then something is changed. */
  get #mayHaveChanged(): boolean {
    return this.#asking || (this.#changesSomething && this.#member!.mayBeDecided);
  }

  get #changesSomething(): boolean {
    return this.#member !== null && this.#member.operations.some((operation) => !observes(operation));
  }

  #ask(error: ClaretError): void {
    if (this.#asking) return;
    this.#asking = true;
    const { batch } = this.#member!;
    if (batch !== null) return batch.onDeadline();
    const { delays, durability } = this.#context;
    const unanswered = this.#unanswered;
    const why = errorLike(error, { key: unanswered?.key, operation: unanswered?.spec.name });
    new MemberDoubt(this, this.#forecast.crowds[0]!.session, this.#starts, { delays, durability: durability() }).ask(why);
  }

  get undecided(): boolean {
    return !this.ended;
  }

  get wantsResults(): boolean {
    return this.#member!.endsAlone && this.#forecast.operations.some(({ spec }) => spec.result !== 'void');
  }

  foundCommitted(at: Wide): void {
    const { ends, endsAlone, results } = this.#member!;
    if (ends && !endsAlone) this.#forecast.settle(results);
    this.#commit(at);
  }

  foundWithoutResults(at: Wide): void {
    this.ended = true;
    this.#context.attempts.remove(this);
    this.error = resultLost(this.#unanswered, this.owner.retries);
    this.#forecast.fail(this.error);
    this.record?.end('ok', at, codes.resultLost);
    this.owner.onFailed(this.error);
  }

  foundAborted(error: ClaretError): void {
    this.#asking = false;
    this.fail(error);
  }

  giveUpAsking(why = 'no shard could be asked in time'): void {
    if (this.ended) return;
    const lostShard = this.#forecast.crowds.some(({ session }) => !session.live);
    const error = outcomeUnknown(why, { lostShard, retryable: false, retries: this.owner.retries });
    this.#leave(error, 'unknown');
    this.owner.onFailed(error);
  }

  // ---- as its transaction sees it ----

  onUnknown(): void {
    if (this.#changesSomething) this.giveUpAsking();
    else this.#failAtOnce(otherResults);
  }

  get parts(): readonly AttemptPart[] {
    const denied = this.#member?.state === 'queued' ? this.#denied : null;
    return this.#forecast.crowds.map(({ session }) => ({ session, denied, unanswered: this.#unanswered }));
  }

  get #unanswered(): Call | undefined {
    return this.#forecast.operations.find(({ settled }) => !settled) ?? this.#member?.operations[0];
  }

  get operations(): number {
    return (this.#secondRun ?? this.#forecast).operations.length;
  }

  get changes(): boolean {
    return this.#changesSomething;
  }

  get preparing(): boolean {
    return !this.ended && this.#mayHaveChanged;
  }

  get waits(): boolean {
    if (this.error !== null) return false;
    if (this.#forecasts.waits) return true;
    const member = this.#member;
    return member !== null && member.state === 'sent' && !member.hasResults && this.#forecast.crowds.every(({ session }) => session.live);
  }

  get asksInVain(): boolean {
    const batch = this.#member?.batch ?? null;
    if (batch !== null) return batch.asksInVain;
    return this.#asking && !this.#forecast.crowds[0]!.session.live;
  }

  lockSets(): ReadonlyMap<number, LockSet> | null {
    return this.owner.plan.isOutTooOften ? this.#lockSet() : null;
  }

  #lockSet(): ReadonlyMap<number, LockSet> {
    const operations = this.#secondRun?.operations ?? this.#forecast.operations;
    return lockSetsOf(operations, ({ key }) => this.#context.crowd.of(key).shard);
  }
}
