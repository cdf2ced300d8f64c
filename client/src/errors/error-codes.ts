// The codes and causes of errors: a shard's, which are generated, and the client's own. docs/errors.md explains each.

import { SHARD_ERROR_CAUSES, SHARD_ERROR_CODES } from './shard-errors.ts';

/** Every code that an error can carry. */
export const ERROR_CODES = [
  ...SHARD_ERROR_CODES,
  'shard_unavailable',
  'gave_up',
  'result_lost',
  'not_write_only',
  'outcome_unknown',
  'transaction_ended',
  'client_closed',
  'called_off',
  'unauthenticated',
  'impure_computation',
  'computation_too_deep',
  'invalid_value',
] as const;

/** Every cause that an error can carry. */
export const ERROR_CAUSES = [...SHARD_ERROR_CAUSES, 'shard_unavailable', 'attempt_lost', 'wrong_type'] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The code of a refusal by an installed type: "SeatMap.taken". It is never worth a retry. */
export type RefusalCode = `${string}.${string}`;

/** The reason why a transaction could not go on. */
export type ErrorCause = (typeof ERROR_CAUSES)[number];

/** The codes that the client raises or looks for. A code that it shares with a shard has the shard's spelling. */
export const codes = {
  /** The argument is one that no shard would take. */
  outOfRange: 'out_of_range',
  notFinite: 'not_finite',
  invalidUtf8: 'invalid_utf8',
  wrongArgumentType: 'wrong_argument_type',
  wrongArgumentCount: 'wrong_argument_count',
  unknownOperation: 'unknown_operation',
  /** An operation was issued after the end of its transaction. */
  transactionEnded: 'transaction_ended',
  /** The client was closed. */
  clientClosed: 'client_closed',
  /** The scope of the transaction was called off. */
  calledOff: 'called_off',
  /** The attempts or the time allowed are used up. `cause` gives the reason. */
  gaveUp: 'gave_up',
  /** The cluster has a token, and it is not the client's. */
  unauthenticated: 'unauthenticated',
  /** The time allowed is over. */
  expired: 'expired',
  /** There was no session with the shard in time. */
  shardUnavailable: 'shard_unavailable',
  /** The stream broke while the attempt ran. */
  sessionLost: 'session_lost',
  /** The transaction is committed, but a result was lost with the session. It must not be run again. */
  resultLost: 'result_lost',
  /** The answer to the commit was lost, and no shard could be asked in time. */
  outcomeUnknown: 'outcome_unknown',
  /** The clocks of two shards of the transaction are too far apart. A retry fails too until an operator sets them right. */
  clockSkew: 'clock_skew',
  malformedFrame: 'malformed_frame',
  /** A shard is further behind than the transaction has time left. */
  overloaded: 'overloaded',
  diskFull: 'disk_full',
  /** Too few machines of a shard's replicated log can be reached. */
  logUnavailable: 'log_unavailable',
  /** A lock is taken and phasing is off. */
  denied: 'denied',
  /** The id of the attempt or the transaction is not well formed. */
  invalidAttempt: 'invalid_attempt',
  /** The result of a transaction with an id cannot be kept. */
  invalidAnswer: 'invalid_answer',
  /** Another attempt of the transaction is under way. */
  transactionInProgress: 'transaction_in_progress',
  /** A native operation changed a record on which the attempt relied. */
  nativeConflict: 'native_conflict',
  /** The cluster's conditions were switched meanwhile. */
  conditionChanged: 'condition_changed',
  /** What a session had sent whole was undone, with what stood on it. */
  chainBroken: 'chain_broken',
  /** A result that the attempt relied on is another one now, or may be. */
  warrantyChanged: 'warranty_changed',
  warrantyOver: 'warranty_over',
  /** No epoch has taken the transaction in time. */
  epochMissed: 'epoch_missed',
  /** A computation does what it must not do, or gives another value on the same results. */
  impureComputation: 'impure_computation',
  /** Computations call each other for ever, or nearly so. */
  computationTooDeep: 'computation_too_deep',
  /** The value or an argument of a computation cannot be kept. */
  invalidValue: 'invalid_value',
  /** Only what observes can be asked of the past, and be in a list that only reads. */
  notReadOnly: 'not_read_only',
  /** A list that only writes has an operation that answers. */
  notWriteOnly: 'not_write_only',
  /** A shard does not keep what the record was at that time. */
  historyGone: 'history_gone',
  /** A snapshot may have been taken before something that its transaction has to see. */
  snapshotBehind: 'snapshot_behind',
  /** A snapshot transaction changes what has been changed since its snapshot. */
  snapshotConflict: 'snapshot_conflict',
  /** The shard no longer owns the key. */
  wrongShard: 'wrong_shard',
} as const satisfies Record<string, ErrorCode>;
