// Segment: a run of entries, which the store of a local log keeps under one key, and a replicated log in one message
// (docs/wire-format.md, "The log on disk", "The log on JetStream"). Numbers are little-endian:
//
//   segment := "CLOG" version(u8) 0(u8) shard(u16) shards(u16) incarnation(u64) first(u64) last(u64) count(u32)
//              before(16 bytes) length(u32) entries crc(u32)
//
// `first` and `last` are the positions of its `count` entries; `before` is the first 16 bytes of the SHA-256 of the whole previous segment
// (zeros in the first one); `crc` is the CRC-32C of everything before it.
import { hash } from 'node:crypto';
import { crc32c } from './crc32c.ts';

export const SEGMENT_VERSION = 1;
export const HASH_BYTES = 16;
export const NO_HASH: Uint8Array = new Uint8Array(HASH_BYTES);

const MAGIC = 0x474f4c43; // "CLOG"
const BEFORE_AT = 38;
const LENGTH_AT = BEFORE_AT + HASH_BYTES;
const HEADER_BYTES = LENGTH_AT + 4;
const CRC_BYTES = 4;

export interface SegmentHeader {
  shard: number;
  shards: number;
  incarnation: number;
  /** position of the first entry */
  first: number;
  /** position of the last entry */
  last: number;
  /** hash of the previous segment */
  before: Uint8Array;
}

export interface Segment extends SegmentHeader {
  entries: Uint8Array;
}

export function encodeSegment(head: SegmentHeader, entries: readonly Uint8Array[]): Uint8Array {
  const length = entries.reduce((sum, { length: bytes }) => sum + bytes, 0);
  const segment = new Uint8Array(HEADER_BYTES + length + CRC_BYTES);
  const view = new DataView(segment.buffer);
  view.setUint32(0, MAGIC, true);
  segment[4] = SEGMENT_VERSION;
  view.setUint16(6, head.shard, true);
  view.setUint16(8, head.shards, true);
  view.setBigUint64(10, BigInt(head.incarnation), true);
  view.setBigUint64(18, BigInt(head.first), true);
  view.setBigUint64(26, BigInt(head.last), true);
  view.setUint32(34, head.last - head.first + 1, true);
  segment.set(head.before, BEFORE_AT);
  view.setUint32(LENGTH_AT, length, true);
  let at = HEADER_BYTES;
  for (const piece of entries) {
    segment.set(piece, at);
    at += piece.length;
  }
  view.setUint32(at, crc32c(segment.subarray(0, at)), true);
  return segment;
}

/** Returns an error text if the bytes are not a valid segment of this version. */
export function decodeSegment(bytes: Uint8Array): Segment | string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES + CRC_BYTES || view.getUint32(0, true) !== MAGIC) return 'not a segment of a log';
  const length = view.getUint32(LENGTH_AT, true);
  const crcAt = HEADER_BYTES + length;
  if (crcAt + CRC_BYTES !== bytes.length) return 'a segment of the wrong length';
  if (view.getUint32(crcAt, true) !== crc32c(bytes.subarray(0, crcAt))) return 'a segment with a wrong checksum';
  if (bytes[4] !== SEGMENT_VERSION) return `a segment of version ${bytes[4]}, where this program reads version ${SEGMENT_VERSION}`;
  const [first, last] = [Number(view.getBigUint64(18, true)), Number(view.getBigUint64(26, true))];
  if (view.getUint32(34, true) !== last - first + 1) return 'a segment whose count contradicts its positions';
  return {
    shard: view.getUint16(6, true),
    shards: view.getUint16(8, true),
    incarnation: Number(view.getBigUint64(10, true)),
    first,
    last,
    before: bytes.subarray(BEFORE_AT, LENGTH_AT),
    entries: bytes.subarray(HEADER_BYTES, crcAt),
  };
}

/** The value of `before` in the next segment. */
export const segmentHash = (segment: Uint8Array): Uint8Array => hash('sha256', segment, 'buffer').subarray(0, HASH_BYTES);

/** The offset at which the first `count` of these entries end; undefined if there are fewer, or the bytes are not entries. */
export function endOfEntries(entries: Uint8Array, count: number): number | undefined {
  let at = 0;
  for (let n = 0; n < count; n++) {
    if (entries[at++] !== 0x0a) return undefined; // field 1, length-delimited
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

/** The entries with positions above `from` and up to `to`; undefined if the bytes are not the entries that their positions say. */
export function entriesWithin(
  { entries, first, last }: Pick<Segment, 'entries' | 'first' | 'last'>,
  from: number,
  to: number,
): { entries: Uint8Array; count: number } | undefined {
  const all = last - first + 1;
  const skipped = Math.min(all, Math.max(0, from - first + 1));
  const taken = Math.min(all, Math.max(0, to - first + 1));
  const [start, end] = [endOfEntries(entries, skipped), endOfEntries(entries, taken)];
  if (start === undefined || end === undefined || endOfEntries(entries, all) !== entries.length) return undefined;
  return { entries: entries.subarray(start, end), count: Math.max(0, taken - skipped) };
}
