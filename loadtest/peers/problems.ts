// Refusals and errors as the site answers them: application/problem+json with the site's codes.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { ERROR_STATUS, type ErrorCode, type Problem } from '../../apps/rubis/server/api.ts';
import { Busy } from './store.ts';

type Extras = Pick<Problem, 'field' | 'min_next_bid_cents' | 'retry_after_s'>;

/** Refuses a request. */
export class Refused extends Error {
  readonly code: ErrorCode;
  readonly extras: Extras;

  constructor(code: ErrorCode, extras: Extras = {}) {
    super(code);
    this.code = code;
    this.extras = extras;
  }
}

/** codes of fields and parameters that do not fit their schemas; otherwise `invalid_input` */
const CODES: Readonly<Record<string, ErrorCode>> = {
  amount_cents: 'amount_not_a_number',
  max_cents: 'amount_not_a_number',
  item_id: 'unknown_item',
  user_id: 'unknown_user',
};
const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  413: 'body_too_large',
  414: 'unknown_route',
  415: 'unsupported_media_type',
};

/** Fastify's error handler */
export function answerProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const { code, extras } = translated(error);
  if (code === 'internal') request.log.error({ err: error }, 'request failed');
  const title = code.replaceAll('_', ' ');
  const problem: Problem = { type: `/problems/${code}`, title, status: ERROR_STATUS[code], code, detail: title, ...extras };
  if (extras.retry_after_s !== undefined) reply.header('retry-after', extras.retry_after_s);
  // The route's response schemas describe its other answers only.
  void reply.code(problem.status).type('application/problem+json').serializer(JSON.stringify).send(problem);
}

function translated(error: FastifyError | Error): Refused {
  if (error instanceof Refused) return error;
  if (error instanceof Busy) return new Refused('busy', { retry_after_s: 1 });
  if ('validation' in error && error.validation !== undefined) {
    const [first] = error.validation;
    const { missingProperty, additionalProperty } = (first?.params ?? {}) as Record<string, string | undefined>;
    const field = first?.instancePath.split('/')[1] || missingProperty || additionalProperty;
    return new Refused(CODES[field ?? ''] ?? 'invalid_input', { field });
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  return new Refused(CODES_BY_STATUS[status] ?? (status < 500 ? 'invalid_input' : 'internal'));
}
