// Passwords as the site keeps them (apps/site/auth/password.ts): scrypt with N = 2^15, r = 8, p = 3. That file would load Claret's client.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 160 * 2 ** 15 * 8 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const derive = (password: string, salt: Buffer) =>
  new Promise<Buffer>((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, COST, (error, hash) => (error ? reject(error) : resolve(hash))),
  );

/** salt$hash */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

/** False after the same work if nothing is stored: the time does not tell which accounts exist. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [salt = '', hash = ''] = (stored ?? '').split('$');
  const derived = await derive(password, stored === null ? Buffer.alloc(SALT_BYTES) : Buffer.from(salt, 'base64url'));
  return stored !== null && timingSafeEqual(derived, Buffer.from(hash, 'base64url'));
}
