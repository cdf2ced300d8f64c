// Frame: what one write of the log keeps of the entries, under one key (docs/wire-format.md, "The log on disk"). Numbers are
// little-endian:
//
//   frame := "CLOG" version(u8) 0(u8) shard(u16) shards(u16) incarnation(u64) first(u64) last(u64) count(u32)
//            before(16 bytes) length(u32) entries crc(u32)
//
// `first` and `last` are positions, `count` of them; `before` begins the SHA-256 of the whole frame before (zeros: there was
// none); `crc` is the CRC-32C of all before it.
import { hash } from 'node:crypto';
import { crc32c } from './crc32c.ts';

export const FRAME_VERSION = 1;
export const HASH_BYTES = 16;
export const NO_HASH: Uint8Array = new Uint8Array(HASH_BYTES);

const MAGIC = 0x474f4c43; // "CLOG"
const BEFORE_AT = 38;
const LENGTH_AT = BEFORE_AT + HASH_BYTES;
const HEADER_BYTES = LENGTH_AT + 4;
const CRC_BYTES = 4;

export interface FrameHead {
  shard: number;
  shards: number;
  incarnation: number;
  /** positions */
  first: number;
  last: number;
  before: Uint8Array;
}

export interface Frame extends FrameHead {
  entries: Uint8Array;
}

export function encodeFrame(head: FrameHead, entries: readonly Uint8Array[]): Uint8Array {
  const length = entries.reduce((sum, { length: bytes }) => sum + bytes, 0);
  const frame = new Uint8Array(HEADER_BYTES + length + CRC_BYTES);
  const view = new DataView(frame.buffer);
  view.setUint32(0, MAGIC, true);
  frame[4] = FRAME_VERSION;
  view.setUint16(6, head.shard, true);
  view.setUint16(8, head.shards, true);
  view.setBigUint64(10, BigInt(head.incarnation), true);
  view.setBigUint64(18, BigInt(head.first), true);
  view.setBigUint64(26, BigInt(head.last), true);
  view.setUint32(34, head.last - head.first + 1, true);
  frame.set(head.before, BEFORE_AT);
  view.setUint32(LENGTH_AT, length, true);
  let at = HEADER_BYTES;
  for (const piece of entries) {
    frame.set(piece, at);
    at += piece.length;
  }
  view.setUint32(at, crc32c(frame.subarray(0, at)), true);
  return frame;
}

/** What is wrong with the bytes, in words, where they are not a whole frame of this version. */
export function decodeFrame(bytes: Uint8Array): Frame | string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES + CRC_BYTES || view.getUint32(0, true) !== MAGIC) return 'not a frame of a log';
  const length = view.getUint32(LENGTH_AT, true);
  const crcAt = HEADER_BYTES + length;
  if (crcAt + CRC_BYTES !== bytes.length) return 'a frame of the wrong length';
  if (view.getUint32(crcAt, true) !== crc32c(bytes.subarray(0, crcAt))) return 'a frame with a wrong checksum';
  if (bytes[4] !== FRAME_VERSION) return `a frame of version ${bytes[4]}, where this program reads version ${FRAME_VERSION}`;
  const [first, last] = [Number(view.getBigUint64(18, true)), Number(view.getBigUint64(26, true))];
  if (view.getUint32(34, true) !== last - first + 1) return 'a frame whose count contradicts its positions';
  return {
    ...{ shard: view.getUint16(6, true), shards: view.getUint16(8, true), incarnation: Number(view.getBigUint64(10, true)) },
    ...{ first, last, before: bytes.subarray(BEFORE_AT, LENGTH_AT), entries: bytes.subarray(HEADER_BYTES, crcAt) },
  };
}

/** What the frame after it names as `before`. */
export const frameHash = (frame: Uint8Array): Uint8Array => hash('sha256', frame, 'buffer').subarray(0, HASH_BYTES);

/** Where the first `count` of these entries end; undefined where there are fewer, or they are no entries. */
export function endOfEntries(entries: Uint8Array, count: number): number | undefined {
  let at = 0;
  for (let n = 0; n < count; n++) {
    if (entries[at++] !== 0x0a) return undefined; // field 1, with a length
    let length = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = entries[at++];
      if (byte === undefined || scale > 2 ** 28) return undefined;
      length += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    at += length;
  }
  return at <= entries.length ? at : undefined;
}
