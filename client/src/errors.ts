// ClaretError: the one error that leaves this client. Codes are stable: a shard's own are passed through, those that
// arise here are listed below.

/** What is known of the transaction's effects: none happened, all happened, or nobody could be asked in time. */
export type CommitState = 'none' | 'applied' | 'unknown';

export interface ErrorDetails {
  code: string;
  message: string;
  key?: string;
  /** the operation refused: "Set.size" */
  operation?: string;
  /** the operation it met, and the label of the transaction that issued that one */
  blockingOperation?: string;
  blockingLabel?: string;
  /** the same request may succeed later */
  retryable?: boolean;
  cause?: string;
  commitState?: CommitState;
  /** attempts that ended before this one */
  retries?: number;
}

export class ClaretError extends Error {
  readonly code: string;
  readonly key: string | undefined;
  readonly operation: string | undefined;
  readonly blockingOperation: string | undefined;
  readonly blockingLabel: string | undefined;
  readonly retryable: boolean;
  /** lock_wait, wounded, denied, timeout, ...; for `gave_up` the code of the last failure */
  override readonly cause: string | undefined;
  readonly commitState: CommitState;
  readonly retries: number;

  constructor(details: ErrorDetails) {
    super(details.message);
    this.name = 'ClaretError';
    this.code = details.code;
    this.key = details.key || undefined;
    this.operation = details.operation || undefined;
    this.blockingOperation = details.blockingOperation || undefined;
    this.blockingLabel = details.blockingLabel || undefined;
    this.retryable = details.retryable ?? false;
    this.cause = details.cause || undefined;
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
  /** the attempts or the time allowed are used up; `cause` says what stood in the way */
  gaveUp: 'gave_up',
  /** no session with the shard in time */
  shardUnavailable: 'shard_unavailable',
  /** the stream broke while the attempt ran */
  sessionLost: 'session_lost',
  /** committed, but a result was lost with the session; never run the transaction again */
  resultLost: 'result_lost',
  /** the answer to the commit was lost, and nobody could be asked in time */
  outcomeUnknown: 'outcome_unknown',
  malformedFrame: 'malformed_frame',
  /** a lock is taken and phasing is off */
  denied: 'denied',
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
