// Idempotency keys of requests. A request that changes something may carry a key, which the page chooses for each intended change and keeps
// until it knows the outcome (ui/site/api/requestKeys.ts). Key, person, URL and body together identify a transaction: sent again, however
// often and to whichever app server, it is applied once and answered the same (docs/decisions/0017-safe-to-retry.md). Another body or
// person under the same key is another transaction. Not for changes that can be undone and are idempotent anyway, such as following a
// person: a repeated follow would be taken for the first one.
//
// A key tells when it was made, and is refused before its answer may be forgotten: a request is never done a second time because nobody remembers
// the first.
import { createHash } from 'node:crypto';
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

/**
 * Options for the one transaction of the request that changes something; `near_key`: a record it touches. Throws a RequestProblem:
 * `key_expired` where an earlier request with the key may be forgotten by now.
 */
export function once(request: Asked, person_id: string, near_key: string): Once {
  const key = request.headers[REQUEST_KEY_HEADER];
  if (key === undefined) return {};
  const made_ms = typeof key === 'string' ? timeOfRequestKey(key) : null;
  if (made_ms === null) throw new RequestProblem('invalid_input', { field: REQUEST_KEY_HEADER, detail: KEY_DETAIL });
  const server_time_ms = request.claret.clock.nowMs(near_key);
  const age_ms = server_time_ms - made_ms;
  if (age_ms > AGE_MS_MAX || age_ms < -AHEAD_MS_MAX) throw new RequestProblem('key_expired', { server_time_ms });
  const asked = JSON.stringify([key, person_id, request.method, request.url, request.body ?? null]);
  const hash = createHash('sha256').update(asked).digest().subarray(0, ID_BYTES);
  return { id: request.claret.transactionId(near_key, hash), keepMs: KEEP_MS };
}
