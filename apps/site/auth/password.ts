// Passwords: stored as scrypt hashes (RFC 7914), compared in constant time.
//
// Parameters: N = 2^15, r = 8, p = 3, one of the equivalent choices of the OWASP password storage guide: 32 MiB and a few tenths of a
// second for each guess. They are part of the stored text, so that raising them later leaves old accounts working. Hashes run in libuv's
// thread pool; at most HASHES_AT_ONCE_MAX run and HASHES_WAITING_MAX wait, so that a flood of logins exhausts neither memory nor threads.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

import { RequestProblem } from '../problem.ts';

export type Cost = { log2_n: number; r: number; p: number };

export const COST: Cost = { log2_n: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const HASHES_AT_ONCE_MAX = 2;
const HASHES_WAITING_MAX = 100;

export class TooManyHashes extends RequestProblem {
  constructor() {
    super('busy', { retry_after_s: 5 });
  }
}

let running = 0;
const waiting: (() => void)[] = [];

async function enter(): Promise<void> {
  if (running < HASHES_AT_ONCE_MAX) {
    running++;
    return;
  }
  if (waiting.length >= HASHES_WAITING_MAX) throw new TooManyHashes();
  await new Promise<void>((resolve) => waiting.push(resolve)); // leave() passes its slot on
}

function leave(): void {
  const next = waiting.shift();
  if (next === undefined) running--;
  else next();
}

async function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  await enter();
  try {
    return await new Promise((resolve, reject) => {
      const options = { N: 2 ** cost.log2_n, r: cost.r, p: cost.p, maxmem: 160 * 2 ** cost.log2_n * cost.r };
      // The same letters typed on different keyboards give the same password.
      scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)));
    });
  } finally {
    leave();
  }
}

// The format of the stored text: scrypt$log2_n$r$p$salt$hash.
export async function hashPassword(password: string, cost: Cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost.log2_n, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

// `stored` is null if there is no such user, or one without a password. The answer is then false after the same work, so that the time
// taken does not reveal which accounts exist.
export async function verifyPassword(password: string, stored: string | null, cost: Cost = COST): Promise<boolean> {
  const parsed = stored === null ? null : parse(stored);
  if (parsed === null) {
    await derive(password, Buffer.alloc(SALT_BYTES), cost);
    return false;
  }
  const hash = await derive(password, parsed.salt, parsed.cost);
  return timingSafeEqual(hash, parsed.hash);
}

function parse(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } | null {
  const [scheme, log2_n, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) return null;
  const parsed = {
    cost: { log2_n: Number(log2_n), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
  return parsed.hash.length === HASH_BYTES ? parsed : null;
}
