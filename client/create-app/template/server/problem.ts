// Errors as the page gets them: application/problem+json, with a stable code and a sentence for whoever reads the page.
import { ClaretError } from '@claret/client';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

/** Refuses a request. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  /** after this time the same request may succeed; null: never */
  readonly retryAfterS: number | null;

  constructor(status: number, code: string, message: string, retryAfterS: number | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

export const outcomeUnknown = () => new Problem(504, 'outcome_unknown', 'The answer was lost, so we do not know whether this counted.');

/** What the error says to the page. The client's codes are passed on: docs/errors.md in Claret's repository explains each. */
function problemOf(error: FastifyError | Error): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ClaretError) {
    if (error.commitState !== 'none') return outcomeUnknown();
    if (!error.retryable) return new Problem(500, error.code, 'Something went wrong on our side.');
    const away = error.code === 'shard_unavailable';
    const why = away ? 'The store cannot be reached at the moment.' : 'Too many want this at the moment.';
    return new Problem(503, error.code, `${why} Nothing has changed.`, Math.max(1, Math.ceil(error.retryAfterMs / 1000)));
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status < 500) return new Problem(status, 'invalid_request', error.message);
  return new Problem(500, 'internal', 'Something went wrong on our side.');
}

/** Fastify's error handler */
export function sendProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const { status, code, message, retryAfterS } = problemOf(error);
  if (status >= 500) request.log[status === 500 ? 'error' : 'warn']({ err: error, code }, 'request not done');
  if (retryAfterS !== null) reply.header('retry-after', retryAfterS);
  void reply
    .code(status)
    .type('application/problem+json')
    .send({ type: `/problems/${code}`, title: code.replaceAll('_', ' '), status, code, detail: message });
}
