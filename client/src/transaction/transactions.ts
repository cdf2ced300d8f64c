// Transactions: runs the transactions of one client. It admits them, begins their attempts, starts them again and watches their
// deadlines.

import { Attempt } from '../attempt/attempt.ts';
import type { AttemptOwner } from '../attempt/attempt-owner.ts';
import type { RunningAttempt } from '../attempt/running-attempt.ts';
import type { AttemptDependencies, AttemptUnderWay } from '../attempt/dependencies.ts';
import { CrowdAttempt } from '../crowd/crowd-attempt.ts';
import type { CrowdContext } from '../crowd/crowd-context.ts';
import type { Crowd } from '../crowd/crowd.ts';
import type { AttemptId } from '../crowd/whole-attempt.ts';
import type { Environment } from '../environment/environment.ts';
import { tell } from '../environment/tell.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { Admission } from '../limits/admission.ts';
import { Deadlines } from '../limits/deadlines.ts';
import { NEVER_SENT } from '../operation/operation.ts';
import { AttemptRecord } from '../reports/attempt-record.ts';
import type { Counters } from '../reports/counters.ts';
import type { HistoryListener } from '../reports/history.ts';
import type { NumberedTable } from '../session/numbered-table.ts';
import type { Call } from '../values/call.ts';
import { checkLabel } from '../values/check-call.ts';
import { resultOf } from '../values/result.ts';
import type { Ways } from '../ways/ways.ts';
import { readFromMemory } from '../warranties/read-from-memory.ts';
import { ID_BYTES } from '../wire/client-frame.ts';
import { bigOf, type Wide } from '../wire/wide.ts';
import { PriorityClock } from './priority-clock.ts';
import { Transaction, type Runner, type Task } from './transaction.ts';
import { clientClosed } from './transaction-errors.ts';
import type { Limits } from './transaction-options.ts';

const ID_BLOCK_BYTES = 256 * ID_BYTES;
const CLOSE_LOOK_MS = 2;

export interface TransactionsOptions {
  /** the client's name */
  readonly name: string;
  readonly limits: Limits;
  readonly oneAtATime: boolean;
  readonly history: HistoryListener | undefined;
  readonly newId: () => string;
  readonly ways: Ways;
}

export class Transactions implements Runner {
  readonly environment: Environment;
  readonly counters: Counters;
  readonly limits: Limits;
  readonly oneAtATime: boolean;
  readonly #dependencies: AttemptDependencies;
  readonly #attempts: NumberedTable<AttemptUnderWay>;
  readonly #crowd: Crowd;
  readonly #crowdContext: CrowdContext;
  readonly #name: string;
  readonly #history: HistoryListener | undefined;
  /** Returns a text that nobody else gets. */
  readonly newId: () => string;
  /** operations that answer nothing are kept until their transaction ends */
  defers = true;
  readonly ways: Ways;
  readonly #admission = new Admission();
  readonly #deadlines: Deadlines<Transaction>;
  readonly #priorities: PriorityClock;
  /** random bytes for the ids of attempts, drawn in blocks */
  #ids: Uint8Array = new Uint8Array(0);
  #idAt = 0;
  #closed = false;
  #met: ClaretError | null = null;
  #metMs = -Infinity;

  constructor(dependencies: AttemptDependencies, attempts: NumberedTable<AttemptUnderWay>, crowd: Crowd, options: TransactionsOptions) {
    const { environment, counters } = dependencies;
    this.environment = environment;
    this.counters = counters;
    this.limits = options.limits;
    this.oneAtATime = options.oneAtATime;
    this.#dependencies = dependencies;
    this.ways = options.ways;
    this.#attempts = attempts;
    this.#crowd = crowd;
    this.#crowdContext = {
      environment,
      counters,
      delays: dependencies.delays,
      crowd,
      attempts,
      beforeCommit: dependencies.beforeCommit,
      nextId: () => this.nextId(),
      newRecord: (attempt, owner) => this.#record(attempt, owner),
      durability: () => dependencies.cluster.topology.durability,
    };
    this.#name = options.name;
    this.#history = options.history;
    this.newId = options.newId;
    this.#priorities = new PriorityClock(environment);
    this.#deadlines = new Deadlines(environment, (nowMs) => {
      this.#admission.sweep(nowMs);
      return this.#admission.waiting > 0;
    });
  }

  /** Transactions that run. */
  get running(): number {
    return this.#admission.running;
  }

  /** Transactions that wait until fewer run. */
  get waiting(): number {
    return this.#admission.waiting;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Throws `ClaretError` for a label that no shard would take. */
  begin(task: Task, resolve: (result: unknown) => void, reject: (error: unknown) => void): void {
    checkLabel(task.label);
    const results = this.#fromMemory(task);
    if (results !== null) return resolve(results);
    const transaction = new Transaction(this, task, resolve, reject);
    this.#deadlines.add(transaction);
    this.#admission.enter(transaction, transaction.begunMs);
  }

  /** The results of a list that warranties answer as a whole; null: it has to be run. */
  #fromMemory({ label, work, options, receipt, identity, scope, onRelied }: Task): unknown[] | null {
    const { warranties } = this.#dependencies;
    if (warranties.size === 0 || typeof work === 'function' || this.oneAtATime || warranties.turnIsLong) return null;
    const attemptsMax = options.attemptsMax ?? this.limits.attemptsMax;
    if (receipt !== null || identity !== null || onRelied !== undefined || attemptsMax <= 1) return null;
    const nowMs = this.environment.monotonicMs();
    if (scope !== null && nowMs >= scope.deadlineMs) return null;
    if (!warranties.lists.wanted(label)) return null;
    const read = readFromMemory(work, warranties, nowMs);
    if (read === null) return null; // the attempt says whether it saves a message
    warranties.lists.lookedUp(label, true);
    const results = work.map(({ spec }, i) => resultOf(spec.result, read.values[i]!));
    if (this.#history !== undefined) this.#recordRead(label, work, results, read.at);
    this.counters.commits++;
    this.counters.operations += work.length;
    const { onCommit } = options;
    if (onCommit !== undefined) tell(this.environment, onCommit, { committedAt: bigOf(read.at), retries: 0, replayed: false });
    return results;
  }

  #recordRead(label: string, work: readonly Call[], results: readonly unknown[], at: Wide): void {
    const { bytes, at: idAt } = this.nextId();
    const record = this.#record({ id: bytes.subarray(idAt, idAt + ID_BYTES) }, { label, firstId: null })!;
    for (const [i, { spec, key, args }] of work.entries()) {
      record.operation(NEVER_SENT, spec, key, args).settle(results[i]);
      record.warranted();
    }
    record.end('ok', at, undefined);
  }

  nextPriority(): Wide {
    return this.#priorities.next();
  }

  beginAttempt(owner: AttemptOwner, nowMs: number): RunningAttempt {
    const way = owner.plan.next(owner.isLast, nowMs);
    return way === 'ahead' ? new CrowdAttempt(this.#crowdContext, owner, this.nextId()) : this.beginLocking(owner);
  }

  beginLocking(owner: AttemptOwner): Attempt {
    const idAt = this.#takeId();
    const attempt = new Attempt(this.#dependencies, owner, this.#ids, idAt);
    attempt.record = this.#record(attempt, owner);
    if (attempt.record !== null) {
      attempt.record.isMember = owner.plan.byEpoch;
      owner.firstId ??= attempt.id;
    }
    attempt.run.observer = this.#crowd.watch(owner);
    this.#attempts.add(attempt);
    return attempt;
  }

  /** Returns where in `#ids` the next id begins. */
  #takeId(): number {
    if (this.#idAt === this.#ids.length) {
      this.#ids = this.environment.randomBytes(ID_BLOCK_BYTES);
      this.#idAt = 0;
    }
    const at = this.#idAt;
    this.#idAt += ID_BYTES;
    return at;
  }

  nextId(): AttemptId {
    const at = this.#takeId();
    return { bytes: this.#ids, at };
  }

  #record({ id }: { readonly id: Uint8Array }, owner: Pick<AttemptOwner, 'label' | 'firstId'>): AttemptRecord | null {
    if (this.#history === undefined) return null;
    const recorded = {
      id,
      label: owner.label,
      get firstId() {
        return owner.firstId ?? id;
      },
    };
    return new AttemptRecord(this.environment, this.#name, this.#history, recorded);
  }

  retry(transaction: Transaction, error: ClaretError): void {
    const delayUs = Math.max(this.#dependencies.backoff.attemptDelayUs(transaction.retries), 1_000 * error.retryAfterMs);
    if (this.#closed) return transaction.close(clientClosed());
    const again = () => {
      if (transaction.settled) return; // it was called off meanwhile
      if (this.#admission.retry(transaction, this.environment.monotonicMs())) this.pause(transaction, delayUs);
    };
    if (error.code === codes.wrongShard) void this.#dependencies.cluster.findNewer().then(again);
    else again();
  }

  again(transaction: Transaction): void {
    if (this.#closed) transaction.close(clientClosed());
    else transaction.start(true);
  }

  pause(transaction: Transaction, delayUs: number): void {
    this.#dependencies.delays.after(delayUs, () => {
      if (this.#closed) transaction.close(clientClosed());
      else transaction.start(true);
    });
  }

  ownerOf(key: string): string {
    const { topology } = this.#dependencies.cluster;
    const shard = topology.shardOf(key);
    return `by the topology, shard ${shard} at ${topology.shards.find((each) => each.shard === shard)!.address} owns the key`;
  }

  met(error: ClaretError): void {
    this.#met = error;
    this.#metMs = this.environment.monotonicMs();
  }

  metSince(ms: number): ClaretError | null {
    return this.#metMs >= ms ? this.#met : null;
  }

  ended(transaction: Transaction): void {
    this.#deadlines.remove(transaction);
    if (transaction.admitted) this.#admission.leave();
  }

  onSessionLost(shard: number, error: ClaretError): void {
    for (const attempt of this.#attempts) attempt.onSessionLost(shard, error);
  }

  /** Waits at most `graceMs` until all transactions have ended, then calls the others off. */
  async close(graceMs: number): Promise<void> {
    const until = this.environment.monotonicMs() + graceMs;
    while ((this.#attempts.size > 0 || this.#deadlines.unsettled > 0) && this.environment.monotonicMs() < until) {
      await new Promise<void>((resolve) => this.environment.setTimeout(resolve, CLOSE_LOOK_MS));
    }
    this.#closed = true;
    this.#crowd.stop();
    this.#admission.clear();
    for (const transaction of this.#deadlines) transaction.close(clientClosed());
    this.#deadlines.stop();
  }
}
