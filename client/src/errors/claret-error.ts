// ClaretError: the only error that leaves this client. Its codes are stable: a shard's own codes are passed through.

import { startOf } from './start-of.ts';
import { ERROR_CAUSES, type ErrorCause, type ErrorCode, type RefusalCode } from './error-codes.ts';

/** The knowledge of the transaction's effects: none happened, all happened, or no shard could be asked in time. */
export type CommitState = 'none' | 'applied' | 'unknown';

export interface ErrorDetails {
  code: string;
  /** what is wrong; the error's message adds the record, the operation and the one that it met */
  message: string;
  key?: string | undefined;
  /** the operation that was refused: "Set.size" */
  operation?: string | undefined;
  /** the operation it met, and the label of the transaction that issued that one */
  blockingOperation?: string | undefined;
  blockingLabel?: string | undefined;
  /** the same request may succeed later */
  retryable?: boolean;
  cause?: string | undefined;
  commitState?: CommitState;
  /** attempts that ended before this one */
  retries?: number;
  /** the obstacle will be gone after this time, and not before */
  retryAfterMs?: number;
}

/** What the error says without its record and operation. */
export let textOf: (error: ClaretError) => string;

export class ClaretError extends Error {
  static {
    textOf = (error) => error.#text;
  }

  readonly #text: string;
  readonly code: ErrorCode | RefusalCode;
  readonly key: string | undefined;
  readonly operation: string | undefined;
  readonly blockingOperation: string | undefined;
  readonly blockingLabel: string | undefined;
  readonly retryable: boolean;
  /** set if a conflict, or a failure elsewhere, ended the transaction: then a retry is reasonable */
  override readonly cause: ErrorCause | undefined;
  readonly commitState: CommitState;
  readonly retries: number;
  /** the obstacle will be gone after this time, and not before; 0: that is not known */
  readonly retryAfterMs: number;

  constructor(details: ErrorDetails) {
    super(messageOf(details));
    this.name = 'ClaretError';
    this.#text = details.message;
    // A code comes from this client, from a shard, or from a type of the application's own, and the type has all three. A newer shard may send one that is not in it.
    this.code = details.code as ErrorCode;
    this.key = details.key || undefined;
    this.operation = details.operation || undefined;
    this.blockingOperation = details.blockingOperation || undefined;
    this.blockingLabel = details.blockingLabel || undefined;
    this.retryable = details.retryable ?? false;
    this.cause = causeOf(details);
    this.commitState = details.commitState ?? 'none';
    this.retries = details.retries ?? 0;
    this.retryAfterMs = details.retryAfterMs ?? 0;
  }
}

const KEY_SHOWN_MAX = 80;

/** A log often has nothing of an error but its message. */
function messageOf({ message, key, operation, blockingOperation, blockingLabel }: ErrorDetails): string {
  const about = [operation, key && shown(key)].filter(Boolean).join(' ');
  const blocker = blockingLabel ? `${blockingOperation} of ${blockingLabel}` : blockingOperation;
  return `${about ? `${about}: ` : ''}${message}${blocker ? ` (it met ${blocker})` : ''}`;
}

/** The key on one line, and not too long. */
function shown(key: string): string {
  const short = key.length <= KEY_SHOWN_MAX ? key : `${startOf(key, KEY_SHOWN_MAX)}…`;
  return /[\p{Cc}\u2028\u2029]/u.test(short) ? JSON.stringify(short) : short;
}

/** The causes of retryable errors that come without one and whose code is not a cause itself. */
const CAUSES_OF_CODES: Readonly<Record<string, ErrorCause>> = {
  expired: 'timeout',
  wrong_incarnation: 'session_lost',
  unknown_attempt: 'attempt_lost',
  invalid_attempt: 'attempt_lost',
  result_lost: 'session_lost',
  native_conflict: 'native',
};

const isCause = (text: string): text is ErrorCause => (ERROR_CAUSES as readonly string[]).includes(text);

function causeOf({ code, cause, retryable }: ErrorDetails): ErrorCause | undefined {
  if (cause !== undefined && isCause(cause)) return cause;
  if (retryable !== true && code !== 'result_lost') return undefined;
  return CAUSES_OF_CODES[code] ?? (isCause(code) ? code : undefined);
}

/**
 * An error without a stack, for the end of an attempt. Its stack would only show how a frame is read, at ten times the cost of
 * the rest of the error.
 */
export function stacklessError(details: ErrorDetails): ClaretError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new ClaretError(details);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

/** A copy of the error with some members changed. */
export function errorLike(error: ClaretError, changes: Partial<ErrorDetails>): ClaretError {
  const { code, key, operation, blockingOperation, blockingLabel, retryable, cause, commitState, retries, retryAfterMs } = error;
  return stacklessError({
    code,
    message: textOf(error),
    key,
    operation,
    blockingOperation,
    blockingLabel,
    retryable,
    cause,
    commitState,
    retries,
    retryAfterMs,
    ...changes,
  });
}
