// What a session cookie holds: 256 random bits. The store keeps their hash, so that reading the store lets nobody in.
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

export const newToken = (): string => randomBytes(32).toString('base64url');

// Null when the text cannot be a token.
export function hashToken(token: string | undefined): string | null {
  if (token === undefined || !TOKEN_PATTERN.test(token)) return null;
  return createHash('sha256').update(token).digest('base64url');
}
