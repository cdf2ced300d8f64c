// Conditional reads: `If-None-Match` with the ETag of an earlier answer, and `Prefer: wait=` seconds (RFC 9110 section 13.1.2, RFC 7240 section 4.3).
import { createHash } from 'node:crypto';
import { GatewayError } from '../errors.ts';

const WAIT_S_MAX = 60;
const TAG_BYTES = 12;
const WAIT = /^wait\s*=\s*"?(\d{1,6})"?$/i;

/** The same for equal results of an operation. */
export function entityTag(result: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(result)).digest();
  return `"${digest.subarray(0, TAG_BYTES).toString('base64url')}"`;
}

/** Whether the caller, who sent this If-None-Match, has the result with this tag already. */
export function isKnown(tag: string, ifNoneMatch: string | undefined): boolean {
  const known = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? [];
  return known.includes(tag) || known.includes('*');
}

/** How long the caller would wait for another result, at most 60 s; 0: not at all. Other preferences are left alone. Throws invalid_request. */
export function waitMsOf(prefer: string | undefined): number {
  const wish = prefer
    ?.split(/[,;]/)
    .map((one) => one.trim())
    .find((one) => /^wait\b/i.test(one));
  if (wish === undefined) return 0;
  const seconds = WAIT.exec(wish)?.[1];
  if (seconds === undefined)
    throw new GatewayError('invalid_request', `headers/prefer: wait takes whole seconds, as in wait=20, not "${wish}".`);
  return 1_000 * Math.min(Number(seconds), WAIT_S_MAX);
}
