// Errors as the pages of a site get them: application/problem+json with a stable code and a sentence for the page.
//
// Code that refuses a request throws a RequestProblem; errors of the store and of the framework are translated here. A site describes its
// codes in its ProblemTable; the codes that shared code uses belong to every site.
import { ClaretError } from '@claret/client';
import { REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

/** codes that every site has */
export type SharedCode =
  | 'invalid_input' // `field` names what is wrong
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'invalid_cursor'
  | 'not_logged_in'
  | 'wrong_credentials'
  | 'too_many_attempts'
  | 'csrf_missing'
  | 'unknown_route'
  | 'busy' // the store could not do it now: nothing happened
  | 'overloaded' // shed by admission control (overload/): nothing happened
  | 'outcome_unknown' // the answer was lost on the way
  | 'key_expired' // nothing happened now; whether an earlier request with the key did anything is not known any more
  | 'too_many_streams'
  | 'internal';

export type ProblemExtras = {
  /** replaces the code's sentence */
  detail?: string;
  /** the part of the input that is wrong */
  field?: string;
  retry_after_s?: number;
  server_time_ms?: number;
};

export type Problem<Code extends string = string> = ProblemExtras & {
  /** /problems/<code> */
  type: string;
  title: string;
  status: number;
  code: Code;
  detail: string;
};

/**
 * Refuses a request. A site's own subclass narrows the codes and may add extras. It is an answer rather than a fault, and in a spike most answers are
 * refusals: so it has no stack trace, which costs more than the rest of it.
 */
export class RequestProblem<Code extends string = SharedCode, Extras extends ProblemExtras = ProblemExtras> extends Error {
  readonly code: Code;
  readonly extras: Extras;

  constructor(code: Code, extras: Extras = {} as Extras) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.extras = extras;
  }
}

export type ProblemTable<Code extends string> = {
  status: Readonly<Record<Code | SharedCode, number>>;
  /** one friendly sentence per code */
  details: Readonly<Record<Code | SharedCode, string>>;
  /** for input that does not fit its schema: field -> a sentence that describes valid input */
  field_details: Readonly<Record<string, string>>;
  /** fields with a code of their own */
  field_codes: Readonly<Record<string, Code | SharedCode>>;
  /** path parameters: a malformed id names nothing that exists */
  param_codes: Readonly<Record<string, Code>>;
};

/** replaces the sentence of `outcome_unknown` if the request carries an idempotency key */
const SAFE_AGAIN = 'We couldn’t confirm whether this worked. It’s safe to try again: it won’t happen twice.';

export class Problems<Code extends string> {
  readonly #table: ProblemTable<Code>;

  constructor(table: ProblemTable<Code>) {
    this.#table = table;
  }

  problem(code: Code | SharedCode, extras: ProblemExtras = {}): Problem<Code | SharedCode> {
    const title = code.replaceAll('_', ' ');
    const { status, details } = this.#table;
    return { type: `/problems/${code}`, title, status: status[code], code, detail: details[code], ...extras };
  }

  send(reply: FastifyReply, code: Code | SharedCode, extras: ProblemExtras = {}): FastifyReply {
    const problem = this.problem(code, extras);
    if (problem.retry_after_s !== undefined) reply.header('retry-after', problem.retry_after_s);
    // Serialized here, since the route's response schemas describe its success answers only.
    return reply.code(problem.status).type('application/problem+json').serializer(JSON.stringify).send(problem);
  }

  /** Fastify's error handler */
  readonly handle = (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
    const { code, extras } = this.#translate(error, request.scope?.changed === true);
    const gone = error instanceof ClaretError && error.code === 'called_off'; // no client reads the answer
    if (code === 'internal') request.log.error({ err: error }, 'request failed');
    else if (gone) request.log.debug({ code }, 'the visitor has gone');
    else if (code !== 'overloaded' && this.#table.status[code] >= 500) request.log.warn({ err: error, code }, 'request not done');
    const isSafeAgain = code === 'outcome_unknown' && request.headers[REQUEST_KEY_HEADER] !== undefined;
    void this.send(reply, code, isSafeAgain ? { detail: SAFE_AGAIN, ...extras } : extras);
  };

  /** `changed`: another transaction of the request has changed something. */
  #translate(error: FastifyError | Error, changed: boolean): RequestProblem<Code | SharedCode> {
    if (error instanceof RequestProblem) return error as RequestProblem<Code | SharedCode>;
    if (error instanceof ClaretError) return storeProblem(error, changed);
    if ('validation' in error && error.validation !== undefined) return this.#inputProblem(error);
    const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
    if (status === 414) return new RequestProblem('unknown_route');
    if (status === 413) return new RequestProblem('body_too_large');
    if (status === 415) return new RequestProblem('unsupported_media_type');
    if (status >= 400 && status < 500) return new RequestProblem('invalid_input', { detail: 'This request can’t be read.' });
    return new RequestProblem('internal');
  }

  #inputProblem(error: FastifyError): RequestProblem<Code | SharedCode> {
    const [first] = error.validation ?? [];
    const params = (first?.params ?? {}) as { missingProperty?: string; additionalProperty?: string };
    const field = first?.instancePath.split('/')[1] || params.missingProperty || params.additionalProperty || undefined;
    if (field === undefined) return new RequestProblem('invalid_input');
    const { field_codes, field_details, param_codes } = this.#table;
    const code = own(error.validationContext === 'params' ? param_codes : field_codes, field);
    if (code !== undefined) return new RequestProblem<Code | SharedCode>(code, { field });
    const detail = own(field_details, field);
    return new RequestProblem('invalid_input', detail === undefined ? { field } : { field, detail });
  }
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function storeProblem(error: ClaretError, changed: boolean): RequestProblem {
  if (error.commitState !== 'none') return new RequestProblem('outcome_unknown');
  const passes = error.retryable || error.code === 'gave_up' || error.code === 'shard_unavailable' || error.code === 'called_off';
  if (!passes) return new RequestProblem('internal');
  return changed ? new RequestProblem('outcome_unknown') : new RequestProblem('busy', { retry_after_s: 1 });
}
