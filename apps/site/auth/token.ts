// The content of a session cookie: 256 random bits. The store keeps only their hash, so that reading the store gives no usable cookie.
import { hash, randomBytes } from 'node:crypto';

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

export const newToken = (): string => randomBytes(32).toString('base64url');

// Null if the text is not a token.
export function hashToken(token: string | undefined): string | null {
  if (token === undefined || !TOKEN_PATTERN.test(token)) return null;
  return hash('sha256', token, 'base64url');
}
