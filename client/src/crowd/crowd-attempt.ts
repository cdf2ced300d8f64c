// CrowdAttempt: an attempt that is forecast, and sent whole.
//
// forecast ──busy──▶ forecast, twice; then a look, and a forecast on its picture
//    ├──unfit──▶ an attempt with locks instead
//    └──body ended──▶ member ──answer──▶ second run ──same operations──▶ in: word ──▶ committed
//                        ▲   │ │             └──others──▶ out: fails, and its transaction goes again at once
//                        │   │ └──all guesses were right──▶ in
//                        │   └──nothing was guessed──▶ committed with its answer
//                     denied

import { bodyFailed, outcomeUnknown, resultLost } from '../attempt/attempt-errors.ts';
import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import { isSameCallOnRecord, lockSetsOf, type LockSet } from '../attempt/lock-set.ts';
import type { AttemptPart, LockingAttempt, RunningAttempt } from '../attempt/running-attempt.ts';
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
import { Forecast, type ForecastAttempt } from './forecast.ts';
import { Look } from './look.ts';
import type { Looker } from './looks.ts';
import { MemberDoubt, type DoubtfulAttempt } from './member-doubt.ts';
import { Member, type MemberOwner } from './member.ts';
import type { Picture } from './picture.ts';
import { Restarts } from './restarts.ts';
import type { ShardCrowd } from './shard-crowd.ts';
import { SecondRun, otherOperations, otherResults, type SecondRunAttempt } from './second-run.ts';
import type { Turns } from './turns.ts';
import { WholeAttempt, type AttemptId } from './whole-attempt.ts';

const LOOK_CALLS_MAX = 256;
const NO_TIME: Wide = { high: 0, low: 0 };

type Thrown = { readonly value: unknown } | null;

export class CrowdAttempt
  extends WholeAttempt
  implements RunningAttempt, ForecastAttempt, SecondRunAttempt, MemberOwner, DoubtfulAttempt, Looker
{
  error: ClaretError | null = null;
  readonly record: AttemptRecord | null;
  readonly hopeless = false;
  againAtOnce = false;
  readonly warranted = 0;
  waitedMs = 0;
  readonly #context: CrowdContext;
  #forecast: Forecast;
  readonly #restarts = new Restarts();
  /** what its forecasts have asked for */
  readonly #asked: Call[] = [];
  #look: Look | null = null;
  /** it waits for a picture over several shards */
  #waitsForLook = false;
  #member: Member | null = null;
  /** the shard's starts when the member was sent */
  #starts = 0;
  /** the error of the forecast's body */
  #thrown: Thrown = null;
  #secondRun: SecondRun | null = null;
  #denied: WireError | null = null;
  #asking = false;
  #ended = false;

  constructor(context: CrowdContext, owner: AttemptOwner, id: AttemptId) {
    super(owner, id, owner.receipt);
    this.#context = context;
    this.record = context.newRecord(this, owner);
    this.#forecast = this.#newForecast(null);
  }

  get turns(): Turns {
    return this.#context.crowd.turns;
  }

  // ---- forecasts ----

  begin(): void {
    this.owner.runBody(this.#forecast);
  }

  /** @param picture null: the session's */
  #newForecast(picture: Picture | null): Forecast {
    const wide = this.#forecast?.wide ?? this.#context.crowd.labels.isWide(this.owner.label);
    return new Forecast(this, picture, { awaitsEach: this.#awaitsEach, wide });
  }

  /** With one operation at a time, a list is like a body that awaits each of them. */
  get #awaitsEach(): boolean {
    return this.owner.oneAtATime && this.owner.list !== null;
  }

  crowdOf(key: string): ShardCrowd {
    return this.#context.crowd.of(key);
  }

  widePicture(): Picture | null {
    return this.#context.crowd.looks.newest(this.owner);
  }

  onHot(call: Call): void {
    this.#context.crowd.looks.hot(call);
  }

  onShown(call: Call): void {
    this.#context.crowd.looks.used(call);
  }

  takesLocksAt({ session }: ShardCrowd): boolean {
    if (!this.#context.crowd.on) return true;
    if (!session.live || this.owner.retries > 0) return false;
    // Then it is refused at once (attempt.ts).
    const nowMs = this.#context.environment.monotonicMs();
    return session.behindMs(nowMs) >= this.owner.deadlineMs - nowMs;
  }

  handOver(): LockingAttempt {
    this.#ended = true;
    return this.owner.takeLocks(null);
  }

  forecastEnded(forecast: Forecast, thrown: Thrown): void {
    const { labels } = this.#context.crowd;
    labels.ran(this.owner.label, forecast.straight);
    if (forecast.givenUp === null) labels.forecast(this.owner.label, forecast.crowds.length > 1);
    if (this.error !== null) return this.#onBodyEnded(this.error, thrown);
    if (forecast.givenUp !== null) return this.#onGivenUp(forecast);
    // A body that awaits something else would hold up its chain when it runs again, or even wait for it.
    if (!forecast.straight && forecast.asked.length > 0) return this.#takeLocks(null);
    if (thrown !== null) return this.#onForecastThrew(forecast, thrown);
    if (forecast.operations.length === 0) return this.#commit(NO_TIME);
    this.#send(forecast.operations, forecast.asked.length === 0);
  }

  /** The attempt had failed before. */
  #onBodyEnded(error: ClaretError, thrown: Thrown): void {
    if (thrown === null || error.retryable) this.owner.onFailed(error);
    else this.owner.onThrown(thrown.value);
  }

  #onForecastThrew(forecast: Forecast, thrown: { readonly value: unknown }): void {
    if (forecast.asked.length === 0) {
      this.fail(bodyFailed);
      return this.owner.onThrown(thrown.value);
    }
    // What both observes and changes cannot be sent without changing something.
    if (forecast.operations.some(({ spec }) => spec.operationClass === 'both')) return this.#takeLocks(null);
    this.#thrown = thrown;
    this.#send(forecast.operations.filter(observes), false);
  }

  #onGivenUp({ givenUp, asked }: Forecast): void {
    if (givenUp === 'unfit') this.#context.crowd.labels.pause(this.owner.label);
    if (givenUp !== 'busy') return this.#takeLocks(null);
    for (const operation of asked) {
      if (!this.#asked.some((call) => isSameCallOnRecord(call, operation))) this.#asked.push(operation);
    }
    this.#beginAnew();
  }

  #beginAnew(): void {
    this.#context.counters.begunAnew++;
    const pauseUs = this.#restarts.next();
    if (pauseUs !== null) {
      if (this.fallBack(this.#context.environment.monotonicMs() - this.owner.begunMs)) return this.#takeLocks(null);
      return this.#context.delays.after(pauseUs, () => void (this.#ended || this.#getPicture()));
    }
    this.#getPicture();
  }

  #getPicture(): void {
    const { crowd, nextId, attempts } = this.#context;
    const { wide, crowds } = this.#forecast;
    if (wide) {
      if (!this.#asked.every(observes)) return this.#takeLocks(null);
      this.#waitsForLook = true;
      return crowd.looks.wait(this);
    }
    if (this.#restarts.isEarly) return this.#forecastAgain(null);
    if (this.#asked.length === 0 || this.#asked.length > LOOK_CALLS_MAX || !this.#asked.every(observes)) return this.#takeLocks(null);
    this.#look = new Look(this.owner, nextId(), crowds[0]!.session, this.#asked, this, { attempts, chains: crowd.chains });
    this.#look.send();
  }

  #forecastAgain(picture: Picture | null): void {
    this.record?.restart();
    this.#forecast = this.#newForecast(picture);
    this.owner.runBody(this.#forecast);
  }

  onPicture(picture: Picture): void {
    this.#look = null;
    this.#waitsForLook = false;
    if (this.#ended) return;
    this.#forecastAgain(picture);
  }

  onNoPicture(lasting: boolean): void {
    this.#look = null;
    this.#waitsForLook = false;
    if (this.#ended) return;
    if (lasting) this.#takeLocks(null);
    else this.#beginAnew();
  }

  #takeLocks(lockSets: ReadonlyMap<number, LockSet> | null): void {
    this.#ended = true;
    this.#context.attempts.remove(this);
    if (this.#member !== null) this.record?.end('fail', null, codes.denied);
    this.owner.takeLocks(lockSets).begin();
  }

  // ---- the member ----

  #send(operations: readonly Call[], ends: boolean): void {
    this.#context.counters.operations += operations.length;
    this.#member = new Member(this, operations, (key) => this.crowdOf(key).session, { ends });
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
    if (this.#changesSomething && beforeCommit !== undefined) this.record?.mayCommit(beforeCommit, member.batch?.placeOf(member));
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
    return this.#context.crowd.fallBack(this.owner, triedMs);
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
    this.#secondRun = new SecondRun(this, this.#member!.operations, results, {
      awaitsEach: this.#awaitsEach,
      observesOnly: this.#thrown !== null,
    });
    this.owner.runBody(this.#secondRun);
  }

  secondRunEnded(run: SecondRun, isIn: boolean, thrown: Thrown): void {
    this.#context.crowd.labels.ran(this.owner.label, run.straight);
    if (this.error !== null) return this.#onBodyEnded(this.error, thrown);
    if (isIn) this.#thrown = thrown;
    this.#chains.concluded(this.#member!, isIn);
  }

  onWord(): void {
    this.#context.crowd.labels.concluded(this.owner.label, false);
    if (!this.#member!.ends || this.#member!.batch !== null) this.#mayCommit();
  }

  onOut(): void {
    this.#context.crowd.labels.concluded(this.owner.label, true);
    this.#context.counters.outs++;
    this.owner.receipt?.out();
    this.#failAtOnce(otherOperations);
  }

  onBroken(error: ClaretError, reason: string): void {
    this.receipt?.chainBroken(reason);
    this.#failAtOnce(error);
  }

  onStale(): void {
    this.#failAtOnce(otherResults);
  }

  #failAtOnce(error: ClaretError): void {
    this.owner.membersOut++;
    this.againAtOnce = true;
    this.fail(error);
  }

  onRefused(error: WireError): void {
    if (this.#ended) return;
    // Denied for good, or the cluster does not allow chains any more.
    if (error.code === codes.denied || error.code === codes.conditionChanged) return this.#takeLocks(this.#lockSet());
    if (this.#member!.ends) return this.fail(stacklessError(error));
    // On the true results the body might not have issued the operation that is refused.
    this.#context.crowd.labels.concluded(this.owner.label, true);
    this.#takeLocks(null);
  }

  onCommitted(at: Wide, results: WireValue[] | null): void {
    if (this.#ended) return;
    if (results !== null) this.#forecast.settle(results);
    if (this.#member!.batch !== null) this.receipt?.batchCommitted(at);
    this.#commit(at);
  }

  #commit(at: Wide): void {
    this.#ended = true;
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
    if (this.#ended) return;
    this.#leave(error, 'fail');
    this.owner.onFailed(error);
  }

  #leave(error: ClaretError, outcome: 'fail' | 'unknown'): void {
    this.#ended = true;
    this.error = error;
    this.#context.attempts.remove(this);
    this.#forecast.fail(error);
    this.#look?.leave();
    if (this.#waitsForLook) this.#context.crowd.looks.leave(this);
    if (this.#member === null) return;
    // A forecast that was never sent is no attempt that a shard could know of.
    this.record?.end(outcome, null, error.code);
    this.#chains.leave(this.#member);
  }

  giveUp(error: ClaretError): void {
    this.#leave(error, 'unknown');
  }

  onLost(error: ClaretError): void {
    if (this.#ended) return;
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
    const { delays, environment, durability } = this.#context;
    const context = { delays, durability: durability(), nowMs: () => environment.monotonicMs() };
    const unanswered = this.#unanswered;
    const why = errorLike(error, { key: unanswered?.key, operation: unanswered?.spec.name });
    new MemberDoubt(this, this.#forecast.crowds[0]!.session, this.#starts, context).ask(why);
  }

  get undecided(): boolean {
    return !this.#ended;
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
    this.#ended = true;
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
    if (this.#ended) return;
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
    return !this.#ended && this.#mayHaveChanged;
  }

  get waits(): boolean {
    if (this.error !== null) return false;
    if (this.#look !== null) return this.#look.waits;
    const member = this.#member;
    return member !== null && member.state === 'sent' && !member.hasResults && this.#forecast.crowds.every(({ session }) => session.live);
  }

  get asksInVain(): boolean {
    const batch = this.#member?.batch ?? null;
    if (batch !== null) return batch.asksInVain;
    return this.#asking && !this.#forecast.crowds[0]!.session.live;
  }

  lockSets(): ReadonlyMap<number, LockSet> | null {
    return this.owner.membersOut >= this.#context.membersOutMax ? this.#lockSet() : null;
  }

  #lockSet(): ReadonlyMap<number, LockSet> {
    const operations = this.#secondRun?.operations ?? this.#forecast.operations;
    return lockSetsOf(operations, ({ key }) => this.crowdOf(key).shard);
  }
}
