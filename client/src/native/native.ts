// Native: one native operation, from its issue to its answer.

import { stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { Call } from '../values/call.ts';
import { resultOf } from '../values/result.ts';
import { malformed } from '../wire/reader.ts';
import type { NativesDone } from '../wire/server-frame.ts';
import { bigOf, type Wide } from '../wire/wide.ts';
import type { ReceiptDraft } from '../reports/receipt-draft.ts';
import type { NativeRecord } from './native-record.ts';

export interface Native {
  readonly call: Call;
  /** monotonic times of its issue, and at which it fails if it has not been sent */
  readonly issuedMs: number;
  readonly dueMs: number;
  resolve(result: unknown): void;
  reject(error: ClaretError): void;
  /** null: no history is kept */
  readonly record: NativeRecord | null;
  /** null: it is not observed */
  readonly receipt: ReceiptDraft | null;
  /** null: nobody wants to know its timestamp */
  readonly executed: ((at: bigint) => void) | null;
  /** the timestamp as of which it observes; null: now */
  readonly at: Wide | null;
  /** null: it is an operation by itself */
  readonly snapshot: SnapshotReader | null;
}

/** The rates of two steady clocks differ by less than this. */
const RATES_DIFFER = 0.01;
/** The wire has 32 bits for one more than the age. */
const AGE_US_MAX = 2 ** 32 - 2;

/** No more than the age of the transaction by the shard's clock: so the shard takes its begin to be no earlier than it was. */
export const ageUsOf = ({ begunMs }: SnapshotReader, nowMs: number): number =>
  Math.min(Math.floor((nowMs - begunMs) * 1000 * (1 - RATES_DIFFER)), AGE_US_MAX);

/** The snapshot transaction for which a native observes. Implemented once, since attempts stand above natives. */
export interface SnapshotReader {
  /** monotonic */
  readonly begunMs: number;
  /** The shard has refused the read: the snapshot may have been taken before something that its transaction has to see, and one at `at` is not. */
  onBehind(at: Wide): void;
}

export interface NativeOptions {
  /** called with the timestamp at which the native was executed, before its promise settles */
  onExecuted?: (executedAt: bigint) => void;
  /** Observes the record as it was at that moment; of a Date: before the first commit of its millisecond. */
  at?: Date | bigint;
}

/** Timestamps of one shard that follow each other differ by this. */
const TICK = 256n;

const timestampOf = (first: Wide, index: number): bigint => bigOf(first) + BigInt(index) * TICK;

/** The same native, whose promise is settled: an answer to it is read and dropped. */
export const settled = (native: Native): Native => ({
  ...native,
  resolve: () => {},
  reject: () => {},
  executed: null,
  record: null,
  receipt: null,
});

export const observes = ({ call }: Native): boolean => call.spec.operationClass === 'observe';

/** Natives by their number in a session. */
type ByNumber = Pick<Map<number, Native>, 'get'> & { delete(number: number): unknown };

/**
 * Resolves the natives that were executed, and removes them from `natives`. Throws `malformed_frame` if a result is missing.
 *
 * @param missing called for a number that `natives` does not have
 */
export function resolveDone(
  natives: ByNumber,
  { first, count, at, results, waitedUs }: NativesDone,
  missing: (number: number) => void,
): void {
  let next = 0;
  for (let number = first; number < first + count; number++) {
    const native = natives.get(number);
    if (native === undefined) {
      missing(number);
      continue;
    }
    const kind = native.call.spec.result;
    if (kind !== 'void' && next === results.length) throw malformed('a result of a native is missing');
    const result = kind === 'void' ? undefined : resultOf(kind, results[next++]!);
    natives.delete(number);
    if (native.record !== null) native.record.executed(timestampOf(at, number - first), result);
    if (native.executed !== null) native.executed(timestampOf(at, number - first));
    if (waitedUs > 0) native.receipt?.waited(1, waitedUs);
    native.resolve(result);
  }
}

export const outcomeUnknown = ({ call }: Native): ClaretError =>
  stacklessError({
    code: codes.outcomeUnknown,
    message: 'The answer to the native operation was lost with the session',
    key: call.key,
    operation: call.spec.name,
    cause: codes.sessionLost,
    commitState: 'unknown',
  });

export const overtaken = ({ call }: Native): ClaretError =>
  stacklessError({
    code: codes.sessionLost,
    message: 'The answer was lost with the session, and a later operation of this client on the record has been executed',
    key: call.key,
    operation: call.spec.name,
    retryable: true,
    cause: codes.sessionLost,
  });

export const expiredBeforeIssue = (call: Call): ClaretError =>
  stacklessError({
    code: codes.expired,
    message: 'the time allowed was over before it was issued',
    key: call.key,
    operation: call.spec.name,
    retryable: true,
  });

export const notReadOnly = (call: Call): ClaretError =>
  stacklessError({
    code: codes.notReadOnly,
    message: 'only an operation that observes can be asked of the past',
    key: call.key,
    operation: call.spec.name,
  });

export const unavailable = ({ call }: Native): ClaretError =>
  stacklessError({
    code: codes.shardUnavailable,
    message: 'the shard could not be reached in the time allowed',
    key: call.key,
    operation: call.spec.name,
    retryable: true,
  });
