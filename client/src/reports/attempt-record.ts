// AttemptRecord: records one attempt for the history, from its beginning to its end. It exists only if `connect` is given a
// `history`, and is kept apart from the code that runs transactions.

import type { Environment } from '../environment/environment.ts';
import { tell } from '../environment/tell.ts';
import { Operation, type Sender } from '../operation/operation.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { bigOf, type Wide } from '../wire/wide.ts';
import type { HistoryAttempt, HistoryListener, HistoryOperation } from './history.ts';
import { historyValue } from './history-value.ts';

/** Shards are asked about the batch, by its id. The attempt's timestamp is `after` above the batch's. */
export interface PlaceInBatch {
  id: Uint8Array;
  after: number;
}

/** What an attempt has read of a snapshot. */
export interface Snapshot {
  /** null: nothing */
  readonly at: Wide | null;
  /** when its transaction began */
  readonly begunMs: number;
}

/** The attempt that is recorded. */
export interface Recorded {
  readonly id: Uint8Array;
  readonly label: string;
  /** id of the first attempt of its transaction */
  readonly firstId: Uint8Array;
}

export class AttemptRecord {
  readonly #environment: Environment;
  /** the client's name */
  readonly #process: string;
  readonly #listener: HistoryListener;
  readonly #attempt: Recorded;
  readonly #callNs: number;
  #operations: HistoryOperation[] = [];
  #ended = false;
  /** null: its reads are of the commit's time */
  snapshot: Snapshot | null = null;
  /** it is a member of an epoch */
  isMember = false;

  constructor(environment: Environment, process: string, listener: HistoryListener, attempt: Recorded) {
    this.#environment = environment;
    this.#process = process;
    this.#listener = listener;
    this.#attempt = attempt;
    this.#callNs = this.#nowNs();
  }

  /** An operation whose result is recorded before the application can change it. It replaces a plain one. */
  operation<Result>(sender: Sender, spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const operation = new RecordedOperation<Result>(sender, spec, key, args);
    this.#operations.push(operation.record);
    return operation;
  }

  /** The last operation is answered by a warranty. */
  warranted(): void {
    this.#operations.at(-1)!.via = 'warranty';
  }

  /** The body runs once more: only its last run is recorded. */
  restart(): void {
    this.#operations = [];
  }

  /** From now on the attempt may commit, even if this process dies; in that batch, if there is one. `deadlineMs`: of its transaction. */
  mayCommit(listener: HistoryListener, deadlineMs: number, batch?: PlaceInBatch): void {
    const record = this.#record('unknown', Infinity);
    record.deadline = nsOf(deadlineMs);
    if (batch !== undefined) record.batch = { id: hexOf(batch.id), after: batch.after };
    tell(this.#environment, listener, record);
  }

  /** The outcome of the attempt is known, or will never be found out. Only the first call counts. */
  end(outcome: HistoryAttempt['outcome'], at: Wide | null, error: string | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    const record = this.#record(outcome, this.#nowNs());
    if (at !== null) record.order = String(bigOf(at));
    if (error !== undefined) record.error = error;
    tell(this.#environment, this.#listener, record);
  }

  #record(outcome: HistoryAttempt['outcome'], returnNs: number): HistoryAttempt {
    const { id, label, firstId } = this.#attempt;
    const { at = null, begunMs = 0 } = this.snapshot ?? {};
    const snapshot = at === null ? {} : { snapshot: String(bigOf(at)), begun: nsOf(begunMs) };
    return {
      ...snapshot,
      ...(this.isMember && { epoch: true as const }),
      id: hexOf(id),
      transaction: hexOf(firstId),
      process: this.#process,
      label,
      call: this.#callNs,
      return: returnNs,
      outcome,
      ops: this.#operations,
    };
  }

  #nowNs(): number {
    return nsOf(this.#environment.monotonicMs());
  }
}

class RecordedOperation<Result> extends Operation<Result> {
  readonly record: HistoryOperation;

  constructor(sender: Sender, spec: OperationSpec, key: string, args: readonly unknown[]) {
    super(sender, spec, key, args);
    const [type, op] = spec.name.split('.') as [string, string];
    this.record = { key, type, op, args: args.map((argument, i) => historyValue(spec.parameters[i]!, argument)) };
  }

  override settle(result: unknown): void {
    if (!this.settled && this.spec.result !== 'void') this.record.result = historyValue(this.spec.result, result);
    super.settle(result);
  }
}

const nsOf = (ms: number): number => Math.round(ms * 1e6);
const hexOf = (id: Uint8Array): string => Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('');
