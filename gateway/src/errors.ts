// Every error that a caller of the gateway can meet: one row per stable code, with what it means and how REST and gRPC
// say it. docs/errors.md repeats this table for readers; errors.test.ts keeps the two, and server-core/src/errors.h, in step.
//
// An error is a value: rooms return or throw a `GatewayError`, the two doors (rest/problem.ts, grpc/status.ts) dress it.
import type { CommitState, ErrorCause } from '@claret/client';
import type { status as grpcStatus } from '@grpc/grpc-js';

export interface ErrorRow {
  http: number;
  grpc: keyof typeof grpcStatus;
  /** short, the same for every occurrence */
  title: string;
  /** one sentence for docs/errors.md */
  meaning: string;
  /** the same request may succeed later */
  retryable: boolean;
}

const INVALID = { http: 400, grpc: 'INVALID_ARGUMENT', retryable: false } as const;
const CONFLICT = { http: 409, grpc: 'ABORTED', retryable: true } as const;
const REFUSED = { http: 409, grpc: 'FAILED_PRECONDITION', retryable: false } as const;
const UNAVAILABLE = { http: 503, grpc: 'UNAVAILABLE', retryable: true } as const;
const EXHAUSTED = { http: 429, grpc: 'RESOURCE_EXHAUSTED', retryable: true } as const;

const row = (kind: Omit<ErrorRow, 'title' | 'meaning'>, title: string, meaning: string): ErrorRow => ({ ...kind, title, meaning });

export const ERRORS = {
  // ---- The request is wrong, and will be tomorrow. Nothing happened.
  malformed_frame: row(INVALID, 'Malformed frame',
    'The bytes are not a message of the protocol. A Session ends with it.'),
  frame_too_large: row({ ...INVALID, http: 413 }, 'Frame too large',
    'A frame is over the limit. The Session ends.'),
  unsupported_protocol: row({ ...REFUSED, http: 400 }, 'Unsupported protocol',
    'The hello names a protocol version that this shard does not speak, or there was no hello.'),
  clock_skew: row(INVALID, 'Clock skew',
    "A timestamp is too far ahead of the shard's clock. The Session ends."),
  unknown_type: row(INVALID, 'Unknown type',
    'There is no data type of that name.'),
  unknown_operation: row(INVALID, 'Unknown operation',
    'The data type has no such operation.'),
  wrong_argument_count: row(INVALID, 'Wrong argument count',
    'The operation takes another number of arguments.'),
  wrong_argument_type: row(INVALID, 'Wrong argument type',
    'An argument is not of the kind that the operation takes.'),
  argument_too_large: row(INVALID, 'Argument too large',
    'An argument, or the label, is over its limit.'),
  not_finite: row(INVALID, 'Not finite',
    'A number is NaN or an infinity.'),
  out_of_range: row({ ...INVALID, http: 422, grpc: 'OUT_OF_RANGE' }, 'Out of range',
    'An integer is beyond 64 bits, a JSON number is beyond 2^53 - 1 (send a string), or the record would leave its range.'),
  below_bound: row(REFUSED, 'Below bound',
    'A BoundedCounter does not hold as much as a required decrement takes.'),
  invalid_utf8: row(INVALID, 'Invalid UTF-8',
    'A text is not valid UTF-8.'),
  invalid_key: row(INVALID, 'Invalid key',
    'A key is empty or over 1 KiB.'),
  wrong_type: row(REFUSED, 'Wrong type',
    'The record at the key is of another data type.'),
  not_an_integer: row(REFUSED, 'Not an integer',
    'A Dict field that should be incremented holds something else.'),
  too_many_operations: row(INVALID, 'Too many operations',
    'More operations than one request or one transaction may carry.'),
  nested_too_deep: row(INVALID, 'Nested too deep',
    'A value or a JSON document is nested deeper than the limit.'),
  unknown_attempt: row({ http: 404, grpc: 'NOT_FOUND', retryable: false }, 'Unknown attempt',
    'The attempt never began here, has ended, or belongs to another session.'),
  invalid_attempt: row(INVALID, 'Invalid attempt',
    'The attempt has a bad id, began twice, or was used after its prepare.'),

  invalid_answer: row({ ...INVALID, http: 422 }, 'Invalid answer',
    'The result of a transaction with an id is not JSON, or has more than 64 KiB of it: it cannot be kept.'),

  // ---- The request met something that may be gone when it is tried again. Nothing happened.
  wrong_shard: row(UNAVAILABLE, 'Wrong shard',
    'The shard does not own the key: ask for the topology.'),
  wrong_incarnation: row(CONFLICT, 'Shard restarted',
    'The shard has restarted since the attempt began.'),
  wounded: row(CONFLICT, 'Wounded',
    'An older transaction waits for this one, which would have had to wait itself.'),
  deadlock: row(CONFLICT, 'Deadlock',
    'The youngest transaction of a cycle gives way.'),
  denied: row(CONFLICT, 'Denied',
    'A lock is taken, and phasing is off: nobody waits.'),
  join_broken: row(CONFLICT, 'Join broken',
    'The transaction had joined an operation that its app server no longer holds.'),
  condition_changed: row(CONFLICT, 'Conditions changed',
    'The concurrency control was switched while the attempt ran.'),
  session_lost: row(UNAVAILABLE, 'Session lost',
    'The session went silent for longer than its lease, or its stream broke.'),
  expired: row({ http: 409, grpc: 'FAILED_PRECONDITION', retryable: true }, 'Expired',
    "The attempt's time, or the vote's, is over."),
  overloaded: row(EXHAUSTED, 'Overloaded',
    'A limit on work at once, or on what is remembered, is reached.'),
  transaction_in_progress: row(CONFLICT, 'Transaction in progress',
    'Another attempt of the transaction of this id is under way.'),
  disk_full: row({ ...EXHAUSTED, http: 507 }, 'Disk full',
    "A shard's disk is full: until there is room it changes nothing, and shows nothing that could still be lost. Other reads go on."),

  // ---- The transaction as a whole, seen from the gateway.
  shard_unavailable: row(UNAVAILABLE, 'Shard unavailable',
    'A shard that the request needs cannot be reached. To change the conditions it needs all (`shards`).'),
  gave_up: row(CONFLICT, 'Gave up',
    'The transaction kept losing until its attempts or its time were used up; `cause` says what stood in the way.'),
  result_lost: row({ http: 500, grpc: 'DATA_LOSS', retryable: false }, 'Result lost',
    'The transaction is committed, but a result was lost on the way: never send it again. `commit_state` is `applied`.'),
  outcome_unknown: row({ http: 500, grpc: 'UNKNOWN', retryable: false }, 'Outcome unknown',
    'The commit was sent, and no shard could say in time what became of it. `commit_state` is `unknown`.'),
  transaction_ended: row(REFUSED, 'Transaction ended',
    'An operation was issued after the end of its transaction.'),
  client_closed: row(UNAVAILABLE, 'Client closed',
    'The client that ran the transaction was closed.'),
  called_off: row({ http: 409, grpc: 'CANCELLED', retryable: false }, 'Called off',
    'Whoever began the transaction did not wait for it, and it was not decided yet.'),
  closing: row(UNAVAILABLE, 'Closing',
    'The gateway is shutting down.'),
  recovering: row(UNAVAILABLE, 'Recovering',
    'The gateway is starting: its shard is being restored from its log. `/readyz` says how far it is.'),
  internal: row({ http: 500, grpc: 'INTERNAL', retryable: false }, 'Internal error',
    'A fault of the gateway. Its log has more.'),

  // ---- REST and unary gRPC only.
  malformed_json: row(INVALID, 'Malformed JSON',
    'The body is not JSON.'),
  invalid_request: row(INVALID, 'Invalid request',
    'A member, parameter or header is missing, or not as the schema at /openapi.json says.'),
  body_too_large: row({ ...INVALID, http: 413 }, 'Body too large',
    'The request body or unary message is over the limit.'),
  unsupported_media_type: row({ ...INVALID, http: 415 }, 'Unsupported media type',
    'The body must be application/json; calls under /v1/admin name it even where there is none.'),
  route_not_found: row({ http: 404, grpc: 'UNIMPLEMENTED', retryable: false }, 'Not found',
    'There is no such route or page.'),
  unauthenticated: row({ http: 401, grpc: 'UNAUTHENTICATED', retryable: false }, 'Unauthenticated',
    'The cluster has a token, and the call came without it or with another one: `authorization: Bearer …`.'),
  forbidden_origin: row({ http: 403, grpc: 'PERMISSION_DENIED', retryable: false }, 'Forbidden origin',
    'A browser sent this from a page of another origin.'),
  unknown_transaction: row({ http: 404, grpc: 'NOT_FOUND', retryable: false }, 'Unknown transaction',
    'No interactive transaction is open under that id: it never was, has ended, or has expired.'),
  too_many_transactions: row(EXHAUSTED, 'Too many transactions',
    'As many interactive transactions are open as this gateway allows at once.'),
  too_many_viewers: row(UNAVAILABLE, 'Too many viewers',
    'As many watch the cluster through this gateway as it allows at once.'),
  invalid_idempotency_key: row(INVALID, 'Invalid idempotency key',
    'The Idempotency-Key header is not a string of 1 to 255 visible characters.'),
  idempotency_key_reused: row({ ...INVALID, http: 422 }, 'Idempotency key reused',
    'The key was used before with another payload.'),
  idempotency_key_in_progress: row({ http: 409, grpc: 'ABORTED', retryable: true }, 'Idempotency key in progress',
    'The first request with this key is still running.'),
  no_log: row(REFUSED, 'No log',
    'The cluster runs with durability none: nothing is kept that could be backed up.'),
  backup_running: row({ http: 409, grpc: 'FAILED_PRECONDITION', retryable: true }, 'Backup running',
    'A backup is being made already; a shard takes part in one at a time.'),
  laboratory_closed: row({ http: 403, grpc: 'PERMISSION_DENIED', retryable: false }, 'Laboratory closed',
    'This gateway was started without a `spikeDriver`: no spikes are run here.'),
  spike_running: row({ http: 409, grpc: 'FAILED_PRECONDITION', retryable: true }, 'Spike running',
    'A spike is running at this gateway already, and there is one at a time.'),
  conditions_partial: row(UNAVAILABLE, 'Conditions not set everywhere',
    'A shard did not confirm the new conditions; all others have them, and it follows once it can be reached. `shards` says which.'),
};

export type ErrorCode = keyof typeof ERRORS;

/** What stood in a transaction's way: `cause`, and what `key`, `operation`, `blocking_operation` and `blocking_label` say then. */
export const CAUSES: Record<ErrorCause, { meaning: string; names: string }> = {
  lock_wait: {
    meaning: 'The time allowed ended while an operation waited for a lock.',
    names: 'the lock; the operation that waited; the operation that held it, or waited in front, and its transaction',
  },
  wounded: {
    meaning: 'An older transaction waited for this one, which would have had to wait itself or did not end.',
    names: "where it would have waited, and whom for; or what it held, and the older one's operation and transaction",
  },
  deadlock: {
    meaning: 'It waited for another that waited for it, and was the youngest of them.',
    names: 'where it waited; the two operations that met there; the transaction that it waited for',
  },
  denied: {
    meaning: 'Phasing is off and a lock was taken each time it was asked for.',
    names: 'the lock; the operation denied; the operation that held it, and its transaction',
  },
  timeout: {
    meaning: 'The time allowed ended, and no lock was waited for.',
    names: 'the first operation that had no answer, if there was one',
  },
  idle: {
    meaning: 'Another transaction waited for this one, which said nothing for `idleMs`.',
    names: 'what it held; the operation that waited for it, and its transaction',
  },
  condition_changed: {
    meaning: 'The conditions were switched to or from `none` while it ran.',
    names: 'nothing: the whole shard was emptied',
  },
  join_broken: {
    meaning: 'An operation that it shared with others of its app server no longer stood.',
    names: 'the record, where the shard still knows it',
  },
  shard_unavailable: {
    meaning: 'There was no session with a shard in time.',
    names: 'the first operation for that shard',
  },
  session_lost: {
    meaning: 'A stream broke, or a shard restarted, and what was held there is gone.',
    names: 'the first operation that had no answer, if there was one',
  },
  attempt_lost: {
    meaning: 'A shard does not know the attempt any more, or lacks some of what was sent: messages were lost or came late.',
    names: 'nothing',
  },
  wrong_shard: {
    meaning: 'The key moved to another shard.',
    names: 'the operation refused',
  },
  wrong_type: {
    meaning: 'Another transaction is about to make a record of another type there.',
    names: 'the operation refused',
  },
  disk_full: {
    meaning: "A shard's disk is full, and nothing can be made durable there.",
    names: 'the operation refused, where one was',
  },
  overloaded: {
    meaning: 'A limit on work at once was reached.',
    names: 'nothing',
  },
  transaction_in_progress: {
    meaning: 'Somebody else ran the transaction of the same id all the time; that may yet commit.',
    names: 'nothing',
  },
  clock_skew: {
    meaning: "It only read, over several shards, and their clocks were more than 5 s apart: one had just restarted.",
    names: 'nothing',
  },
};

export interface ErrorDetail {
  key?: string | undefined;
  /** "Set.add" */
  operation?: string | undefined;
  blockingOperation?: string | undefined;
  blockingLabel?: string | undefined;
  cause?: ErrorCause | undefined;
  commitState?: CommitState | undefined;
  /** how many attempts of the transaction failed before */
  retries?: number | undefined;
  /** overrides the code's row, when the shard knows better */
  retryable?: boolean | undefined;
  /** further members of the problem document, named as they appear there */
  extra?: Record<string, unknown> | undefined;
}

export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message);
    this.name = 'GatewayError';
    this.code = code;
    this.detail = detail;
  }

  get row(): ErrorRow {
    return ERRORS[this.code];
  }

  get retryable(): boolean {
    return this.detail.retryable ?? this.row.retryable;
  }
}

/** Of what is safe to send again: refused without a look at its home, it may have been done when it was sent before. */
export function perhapsDoneBefore(error: GatewayError): GatewayError {
  if (!error.retryable || error.detail.commitState !== undefined) return error;
  return new GatewayError(error.code, error.message, { ...error.detail, commitState: 'unknown' });
}

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** How long to wait before trying again, where that makes sense. */
export const RETRY_DELAY_MS = 1000;
