// Errors as the site says them: application/problem+json, a stable code and a sentence for the page.
import { ClaretError } from '@claret/client';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { ERROR_STATUS, type ErrorCode, type Problem } from './api.ts';
import { TooManyHashes } from './auth/password.ts';
import { NotSeenError } from './live/items.ts';

const DETAILS: Record<ErrorCode, string> = {
  invalid_input: 'Something in this form is not right.',
  amount_not_a_number: 'Please enter the amount as a number, like 12.50.',
  amount_too_large: 'That is more than this site can take: bids end at $10,000,000.',
  amount_below_minimum: 'That is below the least next bid. The price may have just gone up.',
  body_too_large: 'That is too long.',
  unsupported_media_type: 'Requests to this site carry JSON.',
  invalid_cursor: 'This page of the list cannot be found. Start again from its beginning.',
  not_logged_in: 'Please log in first.',
  wrong_credentials: 'Nickname and password do not fit.',
  too_many_attempts: 'Too many attempts. Please wait a little.',
  csrf_missing: 'This request did not come from a page of this site.',
  nickname_taken: 'Somebody has this nickname already.',
  unknown_route: 'There is nothing at this address.',
  unknown_item: 'There is no such auction.',
  unknown_user: 'There is no such member.',
  unknown_category: 'There is no such category.',
  unknown_region: 'There is no such region.',
  auction_closed: 'This auction has ended.',
  auction_open: 'This auction is still running; comments come after its end.',
  own_item: 'This is your own auction: you cannot bid on it.',
  not_a_party: 'Only the seller and the winner of an auction comment on each other.',
  already_commented: 'You have commented on this sale already.',
  busy: 'The site could not do this just now. Nothing has happened; please try again.',
  outcome_unknown: 'The answer was lost on its way. Please look whether it has worked before you try again.',
  too_many_streams: 'Too many people are watching through this server. Prices are still right when you reload.',
  internal: 'Something went wrong on our side.',
};

export type ProblemExtras = Partial<Pick<Problem, 'detail' | 'field' | 'min_next_bid_cents' | 'retry_after_s'>>;

export class RequestProblem extends Error {
  readonly problem: Problem;

  constructor(code: ErrorCode, extras: ProblemExtras = {}) {
    super(code);
    this.problem = problemOf(code, extras);
  }
}

export function problemOf(code: ErrorCode, extras: ProblemExtras = {}): Problem {
  const title = code.replaceAll('_', ' ');
  return { type: `/problems/${code}`, title, status: ERROR_STATUS[code], code, detail: DETAILS[code], ...extras };
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.retry_after_s !== undefined) reply.header('retry-after', problem.retry_after_s);
  // Serialized here: a route's response schemas are for its answers.
  return reply.code(problem.status).type('application/problem+json').serializer(JSON.stringify).send(problem);
}

// What went wrong, as a problem. What is nobody's fault but ours is logged by the caller.
export function toProblem(error: FastifyError | Error): Problem {
  if (error instanceof RequestProblem) return error.problem;
  if (error instanceof ClaretError) return storeProblem(error);
  if (error instanceof NotSeenError) return problemOf('busy', { retry_after_s: 2 });
  if (error instanceof TooManyHashes) return problemOf('busy', { retry_after_s: 5 });
  if ('validation' in error && error.validation !== undefined) return inputProblem(error);
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status === 413) return problemOf('body_too_large');
  if (status === 415) return problemOf('unsupported_media_type');
  if (status >= 400 && status < 500) return problemOf('invalid_input', { detail: 'This request cannot be read.' });
  return problemOf('internal');
}

function storeProblem(error: ClaretError): Problem {
  if (error.commitState !== 'none') return problemOf('outcome_unknown');
  if (error.retryable || error.code === 'gave_up' || error.code === 'shard_unavailable') return problemOf('busy', { retry_after_s: 1 });
  return problemOf('internal');
}

// ---- Input that does not fit its schema ------------------------------------------------------------------------------------

const FIELD_DETAILS: Record<string, string> = {
  nickname: 'A nickname has 3 to 20 letters, digits or underscores and begins with a letter.',
  password: 'A password has 8 to 128 characters.',
  title: 'A title has 3 to 80 characters.',
  description: 'A description has at most 4,000 characters.',
  start_price_cents: 'A start price is a number from 0.01 to 10,000,000.00.',
  duration_minutes: 'An auction runs from a minute to 7 days.',
  duration_seconds: 'An auction runs from a minute to 7 days.',
  rating: 'A rating is a whole number from -5 to 5.',
  text: 'A comment has 1 to 500 characters.',
  q: 'A search has at most 80 characters.',
  items: 'That is not a list of auctions.',
};

function inputProblem(error: FastifyError): Problem {
  const [first] = error.validation ?? [];
  const params = (first?.params ?? {}) as { missingProperty?: string; additionalProperty?: string };
  const field = first?.instancePath.split('/')[1] || params.missingProperty || params.additionalProperty || undefined;
  if (field === 'amount_cents') return problemOf('amount_not_a_number', { field });
  // An id that cannot be one names nothing that exists.
  if (field === 'item_id') return problemOf('unknown_item');
  if (field === 'user_id') return problemOf('unknown_user');
  if (field === 'cursor') return problemOf('invalid_cursor');
  const detail = field === undefined ? undefined : FIELD_DETAILS[field];
  return problemOf('invalid_input', { ...(field === undefined ? {} : { field }), ...(detail === undefined ? {} : { detail }) });
}

export function handleError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const problem = toProblem(error);
  if (problem.code === 'internal') request.log.error({ err: error }, 'request failed');
  else if (problem.status >= 500) request.log.warn({ err: error, code: problem.code }, 'request not done');
  void sendProblem(reply, problem);
}
