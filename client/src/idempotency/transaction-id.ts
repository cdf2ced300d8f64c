// The id of a transaction that is safe to send again: 16 bytes, written as 32 hexadecimal digits. The first two bytes, big-endian,
// modulo 16,384 are the slot whose shard is the home of the transaction (docs/decisions/0017).

import type { Environment } from '../environment/environment.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { SLOT_COUNT } from '../topology/slots.ts';

const ID_BYTES = 16;
const ID_PATTERN = /^[0-9a-f]{32}$/;
const TWO_DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** A new, unguessable id with its home in that slot; null: in any slot. */
export function newTransactionId(environment: Environment, slot: number | null): string {
  return transactionIdOf(environment.randomBytes(ID_BYTES), slot);
}

/** The id of these 16 bytes. The same bytes and slot give the same id. Throws `ClaretError` for another number of bytes. */
export function transactionIdOf(from: Uint8Array, slot: number | null): string {
  if (from?.length !== ID_BYTES) {
    throw new ClaretError({ code: codes.invalidAttempt, message: `A transaction's id is made of ${ID_BYTES} bytes` });
  }
  const bytes = from.slice();
  if (slot !== null) {
    const first = ((((bytes[0]! << 8) | bytes[1]!) & ~(SLOT_COUNT - 1)) | slot) & 0xffff;
    bytes[0] = first >> 8;
    bytes[1] = first & 0xff;
  }
  let id = '';
  for (const byte of bytes) id += TWO_DIGITS[byte];
  return id;
}

/** The bytes of an id. Throws `ClaretError` for a text that is no id. */
export function transactionIdBytes(id: string): Uint8Array {
  if (typeof id !== 'string' || !ID_PATTERN.test(id)) {
    throw new ClaretError({
      code: codes.invalidAttempt,
      message: "A transaction's id is 32 hexadecimal digits, as transactionId() makes them",
    });
  }
  const bytes = new Uint8Array(ID_BYTES);
  for (let i = 0; i < ID_BYTES; i++) bytes[i] = (digitAt(id, 2 * i) << 4) | digitAt(id, 2 * i + 1);
  return bytes;
}

/** The value of the hexadecimal digit at that place. REQUIRES: it is 0-9 or a-f. */
function digitAt(id: string, at: number): number {
  const code = id.charCodeAt(at);
  return code <= 0x39 ? code - 0x30 : code - 0x57;
}

/** The slot whose shard is the home of the transaction. */
export const homeSlotOf = (bytes: Uint8Array): number => ((bytes[0]! << 8) | bytes[1]!) % SLOT_COUNT;
