// LockingRun: the run of a body in an attempt that takes its locks as it goes. Each operation goes to the branch of its shard, or is answered from
// memory where the attempt may rely on warranties.

import type { ClaretError } from '../errors/claret-error.ts';
import { NEVER_SENT, type Operation, type Witness } from '../operation/operation.ts';
import type { Session } from '../session/session.ts';
import type { Call } from '../values/call.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { resultOf } from '../values/result.ts';
import { askedAnyway } from '../warranties/asked-anyway.ts';
import { Uses } from '../warranties/uses.ts';
import type { Warranties } from '../warranties/warranties.ts';
import type { Answer } from '../wire/client-frame.ts';
import type { WireValue } from '../values/values.ts';
import { valueBytes } from '../wire/operation-size.ts';
import type { WireError } from '../wire/wire-error.ts';
import { attemptEnded, bodyFailed, guessUnsure, shardBehind, warrantyOver } from './attempt-errors.ts';
import type { AttemptOwner } from './attempt-owner.ts';
import type { Branch, Coordinator } from './branch.ts';
import { confirm } from './confirmation.ts';
import { AttemptDeeds } from './deeds.ts';
import type { AttemptDependencies } from './dependencies.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { refusedOperation } from './refused-operation.ts';
import type { BodyObserver, BodyRun, ComputingRun } from './running-attempt.ts';
import { SnapshotReads } from './snapshot-reads.ts';

/** A longer guess might not fit in a frame beside the longest arguments, and what does not fit ends its session. It is read instead. */
const GUESS_BYTES_MAX = 64 * 1024;

export class LockingRun implements BodyRun, ComputingRun {
  readonly owner: AttemptOwner;
  readonly warranties: Warranties;
  readonly awaitsEach = false;
  readonly computing: LockingRun | null;
  /** holds operations back if they go one at a time */
  readonly queue: OneAtATime | null;
  /** operations that the body has issued */
  operations = 0;
  /** null: nothing is to be learnt of its body */
  observer: BodyObserver | null = null;
  /** null: it has observed nothing of the snapshot, or has none */
  snapshot: SnapshotReads | null = null;
  asksForOthers = 0;
  othersRefused = false;
  readonly #attempt: Coordinator;
  readonly #dependencies: AttemptDependencies;
  /** why the attempt is about to fail */
  #refusal: ClaretError | null = null;
  /** of a list: the shards that are asked, whatever warranties say; null: it is no list, or there are no warranties */
  #asked: Pick<ReadonlySet<number>, 'has'> | null = null;
  /** The body was told what the shards have not said. */
  #guesses = false;
  /** the body is done, and its results are awaited */
  #concluding = false;

  constructor(attempt: Coordinator, dependencies: AttemptDependencies) {
    this.#attempt = attempt;
    this.owner = attempt.owner;
    this.#dependencies = dependencies;
    this.warranties = dependencies.warranties;
    this.computing = attempt.owner.isSnapshot ? null : this;
    this.queue = attempt.owner.oneAtATime ? new OneAtATime(attempt) : null;
  }

  /** Requests what the last attempt did, and runs the body. */
  start(): void {
    this.#reacquire();
    const { label, list } = this.owner;
    const { cluster, environment, warranties } = this.#dependencies;
    if (list !== null && warranties.size > 0) this.#asked = askedAnyway(label, list, warranties, cluster, environment.monotonicMs());
    this.owner.runBody(this);
  }

  /** Requests at once everything that the last attempt did. */
  #reacquire(): void {
    for (const [shard, lockSet] of this.owner.lockSets ?? []) {
      if (lockSet.observes.length + lockSet.intents.length > 0)
        this.#attempt.branchOf(this.#dependencies.cluster.session(shard)).reacquire(lockSet);
    }
  }

  // ---- operations ----

  get #takesOperations(): boolean {
    return this.#attempt.running && !this.#concluding && this.queue?.bodyDone !== true;
  }

  /** REQUIRES: the arguments are `checkedArguments`. */
  issue<Result>(
    spec: OperationSpec,
    key: string,
    args: readonly unknown[],
    witness: Witness | null = null,
    guess?: WireValue,
  ): Operation<Result> {
    const queue = this.queue;
    if (!this.#takesOperations) throw this.#attempt.error ?? attemptEnded(spec, key);
    this.operations++;
    if (this.owner.isSnapshot && spec.operationClass === 'observe') {
      return (this.snapshot ??= new SnapshotReads(this.#attempt, this.#dependencies)).observe(spec, key, args);
    }
    const session = this.#dependencies.cluster.sessionOf(key);
    const there = this.#attempt.branchAt(session.shard);
    const observed = there?.reacquisition?.observed({ spec, key, args });
    if (observed !== undefined) {
      observed.witness = witness;
      if (queue !== null) queue.add(there!, observed, { requested: true });
      return observed as Operation<Result>;
    }
    const mayKnow = this.warranties.size > 0 || this.#attempt.uses !== null;
    const known = mayKnow ? this.#fromMemory<Result>(session.shard, { spec, key, args }, witness) : null;
    if (known !== null) return known;
    // What has fallen may have gone there first.
    const branch = this.#attempt.branchAt(session.shard) ?? this.#newBranch(session);
    if (branch === null) return this.#refuse<Result>(session, spec, key, args);
    const operation = this.#attempt.operation<Result>(branch, spec, key, args);
    operation.witness = witness;
    if (guess !== undefined) this.#settle(operation, guess); // before it is added: that may send it
    if (spec.result !== 'void' || !this.owner.defers || !branch.issued.defer(operation)) this.#send(branch, operation);
    this.#dependencies.counters.operations++;
    return operation;
  }

  /** The shard compares the result as it takes the last operations there: it costs no message of its own. */
  guess<Result>({ spec, key, args }: Call, guess: WireValue): Operation<Result> {
    const { owner, queue } = this;
    const mayGuess = owner.retries === 0 && !owner.isLast && !owner.isSnapshot && queue === null && valueBytes(guess) <= GUESS_BYTES_MAX;
    return this.issue<Result>(spec, key, args, null, mayGuess ? guess : undefined);
  }

  #settle(operation: Operation<unknown>, guess: WireValue): void {
    this.#guesses = true;
    operation.guess = guess;
    operation.settle(resultOf(operation.spec.result, guess));
  }

  #send(branch: Branch, operation: Operation<unknown>): void {
    const before = branch.issued.deferredBefore(operation);
    if (this.queue !== null) return this.queue.add(branch, operation, { before });
    for (const each of before) branch.add(each);
    branch.add(operation);
  }

  /** Null: the shard is too far behind for the operation to succeed in time. A retry has other reasons to report, and hardly any time. */
  #newBranch(session: Session): Branch | null {
    const nowMs = this.#dependencies.environment.monotonicMs();
    const behindMs = session.live && this.owner.retries === 0 ? session.behindMs(nowMs) : 0;
    return behindMs === 0 || behindMs < this.owner.deadlineMs - nowMs ? this.#attempt.addBranch(session) : null;
  }

  #refuse<Result>(session: Session, spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const { counters, environment } = this.#dependencies;
    if (this.#refusal === null) counters.refused++;
    this.#refusal ??= shardBehind(session.shard, session.behindMs(environment.monotonicMs()), spec, key);
    this.#attempt.hopeless = true;
    return refusedOperation<Result>(this.#attempt, { spec, key, args }, this.#refusal);
  }

  // ---- warranties ----

  /** The operation, settled, if a warranty answers it; null: it has to go to its shard. */
  #fromMemory<Result>(shard: number, call: Call, witness: Witness | null): Operation<Result> | null {
    const { spec, key, args } = call;
    if (!this.#mayRely || spec.operationClass !== 'observe' || this.#asked?.has(shard) === true) return null;
    if (this.#attempt.uses === null && this.warranties.table.of(key).length === 0) return null;
    const answer = this.#reliance().answer(call);
    if (answer === null) return null;
    witness?.told(answer.grant);
    const operation = this.#attempt.operation<Result>(NEVER_SENT, spec, key, args);
    this.#attempt.record?.warranted();
    operation.settle(resultOf(spec.result, answer.value));
    this.#dependencies.counters.operations++;
    return operation;
  }

  #reliance(): Uses {
    return (this.#attempt.uses ??= new Uses(
      new AttemptDeeds(this.#attempt, this.#dependencies),
      this.warranties,
      this.#dependencies.environment,
    ));
  }

  /** A retry that gave up warranties, or comes last, locks what it reads. */
  get #mayRely(): boolean {
    return this.owner.plan.takesWarranties && !this.owner.isLast && this.queue === null;
  }

  relying(): Uses | null {
    if (!this.#takesOperations) throw this.#attempt.error ?? attemptEnded();
    return this.#mayRely ? this.#reliance() : null;
  }

  /** A shard refuses the attempt. Returns true if what it refuses may be what others than the body have asked for. */
  isRefused(error: WireError): boolean {
    // The body might not do any more what the last attempt did: only its own operations may be refused for good.
    this.othersRefused = !error.retryable && this.asksForOthers > 0;
    return this.othersRefused;
  }

  // ---- the end of the body ----

  bodyDone(): void {
    const { owner } = this;
    this.observer?.ended();
    if (this.#attempt.error !== null) owner.onFailed(this.#attempt.error);
    else if (owner.identity === null) this.#finish(null);
    else this.#conclude(owner.awaitedAtEnd, () => this.#finishWithAnswer());
  }

  bodyThrew(thrown: unknown): void {
    this.observer?.ended();
    if (this.#attempt.error?.retryable === true) return this.owner.onFailed(this.#attempt.error);
    const passOn = () => {
      this.#attempt.fail(bodyFailed);
      this.owner.onThrown(thrown);
    };
    if (this.#attempt.error !== null) return passOn();
    if (this.#guesses) return this.#attempt.fail(guessUnsure());
    confirm(this.#attempt.branches, this.#attempt.uses !== null, () => {
      if (!this.#attempt.running) return;
      if (this.#attempt.reliesInVain) this.#attempt.failWithoutWarranties(warrantyOver());
      else passOn();
    });
  }

  #finishWithAnswer(): void {
    let answer: Answer;
    try {
      answer = this.owner.answer();
    } catch (error) {
      return this.#attempt.fail(error as ClaretError);
    }
    this.#finish(answer);
  }

  /** Calls `then` once the operations that the answer depends on have results. Nothing can be issued any more. */
  #conclude(operations: readonly Operation<unknown>[], then: () => void): void {
    if (this.#refusal !== null) return this.#attempt.fail(this.#refusal);
    this.#concluding = true;
    const awaited = operations.filter(({ spec }) => spec.result !== 'void');
    const concluded = () => {
      if (this.#attempt.running) then();
    };
    // A failed operation has failed the attempt too, so the error needs no further handling.
    if (awaited.length === 0) concluded();
    else void Promise.all(awaited).then(concluded, () => {});
  }

  #finish(answer: Answer | null): void {
    this.#concluding = true;
    if (this.#refusal !== null) this.#attempt.fail(this.#refusal);
    else this.#attempt.finish(answer);
  }
}
