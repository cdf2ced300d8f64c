// The outcome of a request, in the terms of storm.ts, from the response of a site or a gateway. Pure: no k6 here.

import type { LedgerOutcome } from '../storm.ts';

/** Codes by which the sites shed requests (docs/errors.md): the request had no effect. */
const SHED_CODES = new Set(['overloaded', 'busy', 'too_many_streams']);
/** The site did not understand the request: not a rule of the site, but a bug in the storm or the site. */
const MISTAKEN_CODES = new Set([
  'unknown_route',
  'invalid_input',
  'invalid_cursor',
  'body_too_large',
  'unsupported_media_type',
  'csrf_missing',
  'not_logged_in',
]);
const CODE = /"code":"([a-z_]+)"/;

/**
 * @param status 0: there was no response
 * @param body null: it was not read. Then a 503 of a read counts as shed, because a read has no effect; and requests
 *   whose body is not read ask for existing objects, which no rule refuses
 */
export function outcomeOf(status: number, body: string | null): LedgerOutcome {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 0) return 'unknown';
  const code = body === null ? null : codeOf(body);
  const busy = status === 503 || status === 429;
  if (busy && (body === null || (code !== null && SHED_CODES.has(code)))) return 'shed';
  if (code === 'outcome_unknown') return 'unknown';
  const byRule = status >= 400 && status < 500 && code !== null && !MISTAKEN_CODES.has(code);
  return byRule ? `refused:${code}` : 'failed';
}

/** Null if it is not a problem document. */
export function codeOf(body: string): string | null {
  return CODE.exec(body)?.[1] ?? null;
}

// gRPC status codes.
const OK = 0;
const CANCELLED = 1;
const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const FAILED_PRECONDITION = 9;
const ABORTED = 10;
const OUT_OF_RANGE = 11;
const UNAVAILABLE = 14;

export function outcomeOfGrpc(status: number): LedgerOutcome {
  switch (status) {
    case OK:
      return 'accepted';
    case RESOURCE_EXHAUSTED:
    case UNAVAILABLE:
    case ABORTED:
      return 'shed';
    case CANCELLED:
    case DEADLINE_EXCEEDED:
      return 'unknown';
    case FAILED_PRECONDITION:
    case OUT_OF_RANGE:
      return `refused:grpc_${status}`;
    default:
      return 'failed';
  }
}
