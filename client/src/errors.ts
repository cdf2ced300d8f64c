// ClaretError: the one error that leaves this client. Codes are stable: a shard's own are passed through, those that
// arise here are listed below.

/** What is known of the transaction's effects: none happened, all happened, or nobody could be asked in time. */
export type CommitState = 'none' | 'applied' | 'unknown';

/** Every code that an error can carry: those of a shard (server-core/src/errors.h), and those that arise here. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** What stood in a transaction's way: one of a closed list. docs/errors.md explains each. */
export type ErrorCause = (typeof ERROR_CAUSES)[number];

export const ERROR_CODES = [
  'malformed_frame',
  'frame_too_large',
  'unsupported_protocol',
  'clock_skew',
  'unknown_type',
  'unknown_operation',
  'wrong_argument_count',
  'wrong_argument_type',
  'argument_too_large',
  'not_finite',
  'out_of_range',
  'invalid_utf8',
  'invalid_key',
  'wrong_type',
  'not_an_integer',
  'below_bound',
  'too_many_operations',
  'nested_too_deep',
  'unknown_attempt',
  'invalid_attempt',
  'wrong_shard',
  'wrong_incarnation',
  'wounded',
  'deadlock',
  'denied',
  'condition_changed',
  'session_lost',
  'expired',
  'overloaded',
  'disk_full',
  'join_broken',
  'transaction_in_progress',
  'invalid_answer',
  'shard_unavailable',
  'gave_up',
  'result_lost',
  'outcome_unknown',
  'transaction_ended',
  'client_closed',
  'called_off',
  'unauthenticated',
] as const;

export const ERROR_CAUSES = [
  'lock_wait',
  'wounded',
  'deadlock',
  'denied',
  'timeout',
  'idle',
  'condition_changed',
  'join_broken',
  'shard_unavailable',
  'session_lost',
  'attempt_lost',
  'wrong_shard',
  'wrong_type',
  'disk_full',
  'overloaded',
  'clock_skew',
  'transaction_in_progress',
] as const;

/** For errors whose cause is not said: of retryable ones the code tells it. */
const CAUSES_OF_CODES: Readonly<Record<string, ErrorCause>> = {
  expired: 'timeout',
  wrong_incarnation: 'session_lost',
  unknown_attempt: 'attempt_lost',
  invalid_attempt: 'attempt_lost',
  result_lost: 'session_lost',
};

const isCause = (text: string): text is ErrorCause => (ERROR_CAUSES as readonly string[]).includes(text);

function causeOf({ code, cause, retryable }: ErrorDetails): ErrorCause | undefined {
  if (cause !== undefined && isCause(cause)) return cause;
  if (retryable !== true && code !== 'result_lost') return undefined;
  return CAUSES_OF_CODES[code] ?? (isCause(code) ? code : undefined);
}

export interface ErrorDetails {
  code: string;
  message: string;
  key?: string | undefined;
  /** the operation refused: "Set.size" */
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
}

/** Without a stack, which would only show how a frame is read, at ten times the cost of all the rest: for what ends attempts. */
export function stacklessError(details: ErrorDetails): ClaretError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new ClaretError(details);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

/** Made of an error: the same, but for what is given. */
export function errorLike(error: ClaretError, changes: Partial<ErrorDetails>): ClaretError {
  const { code, message, key, operation, blockingOperation, blockingLabel, retryable, cause, commitState, retries } = error;
  return stacklessError({
    code,
    message,
    key,
    operation,
    blockingOperation,
    blockingLabel,
    retryable,
    cause,
    commitState,
    retries,
    ...changes,
  });
}

export class ClaretError extends Error {
  readonly code: ErrorCode;
  readonly key: string | undefined;
  readonly operation: string | undefined;
  readonly blockingOperation: string | undefined;
  readonly blockingLabel: string | undefined;
  readonly retryable: boolean;
  /** set where a conflict, or a failure elsewhere, ended the transaction: trying again is then no folly */
  override readonly cause: ErrorCause | undefined;
  readonly commitState: CommitState;
  readonly retries: number;

  constructor(details: ErrorDetails) {
    super(details.message);
    this.name = 'ClaretError';
    this.code = details.code as ErrorCode; // errors.test.ts keeps the list in step with what shards answer
    this.key = details.key || undefined;
    this.operation = details.operation || undefined;
    this.blockingOperation = details.blockingOperation || undefined;
    this.blockingLabel = details.blockingLabel || undefined;
    this.retryable = details.retryable ?? false;
    this.cause = causeOf(details);
    this.commitState = details.commitState ?? 'none';
    this.retries = details.retries ?? 0;
  }
}

/** Codes that arise in the client. Those it shares with a shard have the shard's spelling. */
export const codes = {
  /** an argument that no shard would take */
  outOfRange: 'out_of_range',
  notFinite: 'not_finite',
  invalidUtf8: 'invalid_utf8',
  wrongArgumentType: 'wrong_argument_type',
  wrongArgumentCount: 'wrong_argument_count',
  unknownOperation: 'unknown_operation',
  /** the transaction's operations were used after it had ended */
  transactionEnded: 'transaction_ended',
  /** the client was closed */
  clientClosed: 'client_closed',
  /** whoever wanted the transaction has gone */
  calledOff: 'called_off',
  /** the attempts or the time allowed are used up; `cause` says what stood in the way */
  gaveUp: 'gave_up',
  /** the cluster has a token, and it is not the client's */
  unauthenticated: 'unauthenticated',
  /** the time allowed is over */
  expired: 'expired',
  /** no session with the shard in time */
  shardUnavailable: 'shard_unavailable',
  /** the stream broke while the attempt ran */
  sessionLost: 'session_lost',
  /** committed, but a result was lost with the session; never run the transaction again */
  resultLost: 'result_lost',
  /** the answer to the commit was lost, and nobody could be asked in time */
  outcomeUnknown: 'outcome_unknown',
  /** the clocks of two shards of the transaction are too far apart: no other attempt fares better until somebody sets them right */
  clockSkew: 'clock_skew',
  malformedFrame: 'malformed_frame',
  /** a shard is further behind than the transaction has time left */
  overloaded: 'overloaded',
  diskFull: 'disk_full',
  /** a lock is taken and phasing is off */
  denied: 'denied',
  /** a bad id */
  invalidAttempt: 'invalid_attempt',
  /** what a transaction with an id has returned cannot be kept */
  invalidAnswer: 'invalid_answer',
  /** another attempt of the transaction is under way */
  transactionInProgress: 'transaction_in_progress',
  /** a shared operation that the attempt had joined stands no more */
  joinBroken: 'join_broken',
} as const;

/** As a shard's `Error` comes over the wire. */
export interface WireError {
  code: string;
  message: string;
  key: string;
  operation: string;
  blockingOperation: string;
  blockingLabel: string;
  retryable: boolean;
  cause: string;
}
