// Pairs of a checkpoint in the core's encoding (docs/wire-format.md, "Checkpoints"):
//
//   pairs := (kind(u8) key_length(u32 LE) value_length(u32 LE) key value)*       kind 0: put; kind 1: remove keys in [key, value)
//
// A stored value ends with the CRC-32C of key and value, since LevelDB does not verify its own checksums when it compacts.
import { crc32c } from './crc32c.ts';

export const PUT = 0;
export const REMOVE_RANGE = 1;

const HEADER_BYTES = 9;
const CRC_BYTES = 4;
/** The first byte of a record's key (server-core/src/wire/checkpoint.h): other pairs are parts of large records, and what is known of sessions. */
const RECORD = 2;

export interface Pair {
  kind: number;
  key: Uint8Array;
  value: Uint8Array;
}

/** The bytes come from the core; throws if they are not pairs. */
export function* decodePairs(pairs: Uint8Array): Generator<Pair> {
  const view = new DataView(pairs.buffer, pairs.byteOffset, pairs.byteLength);
  for (let at = 0; at < pairs.length;) {
    const keyAt = at + HEADER_BYTES;
    const valueAt = keyAt + view.getUint32(at + 1, true);
    const end = valueAt + view.getUint32(at + 5, true);
    const kind = pairs[at]!;
    if (end > pairs.length || kind > REMOVE_RANGE) throw new Error('invalid pairs of a checkpoint');
    yield { kind, key: pairs.subarray(keyAt, valueAt), value: pairs.subarray(valueAt, end) };
    at = end;
  }
}

/** Collects puts and encodes them. */
export class PairPiece {
  /** how many of the pairs are records */
  records = 0;
  bytes = 0;
  #buffers: Uint8Array[] = [];

  add(key: Uint8Array, value: Uint8Array): void {
    const header = new Uint8Array(HEADER_BYTES);
    const view = new DataView(header.buffer);
    view.setUint32(1, key.length, true);
    view.setUint32(5, value.length, true);
    this.#buffers.push(header, key, value);
    this.bytes += HEADER_BYTES + key.length + value.length;
    if (key[0] === RECORD) this.records++;
  }

  take(): Uint8Array {
    const pairs = Buffer.concat(this.#buffers, this.bytes);
    this.#buffers = [];
    this.records = this.bytes = 0;
    return pairs;
  }
}

export function sealValue(key: Uint8Array, value: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(value.length + CRC_BYTES);
  sealed.set(value);
  new DataView(sealed.buffer).setUint32(value.length, crc32c(value, crc32c(key)), true);
  return sealed;
}

/** Null if the checksum does not match. */
export function openValue(key: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  const length = sealed.length - CRC_BYTES;
  if (length < 0) return null;
  const value = sealed.subarray(0, length);
  const crc = new DataView(sealed.buffer, sealed.byteOffset + length, CRC_BYTES).getUint32(0, true);
  return crc === crc32c(value, crc32c(key)) ? value : null;
}
