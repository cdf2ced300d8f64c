// The outcome of a request, in the words of storm.ts, from the answer of a site or a gateway. Pure: no k6 here.

import type { LedgerOutcome } from '../storm.ts';

/** Too busy, in the words of the sites (docs/errors.md): nothing has happened. */
const SHED_CODES = new Set(['overloaded', 'busy', 'too_many_streams']);
/** The request was none that this site takes: no rule of the site said no, but the storm or the site is wrong. */
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
 * @param status 0: no answer came
 * @param body null: it was not read. Then a 503 of a read is taken for shed: whether a read happened is no matter. Who reads
 *   no body asks for what is there, which no rule refuses
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

/** Null: it is no problem document. */
export function codeOf(body: string): string | null {
  return CODE.exec(body)?.[1] ?? null;
}

// Numbers of gRPC's statuses.
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
