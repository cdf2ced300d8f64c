// Identity: what makes a transaction safe to send again: its id, under which its home shard keeps its answer
// (docs/decisions/0017). The id's first two bytes, big-endian, modulo 16,384 are the slot whose shard is its home.

import type { Environment } from './environment.ts';
import { ClaretError, codes } from './errors.ts';
import { SLOT_COUNT } from './topology.ts';

const ID_BYTES = 16;
const ID_PATTERN = /^[0-9a-f]{32}$/;
/** What shards keep at most. */
const KEEP_MS_MAX = 86_400_000;

/** While another attempt of it is under way, it is asked for again after a pause of up to this, doubling. */
const PAUSE_FIRST_US = 2_000;
const PAUSE_LONGEST_US = 100_000;

export interface IdentityOptions {
  id: string;
  /** 0: as long as shards do by themselves */
  keepMs: number;
  inProgress: 'wait' | 'refuse';
}

export class Identity {
  readonly bytes: Uint8Array;
  readonly keepMs: number;
  /** instead of waiting for an attempt of somebody else's */
  readonly refuses: boolean;
  #pauses = 0;

  /** Throws `ClaretError`. */
  constructor({ id, keepMs, inProgress }: IdentityOptions) {
    if (typeof id !== 'string' || !ID_PATTERN.test(id)) {
      throw new ClaretError({
        code: codes.invalidAttempt,
        message: "A transaction's id is 32 hexadecimal digits, as transactionId() makes them",
      });
    }
    if (!Number.isInteger(keepMs) || keepMs < 0 || keepMs > KEEP_MS_MAX) {
      throw new ClaretError({ code: codes.outOfRange, message: `keepMs is an integer up to ${KEEP_MS_MAX}` });
    }
    this.bytes = Uint8Array.from({ length: ID_BYTES }, (_, i) => Number.parseInt(id.slice(2 * i, 2 * i + 2), 16));
    this.keepMs = keepMs;
    this.refuses = inProgress === 'refuse';
  }

  get slot(): number {
    return ((this.bytes[0]! << 8) | this.bytes[1]!) % SLOT_COUNT;
  }

  nextPauseUs(random: number): number {
    return (0.5 + random / 2) * Math.min(PAUSE_LONGEST_US, PAUSE_FIRST_US * 2 ** Math.min(this.#pauses++, 20));
  }
}

/** An id that nobody can guess, at home in that slot; in any where it is null. */
export function newTransactionId(environment: Environment, slot: number | null): string {
  return transactionIdOf(environment.randomBytes(ID_BYTES), slot);
}

/** The same bytes and slot make the same id. Throws `ClaretError` where they are not 16. */
export function transactionIdOf(from: Uint8Array, slot: number | null): string {
  if (from.length !== ID_BYTES) {
    throw new ClaretError({ code: codes.invalidAttempt, message: `A transaction's id is made of ${ID_BYTES} bytes` });
  }
  const bytes = from.slice();
  if (slot !== null) {
    const first = ((((bytes[0]! << 8) | bytes[1]!) & ~(SLOT_COUNT - 1)) | slot) & 0xffff;
    bytes[0] = first >> 8;
    bytes[1] = first & 0xff;
  }
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
