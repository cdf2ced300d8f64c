// The file of a backup (docs/wire-format.md, "Backups"), as bytes:
//
//   file  := "CLARETBK" frame(begin) part* frame(trailer)     a part for each shard, in their order
//   part  := frame(part) frame(checkpoint)* frame(entries)* frame(part_end)
//   frame := length:u32 kind:u8 shard:u16 number:u32 payload crc:u32        little-endian
//
// `length` is the payload's; `crc` is CRC-32C of all before it in the frame. Frames are numbered from 0: a part's by themselves,
// begin and trailer (shard 0xFFFF) by themselves. So what was cut out, doubled or moved is seen, and so is a file without its end.
// begin, part, part_end and trailer carry JSON; checkpoint is records:u32 pairs, entries is count:u32 entries.
import { crc32c } from '../log/crc32c.ts';
import type { KeptPiece } from '../log/log.ts';

export const MAGIC = Buffer.from('CLARETBK', 'latin1');
export const FORMAT = 1;
/** Frames of no part. */
export const WHOLE = 0xffff;
export const HEAD_BYTES = 11;
export const CRC_BYTES = 4;
/** Above all that a shard can hand out at once; a length beyond it is damage. */
export const PAYLOAD_BYTES_MAX = 2 ** 30;

export const Kind = { begin: 1, part: 2, checkpoint: 3, entries: 4, partEnd: 5, trailer: 6 } as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

export interface BackupBegin {
  format: number;
  cluster_name: string;
  shards: number;
  /** the cut: no timestamp in the file is above it, all later ones are; in decimal */
  at: string;
  /** wall time in ms */
  made_at_ms: number;
}

export interface PartBegin {
  incarnation: number;
  /** of the last entry inside the cut */
  position: number;
}

export interface PartEnd {
  records: number;
  entries: number;
}

export interface BackupTrailer {
  /** of all parts */
  frames: number;
}

export interface FrameHead {
  kind: number;
  shard: number;
  number: number;
  payloadBytes: number;
}

const COUNT_BYTES = 4;

/** `payload` in one piece or several. */
export function encodeFrame(kind: Kind, shard: number, number: number, ...payload: Uint8Array[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(
    payload.reduce((sum, { length }) => sum + length, 0),
    0,
  );
  head.writeUInt8(kind, 4);
  head.writeUInt16LE(shard, 5);
  head.writeUInt32LE(number, 7);
  const crc = Buffer.alloc(CRC_BYTES);
  crc.writeUInt32LE(payload.reduce((sum, piece) => crc32c(piece, sum), crc32c(head)));
  return Buffer.concat([head, ...payload, crc]);
}

export const jsonPayload = (content: BackupBegin | PartBegin | PartEnd | BackupTrailer): Buffer => Buffer.from(JSON.stringify(content));

export function encodePiece(shard: number, number: number, piece: KeptPiece): Buffer {
  const [kind, count, bytes] =
    'entries' in piece
      ? ([Kind.entries, piece.count, piece.entries] as const)
      : ([Kind.checkpoint, piece.records, piece.checkpoint] as const);
  const counted = Buffer.alloc(COUNT_BYTES);
  counted.writeUInt32LE(count);
  return encodeFrame(kind, shard, number, counted, bytes);
}

/** REQUIRES: at least HEAD_BYTES. */
export function decodeHead(bytes: Buffer): FrameHead {
  return { payloadBytes: bytes.readUInt32LE(0), kind: bytes.readUInt8(4), shard: bytes.readUInt16LE(5), number: bytes.readUInt32LE(7) };
}

/** Of a checkpoint or entries frame; undefined where it is too short. */
export function decodePiece(kind: number, payload: Buffer): KeptPiece | undefined {
  if (payload.length < COUNT_BYTES) return undefined;
  const [count, bytes] = [payload.readUInt32LE(0), payload.subarray(COUNT_BYTES)];
  return kind === Kind.entries ? { entries: bytes, count } : { checkpoint: bytes, records: count };
}
