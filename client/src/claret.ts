// Claret: a connected client, as applications hold it (client/API.md).

import type { Client } from './client.ts';
import type { Clock } from './cluster/clock.ts';
import type { Load, Status } from './cluster/status.ts';
import { Computation } from './computations/computation.ts';
import type { ComputationStats } from './computations/computations.ts';
import { guardGlobals } from './computations/purity.ts';
import type { ComputationBody } from './computations/reader.ts';
import { descriptions, type DescribedHandles } from './descriptions.ts';
import { ClaretError, errorLike } from './errors/claret-error.ts';
import { codes } from './errors/error-codes.ts';
import { misuse, misusedList, misusedTransaction, wantFunction } from './errors/misuse.ts';
import { operationSpecs } from './generated/handles.ts';
import { nativeHandles, type NativeHandles } from './native/native-handles.ts';
import { Identity } from './idempotency/identity.ts';
import { newTransactionId, transactionIdOf } from './idempotency/transaction-id.ts';
import { calledOffError, Scope } from './limits/scope.ts';
import { Description, type ResultsOf } from './operation/description.ts';
import { Finish } from './operation/finish.ts';
import { Operation } from './operation/operation.ts';
import type { Counters } from './reports/counters.ts';
import type { ReceiptListener } from './reports/receipt.ts';
import { ReceiptDraft } from './reports/receipt-draft.ts';
import { slotOf } from './topology/slots.ts';
import type { Topology } from './topology/topology.ts';
import { clientClosed } from './transaction/transaction-errors.ts';
import type { Task } from './transaction/transaction.ts';
import type { TransactionOptions, TransactionReport } from './transaction/transaction-options.ts';
import type { Tx } from './transaction/tx.ts';
import type { Body, Work } from './transaction/work.ts';
import { firmResult, type FirmResult } from './warranties/firm-result.ts';
import type { Grant } from './warranties/grant.ts';
import type { Listener, Watch } from './watching/watches.ts';
import type { ServerConditions } from './wire/server-frame.ts';

const CLOSE_GRACE_MS = 1_000;

function notOfClass(code: string, message: string, { key, spec }: Description<unknown>): ClaretError {
  return new ClaretError({ code, message, key, operation: spec.name });
}

/** What has to hold for the transactions of a view: it throws if it does not. */
export type Guard = (tx: Tx) => unknown;

export class Claret {
  readonly on: DescribedHandles = descriptions;
  /** Single operations outside any transaction, each in one round trip (API.md, "Native operations"). */
  readonly native: NativeHandles;
  readonly #client: Client;
  readonly #observers: readonly ReceiptListener[];
  readonly #scope: Scope | null;
  /** null: its transactions have none */
  readonly #guard: Guard | null;

  constructor(client: Client, observers: readonly ReceiptListener[] = [], scope: Scope | null = null, guard: Guard | null = null) {
    this.#client = client;
    this.#guard = guard;
    this.native = nativeHandles(client.natives, { scope, observers });
    this.#observers = observers;
    this.#scope = scope;
  }

  /**
   * Returns another view of the same client. For each transaction or native that begins through it, `listener` gets one receipt when
   * it ends, before its promise settles. Observers of this view get it too. Other transactions cost nothing more.
   */
  observed(listener: ReceiptListener): Claret {
    wantFunction(listener, 'observed takes a listener, a function');
    return new Claret(this.#client, [...this.#observers, listener], this.#scope, this.#guard);
  }

  /**
   * Operations that observe records as they were at one moment: all that had committed by then and nothing else, on any shards. A Date is the
   * beginning of its millisecond. `history_gone` if a shard does not keep what a record was then (`pastMs`; API.md, "The past").
   */
  asOf(moment: Date | bigint): NativeHandles {
    return nativeHandles(this.#client.natives, { scope: this.#scope, observers: this.#observers }, { at: moment });
  }

  /**
   * Returns another view of the same client. No transaction or native that begins through it continues beyond the scope's deadline,
   * whatever its own options say, and all of them can be called off at once. The scope replaces the one of this view.
   */
  within(scope: Scope): Claret {
    if (!(scope instanceof Scope)) throw misuse('within takes a Scope', scope);
    return new Claret(this.#client, this.#observers, scope, this.#guard);
  }

  /**
   * Returns another view of the same client. Each transaction that begins through it runs `guard` first, as a part of it: what the guard throws ends
   * it. One that had committed before, under its id, is answered once the guard holds in a transaction of its own. Natives, watches and
   * computations have no guard. The guard replaces the one of this view.
   */
  guarded(guard: Guard): Claret {
    wantFunction(guard, 'guarded takes a guard, a function of a transaction');
    return new Claret(this.#client, this.#observers, this.#scope, guard);
  }

  /**
   * Runs `body` in a transaction and resolves with its result once it has committed. The body runs again if an attempt left no trace
   * and time is left, and on hot records it first runs on a forecast, so it must have no other effects. An error that it throws aborts the transaction and is passed through. Other
   * failures reject with `ClaretError`, whose `commitState` says what is known of the effects.
   * @param label names the kind of transaction, for operators
   */
  transaction<Result>(label: string, body: Body<Result>, options: TransactionOptions = {}): Promise<Result> {
    return this.#run('transaction', label, body, options) as Promise<Result>;
  }

  /**
   * Runs a transaction that only reads, and asks its shards to keep what it has read as it is for `forMs`, whoever wants to change it: for caches of
   * pages, which no recall reaches. Nothing is certain if an operation had to be sent to its shard, or if a shard expects a change before
   * (API.md, "Firm results").
   */
  async firm<Result>(label: string, body: Body<Result>, forMs: number, options: TransactionOptions = {}): Promise<FirmResult<Result>> {
    if (typeof forMs !== 'number') throw misuse('the time of firm is a number of milliseconds', forMs);
    let relied: readonly Grant[] | null = null;
    const result = (await this.#run('firm', label, body, options, (grants) => (relied = grants))) as Result;
    return firmResult(this.#client, result, relied, forMs);
  }

  /** Runs a transaction of independent operations, with one message to each shard. Resolves with their results, in order. */
  transact<const Descriptions extends readonly Description<unknown>[]>(
    label: string,
    operations: Descriptions,
    options: TransactionOptions = {},
  ): Promise<ResultsOf<Descriptions>> {
    return this.#run('transact', label, operations, options) as Promise<ResultsOf<Descriptions>>;
  }

  /**
   * `transact` for a list that only observes: all results are right at one moment. Rejects with `not_read_only` if an operation changes something.
   */
  readOnly<const Descriptions extends readonly Description<unknown>[]>(
    label: string,
    operations: Descriptions,
    options: TransactionOptions = {},
  ): Promise<ResultsOf<Descriptions>> {
    const wrong = misusedList('readOnly', operations);
    if (wrong !== null) return Promise.reject(wrong);
    const other = operations.find(({ spec }) => spec.operationClass !== 'observe');
    if (other === undefined) return this.transact(label, operations, options);
    return Promise.reject(notOfClass(codes.notReadOnly, 'the operation does not only observe', other));
  }

  /** `transact` for a list that only changes records: all of it or nothing. Rejects with `not_write_only` if an operation has a result. */
  async writeOnly(label: string, operations: readonly Description<unknown>[], options: TransactionOptions = {}): Promise<void> {
    const wrong = misusedList('writeOnly', operations);
    if (wrong !== null) throw wrong;
    const other = operations.find(({ spec }) => spec.result !== 'void');
    if (other !== undefined) throw notOfClass(codes.notWriteOnly, 'the operation has a result', other);
    await this.transact(label, operations, options);
  }

  #run(name: string, label: string, work: Work, options: TransactionOptions, onRelied?: Task['onRelied']): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const wrong = misusedTransaction(name, label, work, options);
      if (wrong !== null) return reject(wrong);
      if (this.#guard !== null) return resolve(runGuarded(this.#unguarded, this.#guard, { label, work, options }));
      const refused = this.#client.closed ? clientClosed() : this.#scope?.calledOff === true ? calledOffError() : null;
      // An earlier call with the same id may have committed it.
      if (refused !== null) return reject(options.id === undefined ? refused : errorLike(refused, { commitState: 'unknown' }));
      const identity =
        options.id === undefined
          ? null
          : new Identity({ id: options.id, keepMs: options.keepMs ?? 0, inProgress: options.inProgress ?? 'wait' });
      const receipt = this.#observers.length === 0 ? null : new ReceiptDraft(this.#observers);
      const task = { label, work, options, receipt, identity, scope: this.#scope, ...(onRelied && { onRelied }) };
      this.#client.transactions.begin(task, resolve, reject);
    });
  }

  get #unguarded(): Claret {
    return new Claret(this.#client, this.#observers, this.#scope);
  }

  /**
   * Returns a new id that makes a transaction safe to send again (`{ id }`): an unguessable text.
   * @param nearKey a key of the shard that is to be the home of the id; best one that the transaction uses anyway
   * @param from 16 unguessable bytes; the same bytes give the same id
   */
  transactionId(nearKey?: string, from?: Uint8Array): string {
    if (nearKey !== undefined && typeof nearKey !== 'string') throw misuse('the key of transactionId is a text', nearKey);
    const slot = nearKey === undefined ? null : slotOf(nearKey);
    return from === undefined ? newTransactionId(this.#client.environment, slot) : transactionIdOf(from, slot);
  }

  /**
   * Describes an operation by its name, "Set.add". The arguments are those of the handle, but a list is never spread. Throws
   * `ClaretError` for an unknown operation.
   */
  describe(key: string, name: string, args: readonly unknown[]): Description<unknown> {
    if (typeof name !== 'string') throw misuse('describe takes a key, the name of an operation as in Set.add, and its arguments', name);
    if (!Array.isArray(args)) throw misuse('the arguments of describe are a list', args);
    const spec = operationSpecs.get(name);
    if (spec === undefined) {
      throw new ClaretError({ code: codes.unknownOperation, message: 'there is no such operation', key, operation: name });
    }
    return new Description(spec, key, [...args]);
  }

  /**
   * Gives `listener` the result of each operation now (with `since`: once its record has changed after that timestamp), and again
   * after every commit that changed the record. States in between may be left out.
   */
  watch<Result>(operations: readonly Description<Result>[], listener: Listener<Result>, options: { since?: bigint } = {}): Watch {
    const wrong = misusedList('watch', operations);
    if (wrong !== null) throw wrong;
    wantFunction(listener, 'watch takes a list of operations and a listener, a function');
    const since = options?.since ?? 0n;
    if (typeof since !== 'bigint') throw misuse('since is a timestamp, a bigint', since);
    return this.#client.watches.add(operations, listener, since);
  }

  /**
   * A function of the store whose values are kept in memory (API.md, "Computations"). Its body must follow from what it reads and its arguments
   * alone. In strict mode, the default unless NODE_ENV is production, it runs twice to see that.
   */
  computation<Args extends readonly unknown[], Result>(
    name: string,
    options: { version?: number; strict?: boolean },
    body: ComputationBody<Args, Result>,
  ): Computation<Args, Result> {
    const rule = 'computation takes a name, options such as { version: 1 }, and a body';
    if (typeof name !== 'string') throw misuse(rule, name);
    if (typeof options !== 'object' || options === null) throw misuse(rule, options);
    wantFunction(body, rule);
    const { version = 1, strict = process.env['NODE_ENV'] !== 'production' } = options;
    if (strict) guardGlobals();
    return new Computation(this.#client.computations, name, { version, strict }, body);
  }

  get computations(): { readonly stats: Readonly<ComputationStats> } {
    return this.#client.computations;
  }

  get status(): Status {
    return this.#client.cluster.status;
  }

  /** How the cluster settles conflicts, as a shard reported last; null: none has yet. */
  get conditions(): Readonly<ServerConditions> | null {
    return this.#client.cluster.conditions;
  }

  /** Returns a function that removes the listener. */
  onStatus(listener: (status: Status) => void): () => void {
    wantFunction(listener, 'onStatus takes a listener, a function');
    return this.#client.cluster.onStatus(listener);
  }

  /** The cluster's time, whatever the wall clock of this machine shows. */
  get clock(): Clock {
    return this.#client.clock;
  }

  get counters(): Readonly<Counters> {
    return this.#client.counters;
  }

  get load(): Load {
    return this.#client.load;
  }

  get topology(): Topology {
    return this.#client.cluster.topology;
  }

  /** Gives transactions under way some time to end, then calls them off and disconnects. */
  close(graceMs = CLOSE_GRACE_MS): Promise<void> {
    return this.#client.close(graceMs);
  }
}

async function runGuarded(
  claret: Claret,
  guard: Guard,
  { label, work, options }: Pick<Task, 'label' | 'work' | 'options'>,
): Promise<unknown> {
  let replayed = false;
  const onCommit = (report: TransactionReport): void => {
    replayed = report.replayed;
    options.onCommit?.(report);
  };
  const body = async (tx: Tx): Promise<unknown> => {
    await guard(tx);
    if (typeof work !== 'function') return Promise.all(work.map((description) => tx.perform(description)));
    const outcome = work(tx);
    // Its result travels with the commit.
    return outcome instanceof Operation ? new Finish(outcome) : outcome;
  };
  const result = await claret.transaction(label, body, { ...options, onCommit });
  // Its body has not run.
  if (replayed) await claret.transaction(label, async (tx) => void (await guard(tx)));
  return result;
}
