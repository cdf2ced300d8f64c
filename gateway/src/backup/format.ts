// The file of a backup (docs/wire-format.md, "Backups"), as bytes:
//
//   file  := "CLARETBK" chunk(begin) shard* chunk(trailer)     the shards in the order of their numbers
//   shard := chunk(shard_begin) chunk(checkpoint)* chunk(entries)* chunk(shard_end)
//   chunk := length:u32 kind:u8 shard:u16 number:u32 payload crc:u32        little-endian
//
// `length` is the payload's; `crc` is the CRC-32C of everything before it in the chunk. Chunks are numbered from 0 within each shard;
// begin and trailer (shard 0xFFFF) have a numbering of their own. So a missing, repeated or moved chunk and a truncated file are detected.
// begin, shard_begin, shard_end and trailer carry JSON; checkpoint is records:u32 pairs, entries is count:u32 entries.
import { crc32c } from '../log/crc32c.ts';
import type { KeptPiece } from '../log/log.ts';

export const MAGIC = Buffer.from('CLARETBK', 'latin1');
export const FORMAT = 2;
/** without `dealt_shards`: slots did not move */
export const FORMAT_OLDEST = 1;
/** the shard number of begin and trailer */
export const NO_SHARD = 0xffff;
export const HEADER_BYTES = 11;
export const CRC_BYTES = 4;
/** more than a shard can hand out at once, so a greater length is damage */
export const PAYLOAD_BYTES_MAX = 2 ** 30;

export const Kind = { begin: 1, shardBegin: 2, checkpoint: 3, entries: 4, shardEnd: 5, trailer: 6 } as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

export interface BackupBegin {
  format: number;
  cluster_name: string;
  shards: number;
  /** the number of the first of them among which the slots were dealt at first; the others joined */
  dealt_shards: number;
  /** timestamp of the cut, in decimal: no timestamp in the file is above it, all later ones are */
  at: string;
  /** wall time in ms */
  made_at_ms: number;
}

export interface ShardBegin {
  incarnation: number;
  /** position of the last entry inside the cut */
  position: number;
}

export interface ShardEnd {
  records: number;
  entries: number;
}

export interface BackupTrailer {
  /** number of chunks of all shards (the member's name is part of the format) */
  frames: number;
}

export interface ChunkHeader {
  kind: number;
  shard: number;
  number: number;
  payloadBytes: number;
}

const COUNT_BYTES = 4;

/** `payload`: one or more buffers, concatenated */
export function encodeChunk(kind: Kind, shard: number, number: number, ...payload: Uint8Array[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(
    payload.reduce((sum, { length }) => sum + length, 0),
    0,
  );
  header.writeUInt8(kind, 4);
  header.writeUInt16LE(shard, 5);
  header.writeUInt32LE(number, 7);
  const crc = Buffer.alloc(CRC_BYTES);
  crc.writeUInt32LE(payload.reduce((sum, piece) => crc32c(piece, sum), crc32c(header)));
  return Buffer.concat([header, ...payload, crc]);
}

export const jsonPayload = (content: BackupBegin | ShardBegin | ShardEnd | BackupTrailer): Buffer => Buffer.from(JSON.stringify(content));

export function encodePiece(shard: number, number: number, piece: KeptPiece): Buffer {
  const [kind, count, bytes] =
    'entries' in piece
      ? ([Kind.entries, piece.count, piece.entries] as const)
      : ([Kind.checkpoint, piece.records, piece.checkpoint] as const);
  const counted = Buffer.alloc(COUNT_BYTES);
  counted.writeUInt32LE(count);
  return encodeChunk(kind, shard, number, counted, bytes);
}

/** REQUIRES: at least HEADER_BYTES bytes. */
export function decodeHeader(bytes: Buffer): ChunkHeader {
  return { payloadBytes: bytes.readUInt32LE(0), kind: bytes.readUInt8(4), shard: bytes.readUInt16LE(5), number: bytes.readUInt32LE(7) };
}

/** Decodes the payload of a checkpoint or entries chunk; undefined if it is too short. */
export function decodePiece(kind: number, payload: Buffer): KeptPiece | undefined {
  if (payload.length < COUNT_BYTES) return undefined;
  const [count, bytes] = [payload.readUInt32LE(0), payload.subarray(COUNT_BYTES)];
  return kind === Kind.entries ? { entries: bytes, count } : { checkpoint: bytes, records: count };
}
