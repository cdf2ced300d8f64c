// Every error that a caller of the gateway can meet: one row per stable code, with what it means and how REST and gRPC
// say it. docs/errors.md repeats this table for readers; errors.test.ts keeps the two, and server-core/src/errors.h, in step.
//
// An error is a value: rooms return or throw a `GatewayError`, the two doors (rest/problem.ts, grpc/status.ts) dress it.
import { status as grpcStatus } from '@grpc/grpc-js';

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

export const ERRORS = {
  // ---- The request is wrong, and will be tomorrow. Nothing happened.
  malformed_frame: { ...INVALID, title: 'Malformed frame', meaning: 'The bytes are not a message of the protocol. A Session ends with it.' },
  frame_too_large: { ...INVALID, http: 413, title: 'Frame too large', meaning: 'A frame is over the limit. The Session ends.' },
  unsupported_protocol: { ...REFUSED, http: 400, title: 'Unsupported protocol', meaning: 'The hello names a protocol version that this shard does not speak, or there was no hello.' },
  unknown_type: { ...INVALID, title: 'Unknown type', meaning: 'There is no data type of that name.' },
  unknown_operation: { ...INVALID, title: 'Unknown operation', meaning: 'The data type has no such operation.' },
  wrong_argument_count: { ...INVALID, title: 'Wrong argument count', meaning: 'The operation takes another number of arguments.' },
  wrong_argument_type: { ...INVALID, title: 'Wrong argument type', meaning: 'An argument is not of the kind that the operation takes.' },
  argument_too_large: { ...INVALID, title: 'Argument too large', meaning: 'An argument, or the label, is over its limit.' },
  not_finite: { ...INVALID, title: 'Not finite', meaning: 'A number is NaN or an infinity.' },
  out_of_range: { ...INVALID, http: 422, grpc: 'OUT_OF_RANGE', title: 'Out of range', meaning: 'An integer is beyond 64 bits, a JSON number is beyond 2^53 - 1 (send a string), or the record would leave its range.' },
  invalid_utf8: { ...INVALID, title: 'Invalid UTF-8', meaning: 'A text is not valid UTF-8.' },
  invalid_key: { ...INVALID, title: 'Invalid key', meaning: 'A key is empty or over 1 KiB.' },
  wrong_type: { ...REFUSED, title: 'Wrong type', meaning: 'The record at the key is of another data type.' },
  not_an_integer: { ...REFUSED, title: 'Not an integer', meaning: 'A Dict field that should be incremented holds something else.' },
  too_many_operations: { ...INVALID, title: 'Too many operations', meaning: 'More operations than one request or one transaction may carry.' },
  nested_too_deep: { ...INVALID, title: 'Nested too deep', meaning: 'A value or a JSON document is nested deeper than the limit.' },
  unknown_attempt: { http: 404, grpc: 'NOT_FOUND', retryable: false, title: 'Unknown attempt', meaning: 'The attempt never began here, has ended, or belongs to another session.' },
  invalid_attempt: { ...INVALID, title: 'Invalid attempt', meaning: 'The attempt has a bad id, began twice, or was used after its prepare.' },

  // ---- The request met something that may be gone when it is tried again. Nothing happened.
  wrong_shard: { ...UNAVAILABLE, title: 'Wrong shard', meaning: 'The shard does not own the key: ask for the topology.' },
  wrong_incarnation: { ...CONFLICT, title: 'Shard restarted', meaning: 'The shard has restarted since the attempt began.' },
  wounded: { ...CONFLICT, title: 'Wounded', meaning: 'An older transaction waits for this one, which would have had to wait itself.' },
  deadlock: { ...CONFLICT, title: 'Deadlock', meaning: 'The youngest transaction of a cycle gives way.' },
  denied: { ...CONFLICT, title: 'Denied', meaning: 'A lock is taken, and phasing is off: nobody waits.' },
  condition_changed: { ...CONFLICT, title: 'Conditions changed', meaning: 'The concurrency control was switched while the attempt ran.' },
  session_lost: { ...UNAVAILABLE, title: 'Session lost', meaning: 'The session went silent for longer than its lease, or its stream broke.' },
  expired: { http: 409, grpc: 'FAILED_PRECONDITION', retryable: true, title: 'Expired', meaning: "The attempt's time, or the vote's, is over." },
  overloaded: { ...EXHAUSTED, title: 'Overloaded', meaning: 'A limit on work at once is reached.' },

  // ---- The transaction as a whole, seen from the gateway.
  shard_unavailable: { ...UNAVAILABLE, title: 'Shard unavailable', meaning: 'A shard that the request needs cannot be reached.' },
  gave_up: { ...CONFLICT, title: 'Gave up', meaning: 'The transaction kept losing until its attempts or its time were used up; `cause` says what stood in the way.' },
  result_lost: { http: 500, grpc: 'DATA_LOSS', retryable: false, title: 'Result lost', meaning: 'The transaction is committed, but a result was lost on the way: never send it again. `commit_state` is `applied`.' },
  outcome_unknown: { http: 500, grpc: 'UNKNOWN', retryable: false, title: 'Outcome unknown', meaning: 'The commit was sent, and no shard could say in time what became of it. `commit_state` is `unknown`.' },
  transaction_ended: { ...REFUSED, title: 'Transaction ended', meaning: 'An operation was issued after the end of its transaction.' },
  client_closed: { ...UNAVAILABLE, title: 'Client closed', meaning: 'The client that ran the transaction was closed.' },
  closing: { ...UNAVAILABLE, title: 'Closing', meaning: 'The gateway is shutting down.' },
  internal: { http: 500, grpc: 'INTERNAL', retryable: false, title: 'Internal error', meaning: 'A fault of the gateway. Its log has more.' },

  // ---- REST and unary gRPC only.
  malformed_json: { ...INVALID, title: 'Malformed JSON', meaning: 'The body is not JSON.' },
  invalid_request: { ...INVALID, title: 'Invalid request', meaning: 'A member, parameter or header is missing, or not as the schema at /openapi.json says.' },
  body_too_large: { ...INVALID, http: 413, title: 'Body too large', meaning: 'The request body or unary message is over the limit.' },
  unsupported_media_type: { ...INVALID, http: 415, title: 'Unsupported media type', meaning: 'The body must be application/json.' },
  route_not_found: { http: 404, grpc: 'UNIMPLEMENTED', retryable: false, title: 'Not found', meaning: 'There is no such route or page.' },
  forbidden_origin: { http: 403, grpc: 'PERMISSION_DENIED', retryable: false, title: 'Forbidden origin', meaning: 'A browser sent this from a page of another origin.' },
  unknown_transaction: { http: 404, grpc: 'NOT_FOUND', retryable: false, title: 'Unknown transaction', meaning: 'No interactive transaction is open under that id: it never was, has ended, or has expired.' },
  too_many_transactions: { ...EXHAUSTED, title: 'Too many transactions', meaning: 'As many interactive transactions are open as this gateway allows at once.' },
  invalid_idempotency_key: { ...INVALID, title: 'Invalid idempotency key', meaning: 'The Idempotency-Key header is not a string of 1 to 255 visible characters.' },
  idempotency_key_reused: { ...INVALID, http: 422, title: 'Idempotency key reused', meaning: 'The key was used before with another payload.' },
  idempotency_key_in_progress: { http: 409, grpc: 'ABORTED', retryable: true, title: 'Idempotency key in progress', meaning: 'The first request with this key is still running.' },
  idempotency_table_full: { ...EXHAUSTED, title: 'Idempotency table full', meaning: 'The gateway remembers as many keys as it may; keys are forgotten as their lifetime ends.' },
  conditions_partial: { ...UNAVAILABLE, title: 'Conditions not set everywhere', meaning: 'Some shards could not be told the new conditions; `shards` says which. Ask again.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** What became of the transaction: nothing happened, it is committed, or nobody knows. */
export type CommitState = 'none' | 'applied' | 'unknown';

export interface ErrorDetail {
  key?: string | undefined;
  /** "Set.add" */
  operation?: string | undefined;
  blockingOperation?: string | undefined;
  blockingLabel?: string | undefined;
  cause?: string | undefined;
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

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** How long to wait before trying again, where that makes sense. */
export const RETRY_DELAY_MS = 1000;
