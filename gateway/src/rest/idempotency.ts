// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07): the same request sent twice commits once.
//
// A key names a transaction (docs/decisions/0017): its answer is kept by the shard, with the commit, so that it is known at
// every gateway and after every restart. A key belongs to one payload. While its transaction runs, the key is refused (409);
// with another payload it is refused for good (422); once it has committed the first answer is given again, with
// `Idempotency-Replayed: true`. A request that has failed has left nothing behind: sent again, it runs.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.ts';
import type { Committed, SentAgain } from '../transaction/transactions.ts';

/** So that no other use of the same text names the same transaction. */
const ID_PREFIX = 'Idempotency-Key:';
const ID_HEX_DIGITS = 32;

/** Runs `work`, whose transaction commits once per Idempotency-Key where the request carries one. */
export async function idempotent(
  request: FastifyRequest,
  reply: FastifyReply,
  keepMs: number,
  work: (again: SentAgain | undefined) => Promise<Committed>,
): Promise<Committed> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return work(undefined);
  const id = sha256(ID_PREFIX + readKey(header), 'hex').slice(0, ID_HEX_DIGITS);
  try {
    const committed = await work({ id, fingerprint: fingerprintOf(request.body), keepMs });
    if (committed.replayed) reply.header('idempotency-replayed', 'true');
    return committed;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'transaction_in_progress') throw error;
    throw new GatewayError('idempotency_key_in_progress', 'The first request with this key is still running.', error.detail);
  }
}

// A structured-field string (RFC 8941): "…" with \" and \\; what many send instead, the bare characters, is taken too.
function readKey(header: string | string[]): string {
  const text = typeof header === 'string' ? header.trim() : '';
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/.exec(text);
  if (quoted) return quoted[1]!.replaceAll(/\\(.)/g, '$1');
  if (/^[\x21\x23-\x2b\x2d-\x7e]{1,255}$/.test(text)) return text;
  throw new GatewayError('invalid_idempotency_key', 'Idempotency-Key must be a string of 1 to 255 visible characters.');
}

const sha256 = (text: string, encoding: 'hex' | 'base64'): string => createHash('sha256').update(text).digest(encoding);

// Of the parsed body: neither white space nor the order of members makes another payload.
const fingerprintOf = (body: unknown): string => sha256(JSON.stringify(body, inOrder) ?? '', 'base64');

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
