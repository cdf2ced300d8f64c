// An estimate of the memory that a grant takes.

import type { Call } from '../values/call.ts';
import type { WireValue } from '../values/values.ts';

/** the grant itself, its digest, and its places in tables */
const GRANT_BYTES = 400;
const ITEM_BYTES = 16;

export function sizeOf({ key, args }: Call, result: WireValue): number {
  let bytes = GRANT_BYTES + 2 * key.length + bytesOf(result);
  for (const arg of args) bytes += bytesOf(arg);
  return bytes;
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return ITEM_BYTES + 2 * value.length;
  if (!Array.isArray(value)) return ITEM_BYTES;
  let bytes = ITEM_BYTES;
  for (const item of value) bytes += bytesOf(item);
  return bytes;
}
