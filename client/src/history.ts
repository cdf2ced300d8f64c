// History: what one client's attempts did, as seen from outside (docs/history.md): which operations were issued, which
// results seen, when each attempt began and its caller was told, how it ended. For checks of strict serializability, so
// it is kept apart from everything that runs transactions, and does nothing unless `connect` is given a `history`.

import type { Attempt } from './attempt.ts';
import type { AttemptOwner } from './attempt-owner.ts';
import { Operation, type Sender } from './operation.ts';
import type { Kind, OperationSpec, Scalar } from './values.ts';
import type { Wide } from './wire/client-frame.ts';

/** A value as JSON. Absent is null; an integer beyond the safe ones is {integer}; every other number stands for itself. */
export type HistoryValue = string | number | boolean | null | { integer: string } | HistoryValue[];

export interface HistoryOperation {
  key: string;
  /** "Set" */
  type: string;
  /** "add" */
  op: string;
  args: HistoryValue[];
  /** not there for an operation without a result, nor where none was seen */
  result?: HistoryValue;
}

export interface HistoryAttempt {
  /** the attempt's id, hexadecimal, as it stands in the shards' logs */
  id: string;
  /** the id of the first attempt of its transaction */
  transaction: string;
  /** the client's name */
  process: string;
  label: string;
  /** when it began, and when its caller was told, or it gave up: ns of the environment's monotonic clock */
  call: number;
  return: number;
  /** "ok": it is committed; "fail": it is not, and never will be; "unknown": nobody could say */
  outcome: 'ok' | 'fail' | 'unknown';
  /** the commit timestamp, decimal; where it is committed */
  order?: string;
  /** the error's code, where there is one */
  error?: string;
  /** in the order of issue */
  ops: HistoryOperation[];
}

export type HistoryListener = (attempt: HistoryAttempt) => void;

/** Takes down one attempt, from its beginning to its end. */
export class AttemptRecord {
  readonly #attempt: Attempt;
  readonly #owner: RecordedOwner;
  readonly #listener: HistoryListener;
  readonly #callNs: number;
  readonly #operations: HistoryOperation[] = [];
  #ended = false;

  constructor(attempt: Attempt, owner: RecordedOwner, listener: HistoryListener) {
    this.#attempt = attempt;
    this.#owner = owner;
    this.#listener = listener;
    this.#callNs = this.#nowNs();
  }

  /** In place of a plain operation: one whose result is taken down before the application can change it. */
  operation<Result>(sender: Sender, spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result> {
    const operation = new RecordedOperation<Result>(sender, spec, key, args);
    this.#operations.push(operation.record);
    return operation;
  }

  /** From now on it may commit, whatever becomes of this process. */
  mayCommit(listener: HistoryListener): void {
    this.#attempt.client.tell(listener, this.#record('unknown', Infinity));
  }

  /** Its fate is known, or nobody will find out any more. Only the first call counts. */
  end(outcome: HistoryAttempt['outcome'], at: Wide | null, error: string | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    const record = this.#record(outcome, this.#nowNs());
    if (at !== null) record.order = String((BigInt(at.high) << 32n) | BigInt(at.low));
    if (error !== undefined) record.error = error;
    this.#attempt.client.tell(this.#listener, record);
  }

  #record(outcome: HistoryAttempt['outcome'], returnNs: number): HistoryAttempt {
    const { client, id } = this.#attempt;
    return {
      id: hexOf(id),
      transaction: hexOf(this.#owner.firstId ?? id),
      process: client.name,
      label: this.#owner.label,
      call: this.#callNs,
      return: returnNs,
      outcome,
      ops: this.#operations,
    };
  }

  #nowNs(): number {
    return Math.round(this.#attempt.client.monotonicMs() * 1e6);
  }
}

type RecordedOwner = AttemptOwner & {
  /** id of its first attempt */
  readonly firstId: Uint8Array | null;
};

class RecordedOperation<Result> extends Operation<Result> {
  readonly record: HistoryOperation;

  constructor(sender: Sender, spec: OperationSpec, key: string, args: readonly unknown[]) {
    super(sender, spec, key, args);
    const [type, op] = spec.name.split('.') as [string, string];
    this.record = { key, type, op, args: args.map((argument, i) => historyValue(spec.parameters[i]!, argument)) };
  }

  override settle(result: unknown): void {
    if (this.spec.result !== 'void') this.record.result = historyValue(this.spec.result, result);
    super.settle(result);
  }
}

/** As the caller has it, into JSON: a copy. Fields of a Dict become [field, value] pairs, by field. */
function historyValue(kind: Kind, value: unknown): HistoryValue {
  if (kind !== 'entries') return plain(value);
  const entries = Object.entries(value as Record<string, Scalar>);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([field, scalar]) => [field, plain(scalar)]);
}

function plain(value: unknown): HistoryValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : { integer: String(value) };
  if (Array.isArray(value)) return value.map(plain);
  if (Object.is(value, -0)) return 0;
  return value as string | number | boolean | null;
}

const hexOf = (id: Uint8Array): string => Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('');
