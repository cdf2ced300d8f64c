// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07): the same request sent twice commits once.
//
// A key names a transaction (docs/decisions/0017). The shard stores the answer with the commit, so every gateway knows it, also after
// restarts. A key belongs to one payload: with another one it is refused (422). While its transaction runs, the key is refused (409). Once
// the transaction has committed, the first answer is returned again, with `Idempotency-Replayed: true`. A failed request has no effect, so
// it runs when it is sent again.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.ts';
import type { Committed, Idempotency } from '../transaction/transactions.ts';

/** Separates these ids from other uses of the same text as a transaction id. */
const ID_PREFIX = 'Idempotency-Key:';
const ID_HEX_DIGITS = 32;

/**
 * Runs `work`. If the request has an Idempotency-Key, its transaction commits at most once per key.
 * @param options `payload`: everything that says what the request does; `keepMs`: how long the answer is kept
 */
export async function idempotent(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, keepMs }: { payload: unknown; keepMs: number },
  work: (idempotency: Idempotency | undefined) => Promise<Committed>,
): Promise<Committed> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return work(undefined);
  const id = sha256(ID_PREFIX + readKey(header), 'hex').slice(0, ID_HEX_DIGITS);
  try {
    const committed = await work({ id, fingerprint: fingerprintOf(payload), keepMs });
    if (committed.replayed) reply.header('idempotency-replayed', 'true');
    return committed;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'transaction_in_progress') throw error;
    throw new GatewayError('idempotency_key_in_progress', 'The first request with this key is still running.', error.detail);
  }
}

// A structured-field string (RFC 8941): "…" with \" and \\. Many clients send the characters without quotes, which is accepted too.
function readKey(header: string | string[]): string {
  const text = typeof header === 'string' ? header.trim() : '';
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/.exec(text);
  if (quoted) return quoted[1]!.replaceAll(/\\(.)/g, '$1');
  if (/^[\x21\x23-\x2b\x2d-\x7e]{1,255}$/.test(text)) return text;
  throw new GatewayError('invalid_idempotency_key', 'Idempotency-Key must be a string of 1 to 255 visible characters.');
}

const sha256 = (text: string, encoding: 'hex' | 'base64'): string => createHash('sha256').update(text).digest(encoding);

// The fingerprint of the parsed payload: white space and the order of members make no difference.
const fingerprintOf = (payload: unknown): string => sha256(JSON.stringify(payload, inOrder) ?? '', 'base64');

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
