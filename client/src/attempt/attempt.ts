// Attempt: one try of a transaction, and the coordinator of its branches.
//
// running ──finish──▶ preparing ──every branch voted──▶ decided
//    └──any failure──────┴────────────────────────────▶ failed
// The atomic commit owns the attempt from the prepare on.

import { errorLike, stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { Operation, type Sender } from '../operation/operation.ts';
import type { AttemptRecord, Snapshot } from '../reports/attempt-record.ts';
import type { Session } from '../session/session.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import type { Uses } from '../warranties/uses.ts';
import { ID_BYTES, type Answer, type Begin } from '../wire/client-frame.ts';
import type { Committed } from '../wire/server-frame.ts';
import { later, type Wide } from '../wire/wide.ts';
import type { WireError } from '../wire/wire-error.ts';
import { AtomicCommit } from './atomic-commit.ts';
import { alreadyCommitted, bodyFailed, endsReliance, unwarranted } from './attempt-errors.ts';
import type { AttemptOwner } from './attempt-owner.ts';
import { beginOf } from './begin.ts';
import { Branch, type Coordinator } from './branch.ts';
import type { AttemptDependencies, AttemptUnderWay } from './dependencies.ts';
import { lockSetsOfAttempt, type LockSet } from './lock-set.ts';
import { LockingRun } from './locking-run.ts';
import { whenTold } from './snapshot-reads.ts';
import type { LockingAttempt } from './running-attempt.ts';

const ZERO: Wide = { high: 0, low: 0 };

const [RUNNING, PREPARING, DECIDED, FAILED] = [0, 1, 2, 3] as const;

export class Attempt implements Coordinator, AttemptUnderWay, LockingAttempt {
  readonly owner: AttemptOwner;
  /** of a member of an epoch: the shard that manages it; null: it takes locks */
  readonly epochManager: number | null;
  /** given by the table of attempts */
  number = 0;
  branches: readonly Branch[] = [];
  readonly run: LockingRun;
  /** why it failed */
  error: ClaretError | null = null;
  /** another attempt would fail too */
  hopeless = false;
  /** set if the client keeps a history */
  record: AttemptRecord | null = null;
  /** null: it relies on no warranty */
  uses: Uses | null = null;
  waitedMs = 0;
  awaited = false;
  againAtOnce = false;
  readonly #dependencies: AttemptDependencies;
  readonly #ids: Uint8Array;
  readonly #idAt: number;
  #state: typeof RUNNING | typeof PREPARING | typeof DECIDED | typeof FAILED = RUNNING;
  /** null until it prepares */
  #commit: AtomicCommit | null = null;
  /** the branch at the home shard of a transaction with an id */
  #home: Branch | null = null;
  /** kept with the commit by the home shard */
  #answer: Answer | null = null;
  /** what the last attempt did is refused now */
  #repeatsInVain = false;
  /** the priority of an older transaction that waits for it */
  #wounder: Wide | null = null;

  /** The id of the attempt begins at `idAt` in `ids`. */
  constructor(dependencies: AttemptDependencies, owner: AttemptOwner, ids: Uint8Array, idAt: number) {
    this.#dependencies = dependencies;
    this.owner = owner;
    this.epochManager = owner.plan.byEpoch ? dependencies.cluster.firstLive().shard : null;
    this.#ids = ids;
    this.#idAt = idAt;
    this.run = new LockingRun(this, dependencies);
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

  /** operations that the body has issued */
  get operations(): number {
    return this.run.operations;
  }

  /** null: it has read nothing of a snapshot */
  get snapshot(): Snapshot | null {
    return this.run.snapshot;
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

  operation<Result>(branch: Sender, spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const sender = this.run.queue ?? branch;
    return this.record === null ? new Operation<Result>(sender, spec, key, args) : this.record.operation<Result>(sender, spec, key, args);
  }

  /** Runs the body. The home shard of a transaction with an id is asked by the first request there, or by the vote, whether it may begin. */
  begin(): void {
    const { identity } = this.owner;
    if (identity !== null) {
      this.#home = this.branchOf(this.#dependencies.cluster.sessionOfSlot(identity.slot));
      this.#home.isHome = true;
    }
    if (identity?.failure) this.#home!.claim();
    else this.run.start();
  }

  claimed(): void {
    const identity = this.owner.identity!;
    identity.letIn();
    if (identity.failure === null) return;
    this.fail(bodyFailed);
    this.owner.onThrown(identity.failure.thrown);
  }

  /** its branch at that shard, made if there is none */
  branchOf(session: Session): Branch {
    return this.branchAt(session.shard) ?? this.addBranch(session);
  }

  addBranch(session: Session): Branch {
    const branch = new Branch(this, session, this.#dependencies);
    // A literal allocates exactly one item. A push, or a spread alone, would allocate 17.
    this.branches = this.branches.length === 0 ? [branch] : [...this.branches, branch];
    return branch;
  }

  // ---- the end of the body ----

  isAwaited(operation: Operation<unknown>): void {
    this.awaited = true;
    this.run.observer?.awaits(operation);
    for (const branch of this.branches) branch.goAlong();
  }

  /** @param answer kept with the commit by the home shard */
  finish(answer: Answer | null): void {
    this.#answer = answer;
    if (this.run.queue === null) this.vote();
    else this.run.queue.finish();
  }

  /** Every operation is sent, or goes with the prepare. */
  vote(): void {
    whenTold(this.run.snapshot, () => this.#prepare());
  }

  #prepare(): void {
    this.uses?.conclude();
    this.#state = PREPARING;
    this.#commit = new AtomicCommit(this, this.#answer, this.#dependencies);
    this.#commit.start();
  }

  // ---- the branches ----
  beginOf(branch: Branch, nowMs: number): Begin {
    if (this.#wounder !== null) branch.session.outbox.outcomes.wound(this.number, this.id, this.#wounder);
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
    if (this.uses !== null && (endsReliance(error) || (!error.retryable && this.reliesInVain))) {
      return this.failWithoutWarranties(unwarranted(error));
    }
    this.#repeatsInVain = this.run.isRefused(error) || (!error.retryable && branch.repeats);
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
      if (branch.shard !== shard && branch.sent && !branch.voted && !branch.ended)
        branch.session.outbox.outcomes.wound(this.number, this.id, wounder);
    }
  }

  // ---- warranties ----

  /** operations of the body that warranties have answered */
  get warranted(): number {
    return this.uses?.answers ?? 0;
  }

  /** The body was told something that may not be so any more. */
  get reliesInVain(): boolean {
    return this.uses !== null && !this.uses.holdForCertain();
  }

  /** The next attempt locks what it reads. Only if a result had changed, and for the first time, does it rely on what still stands. */
  failWithoutWarranties(error: ClaretError): void {
    this.owner.plan.takesWarranties = error.code === codes.warrantyChanged && this.owner.retries === 0;
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
      if (!branch.ended && branch.connected) branch.session.outbox.outcomes.abort(this.number);
      branch.ended = true;
    }
    for (const branch of this.branches) branch.issued.fail(error);
    this.run.queue?.fail(error);
    this.run.snapshot?.fail(error);
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
