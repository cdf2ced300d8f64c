// Attempt: one try of a transaction, and the coordinator of its branches.
//
// running ──finish──▶ preparing ──every branch voted──▶ decided
//    └──any failure──────┴────────────────────────────▶ failed
// The atomic commit owns the attempt from the prepare on.

import { errorLike, stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { NEVER_SENT, Operation, type Sender, type Witness } from '../operation/operation.ts';
import type { AttemptRecord } from '../reports/attempt-record.ts';
import type { AttemptReceiver } from '../session/incoming.ts';
import type { Session } from '../session/session.ts';
import type { Call } from '../values/call.ts';
import { resultOf } from '../values/result.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { askedAnyway } from '../warranties/asked-anyway.ts';
import { Uses } from '../warranties/uses.ts';
import type { Warranties } from '../warranties/warranties.ts';
import { ID_BYTES, type Answer, type Begin } from '../wire/client-frame.ts';
import type { Committed } from '../wire/server-frame.ts';
import { later, type Wide } from '../wire/wide.ts';
import type { WireError } from '../wire/wire-error.ts';
import { AtomicCommit, type CommittingAttempt } from './atomic-commit.ts';
import { alreadyCommitted, attemptEnded, bodyFailed, endsReliance, shardBehind, warrantyOver, unwarranted } from './attempt-errors.ts';
import type { AttemptOwner } from './attempt-owner.ts';
import { beginOf } from './begin.ts';
import { Branch, type Coordinator } from './branch.ts';
import { confirm } from './confirmation.ts';
import type { AttemptDependencies } from './dependencies.ts';
import { lockSetsOfAttempt, type LockSet } from './lock-set.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { refusedOperation } from './refused-operation.ts';
import { AttemptDeeds, type RelyingAttempt } from './deeds.ts';
import { SnapshotReads, whenTold } from './snapshot-reads.ts';
import type { BodyObserver, ComputingRun, LockingAttempt } from './running-attempt.ts';

const ZERO: Wide = { high: 0, low: 0 };

const [RUNNING, PREPARING, DECIDED, FAILED] = [0, 1, 2, 3] as const;

export class Attempt implements Coordinator, CommittingAttempt, AttemptReceiver, LockingAttempt, RelyingAttempt, ComputingRun {
  readonly owner: AttemptOwner;
  readonly warranties: Warranties;
  /** of a member of an epoch: the shard that manages it; null: it takes locks */
  readonly epochManager: number | null;
  /** given by the table of attempts */
  number = 0;
  branches: readonly Branch[] = [];
  /** operations that the body has issued */
  operations = 0;
  /** why it failed */
  error: ClaretError | null = null;
  /** another attempt would fail too */
  hopeless = false;
  /** set if the client keeps a history */
  record: AttemptRecord | null = null;
  /** null: nothing is to be learnt of its body */
  observer: BodyObserver | null = null;
  /** null: it relies on no warranty */
  uses: Uses | null = null;
  waitedMs = 0;
  awaited = false;
  againAtOnce = false;
  readonly awaitsEach = false;
  readonly computing: Attempt | null;
  /** null: it has observed nothing of its snapshot, or has none */
  snapshot: SnapshotReads | null = null;
  asksForOthers = 0;
  othersRefused = false;
  readonly #dependencies: AttemptDependencies;
  /** holds operations back if they go one at a time */
  readonly #queue: OneAtATime | null;
  readonly #ids: Uint8Array;
  readonly #idAt: number;
  #state: typeof RUNNING | typeof PREPARING | typeof DECIDED | typeof FAILED = RUNNING;
  /** null until it prepares */
  #commit: AtomicCommit | null = null;
  /** the branch at the home shard of a transaction with an id */
  #home: Branch | null = null;
  /** kept with the commit by the home shard */
  #answer: Answer | null = null;
  /** why it is about to fail */
  #refusal: ClaretError | null = null;
  /** what the last attempt did is refused now */
  #repeatsInVain = false;
  /** of a list: the shards that are asked, whatever warranties say; null: it is no list, or there are no warranties */
  #asked: Pick<ReadonlySet<number>, 'has'> | null = null;
  /** the body is done, and its results are awaited */
  #concluding = false;
  /** the priority of an older transaction that waits for it */
  #wounder: Wide | null = null;

  /** The id of the attempt begins at `idAt` in `ids`. */
  constructor(dependencies: AttemptDependencies, owner: AttemptOwner, ids: Uint8Array, idAt: number) {
    this.#dependencies = dependencies;
    this.owner = owner;
    this.warranties = dependencies.warranties;
    this.epochManager = owner.byEpoch ? dependencies.cluster.firstLive().shard : null;
    this.#ids = ids;
    this.#idAt = idAt;
    this.computing = owner.isSnapshot ? null : this;
    this.#queue = owner.oneAtATime ? new OneAtATime(this) : null;
  }

  /** A view of the id, made on demand, since hardly any attempt needs one. */
  get id(): Uint8Array {
    return this.#ids.subarray(this.#idAt, this.#idAt + ID_BYTES);
  }

  get running(): boolean {
    return this.#state === RUNNING;
  }

  get preparing(): boolean {
    return this.#state === PREPARING;
  }

  get parts(): readonly Branch[] {
    return this.branches;
  }

  get observesOnly(): boolean {
    return this.#commit!.observesOnly;
  }

  /** It has voted, and an operation changes something if it commits. */
  get changes(): boolean {
    return this.branches.length > 0 && !(this.#commit?.observesOnly ?? false);
  }

  /** A request that reached a live shard is unanswered, so the attempt most likely waits for a lock there. */
  get waits(): boolean {
    return this.error === null && this.branches.some((branch) => branch.busy && branch.session.live && branch.connected);
  }

  /** Its operations as lock sets, by shard. */
  lockSets(): ReadonlyMap<number, LockSet> {
    return this.#repeatsInVain || this.owner.isSnapshot
      ? new Map()
      : lockSetsOfAttempt(this, (key) => this.#dependencies.cluster.shardOf(key));
  }

  branchAt(shard: number): Branch | null {
    for (const branch of this.branches) if (branch.shard === shard) return branch;
    return null;
  }

  // ---- the body ----

  get #takesOperations(): boolean {
    return this.#state === RUNNING && !this.#concluding && this.#queue?.bodyDone !== true;
  }

  /** REQUIRES: the arguments are `checkedArguments`. */
  issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[], witness: Witness | null = null): Operation<Result> {
    const queue = this.#queue;
    if (!this.#takesOperations) throw this.error ?? attemptEnded(spec, key);
    this.operations++;
    if (this.owner.isSnapshot && spec.operationClass === 'observe') {
      return (this.snapshot ??= new SnapshotReads(this, this.#dependencies)).observe(spec, key, args);
    }
    const session = this.#dependencies.cluster.sessionOf(key);
    const there = this.branchAt(session.shard);
    const observed = there?.reacquisition?.observed({ spec, key, args });
    if (observed !== undefined) {
      observed.witness = witness;
      if (queue !== null) queue.add(there!, observed, { requested: true });
      return observed as Operation<Result>;
    }
    const mayKnow = this.warranties.size > 0 || this.uses !== null;
    const known = mayKnow ? this.#fromMemory<Result>(session.shard, { spec, key, args }, witness) : null;
    if (known !== null) return known;
    // What has fallen may have gone there first.
    const branch = this.branchAt(session.shard) ?? this.#newBranch(session);
    if (branch === null) return this.#refuse<Result>(session, spec, key, args);
    const operation = this.operation<Result>(branch, spec, key, args);
    operation.witness = witness;
    if (spec.result !== 'void' || !this.owner.defers || !branch.defer(operation)) this.#send(branch, operation);
    this.#dependencies.counters.operations++;
    return operation;
  }

  #send(branch: Branch, operation: Operation<unknown>): void {
    const before = branch.deferredBefore(operation);
    if (this.#queue !== null) return this.#queue.add(branch, operation, { before });
    for (const each of before) branch.add(each);
    branch.add(operation);
  }

  operation<Result>(branch: Sender, spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const sender = this.#queue ?? branch;
    return this.record === null ? new Operation<Result>(sender, spec, key, args) : this.record.operation<Result>(sender, spec, key, args);
  }

  /** The operation, settled, if a warranty answers it; null: it has to go to its shard. */
  #fromMemory<Result>(shard: number, call: Call, witness: Witness | null): Operation<Result> | null {
    const { spec, key, args } = call;
    if (!this.#mayRely || spec.operationClass !== 'observe' || this.#asked?.has(shard) === true) return null;
    if (this.uses === null && this.warranties.table.of(key).length === 0) return null;
    const answer = this.#reliance().answer(call);
    if (answer === null) return null;
    witness?.told(answer.grant);
    const operation = this.operation<Result>(NEVER_SENT, spec, key, args);
    this.record?.warranted();
    operation.settle(resultOf(spec.result, answer.value));
    this.#dependencies.counters.operations++;
    return operation;
  }

  #reliance(): Uses {
    return (this.uses ??= new Uses(new AttemptDeeds(this, this.#dependencies), this.warranties, this.#dependencies.environment));
  }

  /** A retry that gave up warranties, or comes last, locks what it reads. */
  get #mayRely(): boolean {
    return this.owner.takesWarranties && !this.owner.isLast && this.#queue === null;
  }

  /** Runs the body, or first asks the home shard of a transaction with an id whether the attempt may begin. */
  begin(): void {
    const { identity } = this.owner;
    if (identity === null) return this.#run();
    this.#home = this.branchOf(this.#dependencies.cluster.sessionOfSlot(identity.slot));
    this.#home.claim();
  }

  claimed(): void {
    this.owner.onClaimed();
    if (this.#state === RUNNING) this.#run();
  }

  #run(): void {
    this.#reacquire();
    const { label, list } = this.owner;
    const { cluster, environment, warranties } = this.#dependencies;
    if (list !== null && warranties.size > 0) this.#asked = askedAnyway(label, list, warranties, cluster, environment.monotonicMs());
    this.owner.runBody(this);
  }

  /** Requests at once everything that the last attempt did. */
  #reacquire(): void {
    for (const [shard, lockSet] of this.owner.lockSets ?? []) {
      if (lockSet.observes.length + lockSet.intents.length > 0) this.branchOf(this.#dependencies.cluster.session(shard)).reacquire(lockSet);
    }
  }

  /** Null: the shard is too far behind for the operation to succeed in time. A retry has other reasons to report, and hardly any time. */
  #newBranch(session: Session): Branch | null {
    const nowMs = this.#dependencies.environment.monotonicMs();
    const behindMs = session.live && this.owner.retries === 0 ? session.behindMs(nowMs) : 0;
    return behindMs === 0 || behindMs < this.owner.deadlineMs - nowMs ? this.#addBranch(session) : null;
  }

  #refuse<Result>(session: Session, spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const { counters, environment } = this.#dependencies;
    if (this.#refusal === null) counters.refused++;
    this.#refusal ??= shardBehind(session.shard, session.behindMs(environment.monotonicMs()), spec, key);
    this.hopeless = true;
    return refusedOperation<Result>(this, { spec, key, args }, this.#refusal);
  }

  /** its branch at that shard, made if there is none */
  branchOf(session: Session): Branch {
    return this.branchAt(session.shard) ?? this.#addBranch(session);
  }

  #addBranch(session: Session): Branch {
    const branch = new Branch(this, session, this.#dependencies);
    // A literal allocates exactly one item. A push, or a spread alone, would allocate 17.
    this.branches = this.branches.length === 0 ? [branch] : [...this.branches, branch];
    return branch;
  }

  // ---- the end of the body ----

  isAwaited(operation: Operation<unknown>): void {
    this.awaited = true;
    this.observer?.awaits(operation);
  }

  bodyDone(): void {
    const { owner } = this;
    this.observer?.ended();
    if (this.error !== null) owner.onFailed(this.error);
    else if (owner.identity === null) this.#finish(null);
    else this.#conclude(owner.awaitedAtEnd, () => this.#finishWithAnswer());
  }

  bodyThrew(thrown: unknown): void {
    this.observer?.ended();
    if (this.error?.retryable === true) return this.owner.onFailed(this.error);
    const passOn = () => {
      this.fail(bodyFailed);
      this.owner.onThrown(thrown);
    };
    if (this.error !== null) return passOn();
    confirm(this.branches, this.uses !== null, () => {
      if (this.#state !== RUNNING) return;
      if (this.#reliesInVain) this.#failWithoutWarranties(warrantyOver());
      else passOn();
    });
  }

  #finishWithAnswer(): void {
    let answer: Answer;
    try {
      answer = this.owner.answer();
    } catch (error) {
      return this.fail(error as ClaretError);
    }
    this.#finish(answer);
  }

  /** Calls `then` once the operations that the answer depends on have results. Nothing can be issued any more. */
  #conclude(operations: readonly Operation<unknown>[], then: () => void): void {
    if (this.#refusal !== null) return this.fail(this.#refusal);
    this.#concluding = true;
    const awaited = operations.filter(({ spec }) => spec.result !== 'void');
    const concluded = () => {
      if (this.#state === RUNNING) then();
    };
    // A failed operation has failed the attempt too, so the error needs no further handling.
    if (awaited.length === 0) concluded();
    else void Promise.all(awaited).then(concluded, () => {});
  }

  /**
   * The body is done: nothing can be issued any more.
   * @param answer kept with the commit by the home shard
   */
  #finish(answer: Answer | null): void {
    this.#answer = answer;
    if (this.#refusal !== null) this.fail(this.#refusal);
    else if (this.#queue === null) this.vote();
    else this.#queue.finish();
  }

  /** Every operation is sent, or goes with the prepare. */
  vote(): void {
    this.#concluding = true;
    whenTold(this.snapshot, () => this.#prepare());
  }

  #prepare(): void {
    this.uses?.conclude();
    this.#state = PREPARING;
    this.#commit = new AtomicCommit(this, this.#answer, this.#dependencies);
    this.#commit.start();
  }

  // ---- the branches ----
  beginOf(branch: Branch, nowMs: number): Begin {
    if (this.#wounder !== null) branch.session.wound(this.number, this.id, this.#wounder);
    return beginOf(this, branch, { ids: this.#ids, idAt: this.#idAt, home: this.#home }, nowMs);
  }

  participants(): readonly number[] {
    return this.#commit!.participants();
  }

  answerFor(branch: Branch): Answer | null {
    return branch === this.#home ? this.#answer : null;
  }

  onVote(): void {
    this.#commit!.onVote();
  }

  decided(at: Wide | null): void {
    this.#state = DECIDED;
    this.uses?.decided(at, this.branches.length === 0);
  }

  get readAt(): Wide {
    return this.snapshot?.at ?? this.uses?.readAt ?? ZERO;
  }

  refused(branch: Branch, error: WireError): void {
    branch.ended = true;
    if (error.code === codes.snapshotConflict) this.owner.snapshotFloor = later(this.owner.snapshotFloor, error.at);
    if (this.uses !== null && (endsReliance(error) || (!error.retryable && this.#reliesInVain))) {
      return this.#failWithoutWarranties(unwarranted(error));
    }
    // The body might not do any more what the last attempt did: only its own operations may be refused for good.
    this.othersRefused = !error.retryable && this.asksForOthers > 0;
    this.#repeatsInVain = this.othersRefused || (!error.retryable && branch.repeats);
    this.fail(stacklessError(this.#repeatsInVain ? { ...error, retryable: true } : error));
  }

  committedBefore(branch: Branch, { at, answer }: Committed): void {
    branch.ended = true;
    this.#leave(alreadyCommitted);
    this.owner.onCommittedBefore(at, answer);
  }

  onWound(shard: number, priority: Wide): void {
    this.#dependencies.counters.wounds++;
    this.mustNotWait(shard, { high: priority.high, low: priority.low });
  }

  mustNotWait(shard: number, wounder: Wide): void {
    this.#wounder = wounder;
    for (const branch of this.branches) {
      if (branch.shard !== shard && branch.sent && !branch.voted && !branch.ended) branch.session.wound(this.number, this.id, wounder);
    }
  }

  // ---- warranties ----

  /** operations of the body that warranties have answered */
  get warranted(): number {
    return this.uses?.answers ?? 0;
  }

  relying(): Uses | null {
    if (!this.#takesOperations) throw this.error ?? attemptEnded();
    return this.#mayRely ? this.#reliance() : null;
  }

  /** The body was told something that may not be so any more. */
  get #reliesInVain(): boolean {
    return this.uses !== null && !this.uses.holdForCertain();
  }

  /** The next attempt locks what it reads. Only if a result had changed, and for the first time, does it rely on what still stands. */
  #failWithoutWarranties(error: ClaretError): void {
    this.owner.takesWarranties = error.code === codes.warrantyChanged && this.owner.retries === 0;
    this.fail(error);
  }

  // ---- failures ----

  /**
   * Ends the attempt, unless it has ended. REQUIRES: no prepare has left, or a shard has refused (`ended` is set, or its prepare
   * never left), or nothing is changed anywhere.
   */
  fail(error: ClaretError): void {
    if (this.#state === FAILED || this.#state === DECIDED) return;
    this.#leave(error);
    this.owner.onFailed(error);
  }

  #leave(error: ClaretError): void {
    this.#state = FAILED;
    this.error = error;
    for (const branch of this.branches) {
      if (!branch.ended && branch.connected) branch.session.abort(this.number);
      branch.ended = true;
    }
    for (const branch of this.branches) branch.fail(error);
    if (this.#queue !== null) this.#queue.fail(error);
    this.snapshot?.fail(error);
    this.uses?.end(null);
    this.#dependencies.attempts.remove(this);
    this.record?.end('fail', null, error.code);
  }

  /** The session with that shard is lost, with everything that was neither voted nor prepared. */
  onSessionLost(shard: number, error: ClaretError): void {
    const branch = this.branchAt(shard);
    if (branch === null || this.#commit?.onSessionLost(branch, error)) return;
    if (this.#state === DECIDED || this.#state === FAILED || branch.ended || !branch.sent) return;
    branch.ended = true;
    const { unanswered } = branch;
    this.fail(errorLike(error, { key: unanswered?.key, operation: unanswered?.spec.name }));
  }

  /** The time of the transaction is over. */
  onDeadline(error: ClaretError): void {
    if (this.#commit === null) this.fail(error);
    else this.#commit.onDeadline(error);
  }

  /** The time to ask for the outcome is over too. */
  onGraceOver(error: ClaretError): void {
    if (this.#commit === null) this.fail(error);
    else this.#commit.onGraceOver(error);
  }

  /** The result is no longer wanted. Returns false if the attempt may be decided already: then it ends by itself. */
  callOff(error: ClaretError): boolean {
    if (this.#commit !== null) return this.#commit.callOff(error);
    this.fail(error);
    return true;
  }

  giveUp(error: ClaretError): void {
    this.record?.end('unknown', null, error.code);
  }

  /** A shard that has to be asked for the outcome cannot be reached. */
  get asksInVain(): boolean {
    return this.#commit?.asksInVain ?? false;
  }

  giveUpAsking(): void {
    this.#commit?.giveUpAsking();
  }
}
