// Idempotency keys of requests. A request that changes something may carry a key, which the page chooses for each intended change and keeps
// until it knows the outcome (ui/site/api/requestKeys.ts). Key, person, URL and body together identify a transaction: sent again, however
// often and to whichever app server, it is applied once and answered the same (docs/decisions/0017-safe-to-retry.md). Another body or
// person under the same key is another transaction. Not for changes that can be undone and are idempotent anyway, such as following a
// person: a repeated follow would be taken for the first one.
//
// A key tells when it was made, and is refused before its answer may be forgotten: a request is never done a second time because nobody remembers
// the first. An action may give what it makes the name of its request. Then it can tell also later whether the request was carried out.
import { hash as hashOf, randomBytes } from 'node:crypto';
import type { Claret } from '@claret/client';
import { REQUEST_KEY_HEADER, timeOfRequestKey } from '@claret/ui/site/api/requestKeys.ts';
import type { FastifyRequest } from 'fastify';

import { RequestProblem } from './problem.ts';

const ID_BYTES = 16;
/** A key is taken for so long. */
const AGE_MS_MAX = 540_000;
/** The clock of the page that made the key may be ahead by so much. */
const AHEAD_MS_MAX = 60_000;
/** Between this look at the clock and the home shard's, a busy cluster may take its time, and the clocks of shards differ. */
const MARGIN_MS = 60_000;
const KEEP_MS = AGE_MS_MAX + AHEAD_MS_MAX + MARGIN_MS;
const KEY_DETAIL = 'The idempotency-key must be a UUID of version 7.';

type Asked = Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'body'> & { readonly claret: Claret };

/** What makes a transaction happen once; nothing: the request has no key. */
export type Once = { id?: string; keepMs?: number };

export type NamedRequest = {
  /** unique among all requests, and the same for one that is sent again; of a request without a key: new each time */
  name: string;
  once: Once;
  /** Not null: the key is not taken any more. */
  expired: RequestProblem | null;
};

/**
 * Options for the one transaction of the request that changes something; `near_key`: a record it touches. Throws a RequestProblem:
 * `key_expired` where an earlier request with the key may be forgotten by now.
 */
export function once(request: Asked, person_id: string, near_key: string): Once {
  const named = namedRequest(request, person_id, near_key);
  if (named.expired !== null) throw named.expired;
  return named.once;
}

/**
 * The same for a transaction that gives what it makes the name of its request. If the key has expired, the transaction makes nothing: it looks
 * for what has the name, and returns that, or that there is nothing. This is then the answer to the request for good: where an earlier try is
 * still under way, one of the two commits, and the other is told the same.
 */
export function namedRequest(request: Asked, person_id: string, near_key: string): NamedRequest {
  const key = request.headers[REQUEST_KEY_HEADER];
  if (key === undefined) return { name: nameOf(randomBytes(2 * ID_BYTES)), once: {}, expired: null };
  const made_ms = typeof key === 'string' ? timeOfRequestKey(key) : null;
  if (made_ms === null) throw new RequestProblem('invalid_input', { field: REQUEST_KEY_HEADER, detail: KEY_DETAIL });
  const server_time_ms = request.claret.clock.nowMs(near_key);
  const age_ms = server_time_ms - made_ms;
  const asked = JSON.stringify([key, person_id, request.method, request.url, request.body ?? null]);
  const hash = hashOf('sha256', asked, 'buffer');
  return {
    name: nameOf(hash),
    once: { id: request.claret.transactionId(near_key, hash.subarray(0, ID_BYTES)), keepMs: KEEP_MS },
    expired: age_ms > AGE_MS_MAX || age_ms < -AHEAD_MS_MAX ? new RequestProblem('key_expired', { server_time_ms }) : null,
  };
}

/** It does not tell the transaction's id, which is made of the other half. */
const nameOf = (hash: Buffer): string => hash.subarray(ID_BYTES).toString('base64url');
