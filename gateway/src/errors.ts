// Every error that a caller of the gateway can get: one row for each stable code, with its meaning and its REST and gRPC statuses.
// docs/errors.md repeats this table for readers; errors.test.ts keeps the two and server-core/src/ground/errors.h consistent.
//
// Code throws a `GatewayError`; rest/problem.ts and grpc/status.ts encode it for the protocol.
import { KEY_BYTES_MAX, type CommitState, type ErrorCause } from '@claret/client';
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
  // ---- The request itself is wrong, so a retry fails too. Nothing happened.
  malformed_frame: row(
    INVALID,
    'Malformed frame',
    'The bytes are not a message of the protocol. On a Session stream this ends the session.',
  ),
  frame_too_large: row({ ...INVALID, http: 413 }, 'Frame too large', 'A frame exceeds the size limit. The session ends.'),
  unsupported_protocol: row(
    { ...REFUSED, http: 400 },
    'Unsupported protocol',
    'The hello names an unsupported protocol version, or there was no hello.',
  ),
  unknown_type: row(INVALID, 'Unknown type', 'No data type has that name.'),
  unknown_operation: row(INVALID, 'Unknown operation', 'The data type has no such operation.'),
  wrong_argument_count: row(INVALID, 'Wrong argument count', 'The number of arguments is not the one that the operation takes.'),
  wrong_argument_type: row(INVALID, 'Wrong argument type', 'An argument is not of the kind that the operation takes.'),
  argument_too_large: row(
    INVALID,
    'Argument too large',
    'An argument, the texts of all arguments together, or the label exceed a size limit.',
  ),
  not_finite: row(INVALID, 'Not finite', 'A number is NaN or infinite.'),
  out_of_range: row(
    { ...INVALID, http: 422, grpc: 'OUT_OF_RANGE' },
    'Out of range',
    'An integer exceeds 64 bits, an integer in JSON exceeds 2^53 - 1 (send a string), a number exceeds a double, or the record would leave its range.',
  ),
  below_bound: row(REFUSED, 'Below bound', 'A BoundedCounter holds less than a required decrement takes.'),
  record_too_large: row(REFUSED, 'Record too large', 'The record of an installed type would exceed 1 MiB, or the value of a field 64 KiB.'),
  expectation_failed: row(
    { ...CONFLICT, retryable: false },
    'Expectation failed',
    'An operation has another result than the request expects; `unmet` says which one, and the result. Nothing happened: decide again on that result.',
  ),
  reads_own_change: row(
    REFUSED,
    'Reads own change',
    'An operation of an installed type would have to see what its own transaction changes in the record, and cannot. Commit the change first.',
  ),
  too_many_steps: row(REFUSED, 'Too many steps', 'An operation of an installed type would take more than 100,000 steps.'),
  record_quarantined: row(
    REFUSED,
    'Record quarantined',
    'A change of the value has failed when it was committed, because the installed type claims more than is true. The record can be deleted.',
  ),
  type_retired: row(
    REFUSED,
    'Type retired',
    'The data type is retired: its operations are refused, and its records can be deleted. Installed again, it is back.',
  ),
  invalid_utf8: row(INVALID, 'Invalid UTF-8', 'A text is not valid UTF-8.'),
  invalid_key: row(INVALID, 'Invalid key', 'A key is empty or over 1 KiB.'),
  wrong_type: row(
    REFUSED,
    'Wrong type',
    'The record at the key is of another data type. An empty register, set, dict, ranking or list has none.',
  ),
  not_an_integer: row(REFUSED, 'Not an integer', 'A Dict field to increment does not hold an integer.'),
  too_many_operations: row(INVALID, 'Too many operations', 'The call, the request or the transaction has more operations than allowed.'),
  nested_too_deep: row(INVALID, 'Nested too deep', 'A value or a JSON document is nested too deeply.'),
  unknown_attempt: row(
    { http: 404, grpc: 'NOT_FOUND', retryable: false },
    'Unknown attempt',
    'The attempt never began here, has ended, or belongs to another session.',
  ),
  invalid_attempt: row(INVALID, 'Invalid attempt', 'The attempt has a bad id, began twice, or was used after its prepare.'),

  invalid_answer: row(
    { ...INVALID, http: 422 },
    'Invalid answer',
    'The result of a transaction with an id is not JSON, or exceeds 64 KiB, so it cannot be kept.',
  ),

  not_read_only: row(INVALID, 'Not read-only', 'Only an operation that observes can be asked of the past.'),
  history_gone: row(
    { http: 410, grpc: 'OUT_OF_RANGE', retryable: false },
    'History gone',
    'What the record was at that time is not known any more: it has changed since, and the gateway keeps changes for `pastMs` and up to `pastBytes`, from its start on.',
  ),

  invalid_move: row(REFUSED, 'Invalid move', 'These slots cannot move like this: the giver does not own them, or the pieces do not fit.'),
  unknown_move: row({ http: 404, grpc: 'NOT_FOUND', retryable: false }, 'Unknown move', 'No such move of slots is under way here.'),
  move_given: row(REFUSED, 'Move given', 'The slots of the move are given already, so it cannot be called off: it is being completed.'),

  // ---- Temporary conditions: a retry may succeed. Nothing happened.
  move_in_progress: row(
    CONFLICT,
    'Move in progress',
    'The shard gives or takes other slots at present, or removes what an earlier move left.',
  ),
  move_not_ready: row(CONFLICT, 'Move not ready', 'An earlier step of the move is not over.'),
  cut_in_progress: row(CONFLICT, 'Cut in progress', 'A backup is about to cut the log, and slots are not handed over meanwhile.'),
  wrong_shard: row(UNAVAILABLE, 'Wrong shard', 'The shard does not own the key. Read the topology again.'),
  wrong_incarnation: row(CONFLICT, 'Shard restarted', 'The shard restarted after the attempt began.'),
  wounded: row(CONFLICT, 'Wounded', 'An older transaction waits for this one, which would have had to wait as well.'),
  deadlock: row(CONFLICT, 'Deadlock', 'Transactions waited for each other in a cycle, and this one was the youngest.'),
  denied: row(CONFLICT, 'Denied', 'A lock is held, and nobody waits for it: phasing is off, or the transaction was sent in a chain.'),
  chain_broken: row(
    CONFLICT,
    'Chain broken',
    'The chain in which the client had sent the transaction was undone, with all that was undecided in it.',
  ),
  condition_changed: row(CONFLICT, 'Conditions changed', 'The conditions, or the version of a type, were switched while the attempt ran.'),
  session_lost: row(UNAVAILABLE, 'Session lost', 'The session was silent for longer than its lease, or its stream broke.'),
  expired: row(
    { http: 409, grpc: 'FAILED_PRECONDITION', retryable: true },
    'Expired',
    'The time limit of the attempt, of its vote or of the native operation has passed.',
  ),
  overloaded: row(EXHAUSTED, 'Overloaded', 'A limit on concurrent work, or on remembered answers, is reached.'),
  transaction_in_progress: row(CONFLICT, 'Transaction in progress', 'Another attempt of the transaction with this id is running.'),
  snapshot_behind: row(
    CONFLICT,
    'Snapshot behind',
    'The snapshot may leave out something that was acknowledged before its transaction began. The client takes a later one.',
  ),
  snapshot_conflict: row(
    CONFLICT,
    'Snapshot conflict',
    'What a snapshot transaction changes has been changed since its snapshot, by an operation that does not commute with its own; or the gateway does not keep what has changed since.',
  ),
  warranty_changed: row(
    CONFLICT,
    'Warranty changed',
    'A result on which the attempt relied, by a warranty or a guess, is another one now.',
  ),
  warranty_over: row(CONFLICT, 'Warranty over', 'A warranty on which the attempt relied was over before all shards had voted.'),
  epoch_missed: row(
    CONFLICT,
    'Epoch missed',
    'No epoch has taken the list of operations in time. The client tries again, in an epoch or by locks.',
  ),
  native_conflict: row(CONFLICT, 'Native conflict', 'A native operation changed a record on which the attempt relied.'),
  clock_skew: row(
    UNAVAILABLE,
    'Clock skew',
    'The clocks of two shards of the transaction are too far apart. Nothing happened; the same request succeeds once the clocks are set right.',
  ),
  disk_full: row(
    { ...EXHAUSTED, http: 507 },
    'Disk full',
    'The disk of a shard is full. Until there is room, changes are refused, and so are reads of changes that are not yet durable. Other reads continue.',
  ),
  log_unavailable: row(
    UNAVAILABLE,
    'Log unavailable',
    'Too few machines of the replicated log of a shard can be reached. Until they are back, changes are refused, and so are reads of changes that are not yet durable. Other reads continue.',
  ),

  // ---- The transaction as a whole, seen from the gateway.
  shard_unavailable: row(
    UNAVAILABLE,
    'Shard unavailable',
    'A shard that the request needs cannot be reached. A change of conditions needs all shards; `shards` says which are missing.',
  ),
  gave_up: row(CONFLICT, 'Gave up', 'The transaction lost until it ran out of attempts or time. `cause` says why.'),
  not_write_only: row(INVALID, 'Not write-only', 'A list that is to write only has an operation with a result.'),
  result_lost: row(
    { http: 500, grpc: 'DATA_LOSS', retryable: false },
    'Result lost',
    'The transaction is committed, but a result was lost on the way. Do not send it again. `commit_state` is `applied`.',
  ),
  outcome_unknown: row(
    { http: 500, grpc: 'UNKNOWN', retryable: false },
    'Outcome unknown',
    'The commit or the native operation was sent, and no shard could tell its outcome in time. `commit_state` is `unknown`.',
  ),
  transaction_ended: row(REFUSED, 'Transaction ended', 'An operation was issued after the end of its transaction.'),
  client_closed: row(UNAVAILABLE, 'Client closed', 'The client that ran the transaction was closed.'),
  called_off: row(
    { http: 409, grpc: 'CANCELLED', retryable: false },
    'Called off',
    'The caller went away before the transaction was decided.',
  ),
  impure_computation: row(
    REFUSED,
    'Impure computation',
    'A computation of a client changes a record, asks for time or chance, or gives two values for the same results.',
  ),
  computation_too_deep: row(
    REFUSED,
    'Computation too deep',
    'Computations of a client call each other more than 32 deep, or one needs its own value.',
  ),
  invalid_value: row(
    { ...INVALID, http: 422 },
    'Invalid value',
    'An argument or the value of a computation is not JSON, so it cannot be kept.',
  ),
  closing: row(UNAVAILABLE, 'Closing', 'The gateway is shutting down.'),
  recovering: row(UNAVAILABLE, 'Recovering', 'The gateway is starting and restores its shard from the log. `/readyz` shows the progress.'),
  internal: row({ http: 500, grpc: 'INTERNAL', retryable: false }, 'Internal error', 'A fault in the gateway. Its log has the details.'),

  // ---- REST and unary gRPC only.
  malformed_json: row(INVALID, 'Malformed JSON', 'The body is not JSON.'),
  invalid_request: row(
    INVALID,
    'Invalid request',
    'A member, parameter or header is missing or does not match the schema at /openapi.json.',
  ),
  body_too_large: row({ ...INVALID, http: 413 }, 'Body too large', 'The request body or unary message exceeds the size limit.'),
  unsupported_media_type: row(
    { ...INVALID, http: 415 },
    'Unsupported media type',
    'The body must be application/json. Calls under /v1/admin need this header even without a body.',
  ),
  method_not_allowed: row(
    { http: 405, grpc: 'UNIMPLEMENTED', retryable: false },
    'Method not allowed',
    'The path exists, but not with this method. `Allow` has those that it takes.',
  ),
  route_not_found: row({ http: 404, grpc: 'UNIMPLEMENTED', retryable: false }, 'Not found', 'This route or page does not exist.'),
  unauthenticated: row(
    { http: 401, grpc: 'UNAUTHENTICATED', retryable: false },
    'Unauthenticated',
    'The cluster has a token, and the call carried none or a wrong one: `authorization: Bearer …`.',
  ),
  forbidden_origin: row(
    { http: 403, grpc: 'PERMISSION_DENIED', retryable: false },
    'Forbidden origin',
    'A browser sent this request from a page of another origin.',
  ),
  unknown_transaction: row(
    { http: 404, grpc: 'NOT_FOUND', retryable: false },
    'Unknown transaction',
    'No interactive transaction is open under that id at this gateway: it has ended or expired, or another gateway began it.',
  ),
  too_many_transactions: row(EXHAUSTED, 'Too many transactions', 'This gateway allows no more open interactive transactions.'),
  too_many_viewers: row(UNAVAILABLE, 'Too many viewers', 'This gateway allows no more viewers of the telemetry.'),
  invalid_idempotency_key: row(
    INVALID,
    'Invalid idempotency key',
    'The Idempotency-Key header must be a string of 1 to 255 visible characters.',
  ),
  idempotency_key_reused: row({ ...INVALID, http: 422 }, 'Idempotency key reused', 'The key was used before with another payload.'),
  idempotency_key_in_progress: row(
    { http: 409, grpc: 'ABORTED', retryable: true },
    'Idempotency key in progress',
    'The first request with this key is still running.',
  ),
  invalid_definition: row(INVALID, 'Invalid definition', 'The text is not the definition of a data type. The message says what is wrong.'),
  type_broken: row(
    { ...INVALID, http: 422 },
    'Type broken',
    'The data type breaks a law, so it is not installed. `report.failure` has the least history that was found.',
  ),
  type_untried: row(
    { ...INVALID, http: 422 },
    'Type untried',
    'The laws could not be tried on the data type within the limits of time and memory, so it is not installed.',
  ),
  type_conflict: row(
    REFUSED,
    'Type conflict',
    'The data type does not go with what is installed: an equal or later version is there, the new one does not keep its fields and operations, or no id is left.',
  ),
  type_not_installed: row(
    { http: 404, grpc: 'NOT_FOUND', retryable: false },
    'Type not installed',
    'No data type of that name is installed.',
  ),
  types_partial: row(
    UNAVAILABLE,
    'Types not changed everywhere',
    'A shard did not confirm the change of a data type. The change stands, and the shard follows once it can be reached. `shards` says which.',
  ),
  no_log: row(REFUSED, 'No log', 'The cluster runs with durability none, so there is nothing to back up.'),
  backup_running: row(
    { http: 409, grpc: 'FAILED_PRECONDITION', retryable: true },
    'Backup running',
    'Another backup is running; a shard takes part in one at a time.',
  ),
  laboratory_closed: row(
    { http: 403, grpc: 'PERMISSION_DENIED', retryable: false },
    'Laboratory closed',
    'This gateway was started without a `spikeDriver`, so it runs no load spikes.',
  ),
  no_history: row(
    { http: 404, grpc: 'NOT_FOUND', retryable: false },
    'No history',
    'This gateway keeps no telemetry of the past: it serves no dashboard, or `pastMs` is 0.',
  ),
  spike_running: row(
    { http: 409, grpc: 'FAILED_PRECONDITION', retryable: true },
    'Spike running',
    'A load spike is already running at this gateway; it runs one at a time.',
  ),
  kill_refused: row(
    { http: 409, grpc: 'FAILED_PRECONDITION', retryable: true },
    'Kill refused',
    'No launcher would start the process of the shard again, or one was killed a moment ago.',
  ),
  no_spike: row({ http: 409, grpc: 'FAILED_PRECONDITION', retryable: false }, 'No spike', 'No load spike is running at this gateway.'),
  conditions_partial: row(
    UNAVAILABLE,
    'Conditions not set everywhere',
    'A shard did not confirm the new conditions. All others have them, and it follows once it can be reached. `shards` says which.',
  ),
};

export type ErrorCode = keyof typeof ERRORS;

/** A refusal that an installed data type has defined itself, such as "SeatMap.taken". */
export type RefusalCode = `${string}.${string}`;

export const TYPES_OWN_REFUSAL: ErrorRow = row(
  REFUSED,
  'Refused by the data type',
  'An installed data type has refused the operation by a rule of its own. The code begins with its name.',
);

/** Why a transaction was blocked; `names` says what `key`, `operation`, `blocking_operation` and `blocking_label` are with that cause. */
export const CAUSES: Record<ErrorCause, { meaning: string; names: string }> = {
  lock_wait: {
    meaning: 'Time ran out while an operation waited for a lock.',
    names: 'the locked record; the waiting operation; the operation that held the lock or waited in front, and its transaction',
  },
  wounded: {
    meaning: 'An older transaction waited for this one, which would have had to wait as well, or did not end.',
    names: "the record and operation it would have waited for; or the lock it held, and the older transaction's operation",
  },
  deadlock: {
    meaning: 'Transactions waited for each other in a cycle, and this one was the youngest.',
    names: 'the record it waited for; the two operations that conflicted there; the transaction it waited for',
  },
  denied: {
    meaning: 'Phasing is off, and a lock was held at every try.',
    names: 'the locked record; the denied operation; the operation that held the lock, and its transaction',
  },
  timeout: {
    meaning: 'Time ran out, and it was not waiting for a lock.',
    names: 'the first operation without an answer, if any; if it never began, what another transaction of its client met',
  },
  idle: {
    meaning: 'Another transaction waited for this one, which was idle for `idleMs`.',
    names: 'the lock it held; the operation that waited for it, and its transaction',
  },
  condition_changed: {
    meaning: 'The conditions, or the version of a type, were switched while it ran.',
    names: 'nothing: all transactions of the shard that had not voted were aborted',
  },
  snapshot_behind: {
    meaning: 'Its snapshots may have left out something that was acknowledged before it began, again and again.',
    names: 'the record; the operation that read it',
  },
  snapshot_conflict: {
    meaning: 'What it changes had been changed since its snapshot.',
    names: 'the record; its own operation there; the operation that was first, if it is known',
  },
  warranty_wait: {
    meaning: 'A warranty that the operation would violate stood for longer than it could wait, or the shard had started a moment ago.',
    names: 'the record; the waiting operation; the operation that the warranty answers, and `(warranty)`',
  },
  warranty_changed: {
    meaning: 'A result on which it relied, by a warranty or a guess, had changed.',
    names: 'the record; the operation whose result had changed',
  },
  warranty_over: {
    meaning: 'A warranty on which it relied was over before all shards had voted.',
    names: 'the lock that it waited for, if any',
  },
  epoch_missed: {
    meaning: 'Locks were in its way at each epoch, or another shard did not take part.',
    names: 'nothing',
  },
  chain_broken: {
    meaning: 'Its forecasts proved wrong, or the chain in which it was sent was undone, again and again.',
    names: 'nothing',
  },
  shard_unavailable: {
    meaning: 'No session with a shard could be opened in time.',
    names: 'the first operation for that shard',
  },
  session_lost: {
    meaning: 'A stream broke or a shard restarted, and the locks there are lost.',
    names: 'the first operation without an answer, if any',
  },
  attempt_lost: {
    meaning: 'A shard no longer knows the attempt or misses some of its messages, which were lost or late.',
    names: 'nothing',
  },
  wrong_shard: {
    meaning: 'The key moved to another shard.',
    names: 'the refused operation',
  },
  wrong_type: {
    meaning: 'Another transaction uses the vacant record at the key with another type.',
    names: 'the refused operation',
  },
  disk_full: {
    meaning: 'The disk of a shard is full, and nothing can become durable there.',
    names: 'the refused operation, if any',
  },
  log_unavailable: {
    meaning: 'Too few machines of the replicated log of a shard could be reached, and nothing could become durable there.',
    names: 'the refused operation, if any',
  },
  overloaded: {
    meaning: 'A limit on concurrent work was reached.',
    names: 'nothing',
  },
  transaction_in_progress: {
    meaning: 'Another attempt with the same id was running all the time. It may still commit.',
    names: 'nothing',
  },
  native: {
    meaning: 'A native operation changed a record on which it relied.',
    names: 'the record; its own operation there; the native operation, and `(native)`',
  },
  clock_skew: {
    meaning: 'The clocks of two shards of the transaction were further apart than `maxSkewMs`.',
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
  /** number of earlier attempts of the transaction that failed */
  retries?: number | undefined;
  /** overrides the code's row if the shard says otherwise */
  retryable?: boolean | undefined;
  /** further members of the problem document, named as they appear there */
  extra?: Record<string, unknown> | undefined;
}

export class GatewayError extends Error {
  readonly code: ErrorCode | RefusalCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode | RefusalCode, message: string, detail: ErrorDetail = {}) {
    super(message);
    this.name = 'GatewayError';
    this.code = code;
    // A key that no record has, from a caller, is not repeated: a trailer of gRPC that is too long ends the connection with all that is on it.
    this.detail = detail.key !== undefined && detail.key.length > KEY_BYTES_MAX ? { ...detail, key: undefined } : detail;
  }

  get row(): ErrorRow {
    return isErrorCode(this.code) ? ERRORS[this.code] : TYPES_OWN_REFUSAL;
  }

  get retryable(): boolean {
    return this.detail.retryable ?? this.row.retryable;
  }
}

/**
 * For a refused request with an idempotency key: sets `commitState` to unknown. The request was refused without asking the transaction's
 * home shard, so an earlier request with the same key may have committed.
 */
export function withUnknownOutcome(error: GatewayError): GatewayError {
  if (!error.retryable || error.detail.commitState !== undefined) return error;
  return new GatewayError(error.code, error.message, { ...error.detail, commitState: 'unknown' });
}

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

export const isRefusalCode = (code: string): code is RefusalCode => /^[A-Z]\w{0,39}\.\w{1,40}$/.test(code);

/** the delay before a retry that is recommended to callers */
export const RETRY_DELAY_MS = 1000;
