// Errors over REST: application/problem+json (RFC 9457) with Claret's stable members.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Static } from 'typebox';
import { CAUSES, ERRORS, GatewayError, RETRY_DELAY_MS, withUnknownOutcome } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';

const PROBLEM_TYPE = 'application/problem+json';

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'path of the explanation of the code' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: "id of the request in the gateway's log" }),
    code: Type.String({ description: 'stable code; GET /v1/errors lists all' }),
    retryable: Type.Boolean({ description: 'the same request may succeed later' }),
    commit_state: Type.Enum(['none', 'applied', 'unknown'], {
      description: 'none: nothing happened; applied: committed; unknown: the outcome could not be determined in time',
    }),
    retries: Type.Integer({ description: 'failed attempts before the last one' }),
    key: Type.Optional(Type.String({ description: 'the record' })),
    operation: Type.Optional(Type.String({ description: "the transaction's operation on that record" })),
    blocking_operation: Type.Optional(Type.String({ description: 'the operation that blocked it' })),
    blocking_label: Type.Optional(Type.String({ description: 'label of the transaction that blocked it' })),
    unmet: Type.Optional(
      Type.Array(Type.Object({ index: Type.Integer(), result: Type.Optional(Type.Unknown()) }), {
        description: 'with expectation_failed: the operations whose result is another one than was expected, and the result',
      }),
    ),
    cause: Type.Optional(Type.Enum(Object.keys(CAUSES), { description: 'why the transaction was blocked; GET /v1/errors explains each' })),
  },
  { additionalProperties: true, title: 'Problem' },
);

export type Problem = Static<typeof ProblemSchema> & Record<string, unknown>;

export function problemOf(error: GatewayError, instance: string): Problem {
  const { row, detail } = error;
  const problem: Problem = {
    type: `/v1/errors/${error.code}`,
    title: row.title,
    status: row.http,
    detail: error.message,
    instance,
    code: error.code,
    retryable: error.retryable,
    commit_state: detail.commitState ?? 'none',
    retries: detail.retries ?? 0,
  };
  if (detail.key !== undefined) problem.key = detail.key;
  if (detail.operation) problem.operation = detail.operation;
  if (detail.blockingOperation) problem.blocking_operation = detail.blockingOperation;
  if (detail.blockingLabel) problem.blocking_label = detail.blockingLabel;
  if (detail.cause) problem.cause = detail.cause;
  return Object.assign(problem, detail.extra);
}

// The gateway's codes for Fastify's own errors.
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_utf8',
  FST_ERR_VALIDATION: 'invalid_request',
};

export function asGatewayError(error: FastifyError | Error): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = FASTIFY_CODES[(error as FastifyError).code];
  if (code === 'unsupported_media_type')
    return new GatewayError(code, 'The body must be JSON: send the header "content-type: application/json".');
  if (code !== undefined) return new GatewayError(code, error.message);
  const status = (error as FastifyError).statusCode;
  if (status !== undefined && status >= 400 && status < 500) return new GatewayError('invalid_request', error.message);
  return new GatewayError('internal', ERRORS.internal.meaning);
}

export function sendProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const gatewayError = asGatewayError(error);
  const known = request.headers['idempotency-key'] === undefined ? gatewayError : withUnknownOutcome(gatewayError);
  if (known.code === 'internal') request.log.error({ err: error }, 'a request failed because of a fault in the gateway');
  if (known.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer');
  if (known.retryable) reply.header('retry-after', Math.ceil(RETRY_DELAY_MS / 1000));
  const problem = problemOf(known, request.id);
  return reply.code(problem.status).type(PROBLEM_TYPE).serializer(JSON.stringify).send(problem);
}
