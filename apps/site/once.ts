// What a page asks for twice happens once: a request that changes something may carry a key, which the page chooses anew for each thing
// that it wants done and keeps until it has been told what came of it (ui/site/api/requestKeys.ts). Key, person, address and body
// together name a transaction: sent again, however often and to whichever app server, it is applied once and answered the same
// (docs/decisions/0017-safe-to-retry.md). Another body or another person under the same key is something else. Not for what can be
// undone in between and is applied once by its nature, such as following somebody: asked for anew it would be taken for the first.
import { createHash } from 'node:crypto';
import type { Claret } from '@claret/client';
import { REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';
import type { FastifyRequest } from 'fastify';

import { RequestProblem } from './problem.ts';

const KEY = /^[0-9A-Za-z-]{16,64}$/;
const ID_BYTES = 16;

type Asked = Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'body'> & { readonly claret: Claret };

/** Options for the request's one transaction that changes something; `near_key`: a record that it touches. Throws a RequestProblem. */
export function once(request: Asked, person_id: string, near_key: string): { id?: string } {
  const key = request.headers[REQUEST_KEY_HEADER];
  if (key === undefined) return {};
  if (typeof key !== 'string' || !KEY.test(key)) throw new RequestProblem('invalid_input', { field: REQUEST_KEY_HEADER });
  const asked = JSON.stringify([key, person_id, request.method, request.url, request.body ?? null]);
  const hash = createHash('sha256').update(asked).digest().subarray(0, ID_BYTES);
  return { id: request.claret.transactionId(near_key, hash) };
}
