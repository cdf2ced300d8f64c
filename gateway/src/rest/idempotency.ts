// Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07): the same request sent twice runs once.
//
// A key belongs to one payload. While its request runs, the key is refused (409); with another payload it is refused for
// good (422); otherwise the first answer is given again, with `Idempotency-Replayed: true`. An answer that says "nothing
// happened, try again" is not kept: trying again with the same key then does what the caller wants.
// Bounds: keys live `lifetimeMs` after their request ended, in this process's memory; when the table is full, requests with
// new keys are refused rather than old keys forgotten early.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors.ts';

const REPLY_BYTES_MAX = 64 * 1024 * 1024;

export interface IdempotencyLimits {
  lifetimeMs: number;
  /** keys at once, running ones included */
  countMax: number;
  /** JSON of all kept answers together */
  bytesMax?: number;
}

type Answer = { body: unknown } | { error: GatewayError };
interface Finished {
  fingerprint: string;
  answer: Answer;
  bytes: number;
  forgetAtMs: number;
}

export class IdempotencyTable {
  private readonly limits: Required<IdempotencyLimits>;
  private readonly nowMs: () => number;
  /** key → fingerprint */
  private readonly running = new Map<string, string>();
  /** in order of forgetAtMs */
  private readonly finished = new Map<string, Finished>();
  private bytes = 0;

  constructor(limits: IdempotencyLimits, nowMs: () => number = () => performance.now()) {
    this.limits = { bytesMax: REPLY_BYTES_MAX, ...limits };
    this.nowMs = nowMs;
  }

  /** The kept answer, or undefined: then the request runs, and `finish` or `forget` must follow. Throws GatewayError. */
  begin(key: string, fingerprint: string): Answer | undefined {
    this.purge();
    const known = this.finished.get(key)?.fingerprint ?? this.running.get(key);
    if (known !== undefined && known !== fingerprint) {
      throw new GatewayError('idempotency_key_reused', 'The key was used before with another payload.');
    }
    if (this.running.has(key)) {
      throw new GatewayError('idempotency_key_in_progress', 'The first request with this key is still running.');
    }
    const finished = this.finished.get(key);
    if (finished) return finished.answer;
    const full = this.running.size + this.finished.size >= this.limits.countMax || this.bytes >= this.limits.bytesMax;
    if (full) throw new GatewayError('idempotency_table_full', 'No more idempotency keys can be remembered now.');
    this.running.set(key, fingerprint);
    return undefined;
  }

  finish(key: string, answer: Answer): void {
    const fingerprint = this.running.get(key);
    if (fingerprint === undefined) return;
    this.running.delete(key);
    const bytes = JSON.stringify('body' in answer ? answer.body : answer.error.message).length;
    this.bytes += bytes;
    this.finished.set(key, { fingerprint, answer, bytes, forgetAtMs: this.nowMs() + this.limits.lifetimeMs });
  }

  forget(key: string): void {
    this.running.delete(key);
  }

  private purge(): void {
    const nowMs = this.nowMs();
    for (const [key, { forgetAtMs, bytes }] of this.finished) {
      if (forgetAtMs > nowMs) return;
      this.finished.delete(key);
      this.bytes -= bytes;
    }
  }
}

/** Runs `work`, once per Idempotency-Key when the request carries one. */
export async function idempotent<T>(
  table: IdempotencyTable,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return work();
  const key = readKey(header);
  const kept = table.begin(key, fingerprintOf(request.body));
  if (kept) {
    reply.header('idempotency-replayed', 'true');
    if ('error' in kept) throw kept.error;
    return kept.body as T;
  }
  try {
    const body = await work();
    table.finish(key, { body });
    return body;
  } catch (error) {
    if (error instanceof GatewayError && isFinal(error)) table.finish(key, { error });
    else table.forget(key);
    throw error;
  }
}

const isFinal = (error: GatewayError): boolean => !error.retryable || (error.detail.commitState ?? 'none') !== 'none';

// A structured-field string (RFC 8941): "…" with \" and \\; what many send instead, the bare characters, is taken too.
function readKey(header: string | string[]): string {
  const text = typeof header === 'string' ? header.trim() : '';
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/.exec(text);
  if (quoted) return quoted[1]!.replaceAll(/\\(.)/g, '$1');
  if (/^[\x21\x23-\x2b\x2d-\x7e]{1,255}$/.test(text)) return text;
  throw new GatewayError('invalid_idempotency_key', 'Idempotency-Key must be a string of 1 to 255 visible characters.');
}

// Of the parsed body: white space does not make another payload.
const fingerprintOf = (body: unknown): string => createHash('sha256').update(JSON.stringify(body) ?? '').digest('base64');
