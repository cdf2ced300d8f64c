// Idempotency keys of requests. A request that changes something may carry a key, which the page chooses for each intended change and keeps
// until it knows the outcome (ui/site/api/requestKeys.ts). Key, person, URL and body together identify a transaction: sent again, however
// often and to whichever app server, it is applied once and answered the same (docs/decisions/0017-safe-to-retry.md). Another body or
// person under the same key is another transaction. Not for changes that can be undone and are idempotent anyway, such as following a
// person: a repeated follow would be taken for the first one.
import { createHash } from 'node:crypto';
import type { Claret } from '@claret/client';
import { REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';
import type { FastifyRequest } from 'fastify';

import { RequestProblem } from './problem.ts';

const KEY = /^[0-9A-Za-z-]{16,64}$/;
const ID_BYTES = 16;

type Asked = Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'body'> & { readonly claret: Claret };

/** Options for the one transaction of the request that changes something; `near_key`: a record it touches. Throws a RequestProblem. */
export function once(request: Asked, person_id: string, near_key: string): { id?: string } {
  const hash = requestHash(request, person_id);
  return hash === null ? {} : { id: request.claret.transactionId(near_key, hash) };
}

/** For a transaction that keeps its requests itself, and so for longer. Null: the request has no key. Throws a RequestProblem. */
export function requestHash(request: Asked, person_id: string): Buffer | null {
  const key = request.headers[REQUEST_KEY_HEADER];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !KEY.test(key)) throw new RequestProblem('invalid_input', { field: REQUEST_KEY_HEADER });
  const asked = JSON.stringify([key, person_id, request.method, request.url, request.body ?? null]);
  return createHash('sha256').update(asked).digest().subarray(0, ID_BYTES);
}
