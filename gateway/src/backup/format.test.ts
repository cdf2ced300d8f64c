// The file of a backup: it is read back as written, and any change, truncation or reordering is detected.
import { describe, expect, test } from 'vitest';
import type { KeptPiece } from '../log/log.ts';
import { entries, put } from '../log/sample.ts';
import type { BackupBegin } from './format.ts';
import { Kind, MAGIC, NO_SHARD, encodeChunk, encodePiece, jsonPayload } from './format.ts';
import { BackupDamaged, readBackup } from './read-backup.ts';
import type { BackupPiece } from './read-backup.ts';
import { inPieces } from './testing.ts';

const BEGIN = { format: 2, cluster_name: 'claret', shards: 2, dealt_shards: 2, at: '123456789012345678', made_at_ms: 1_700_000_000_000 };

function chunksOf(shard: number, pieces: KeptPiece[], position: number, end: { records: number; entries: number }): Buffer[] {
  return [
    encodeChunk(Kind.shardBegin, shard, 0, jsonPayload({ incarnation: 7 + shard, position })),
    ...pieces.map((piece, i) => encodePiece(shard, i + 1, piece)),
    encodeChunk(Kind.shardEnd, shard, pieces.length + 1, jsonPayload(end)),
  ];
}

const zero: KeptPiece[] = [
  { checkpoint: Buffer.concat([put('a', '1'), put('b', '2')]), records: 2 },
  { checkpoint: put('c', '3'), records: 1 },
  { entries: entries(5, 7), count: 3 },
];
const one: KeptPiece[] = [{ entries: entries(1, 2), count: 2 }];
const begin = encodeChunk(Kind.begin, NO_SHARD, 0, jsonPayload(BEGIN));
const shards = [...chunksOf(0, zero, 7, { records: 3, entries: 3 }), ...chunksOf(1, one, 2, { records: 0, entries: 2 })];
const trailer = encodeChunk(Kind.trailer, NO_SHARD, 1, jsonPayload({ frames: shards.length }));
const CHUNKS = [begin, ...shards, trailer];
const fileOf = (chunks: Buffer[]): Buffer => Buffer.concat([MAGIC, ...chunks]);
const FILE = fileOf(CHUNKS);

async function read(bytes: Uint8Array, pieceBytes = 1 << 16): Promise<BackupPiece[]> {
  const all: BackupPiece[] = [];
  for await (const piece of readBackup(inPieces(bytes, pieceBytes))) all.push(piece);
  return all;
}

async function refusal(bytes: Uint8Array): Promise<BackupDamaged> {
  try {
    await read(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(BackupDamaged);
    return error as BackupDamaged;
  }
  throw new Error('it was taken for a whole backup');
}

test.each([1, 7, 64, 1 << 16])('a file is read back as written, in buffers of %i bytes', async (pieceBytes) => {
  expect(JSON.stringify(await read(FILE, pieceBytes))).toBe(
    JSON.stringify([
      { begin: BEGIN },
      { shardBegin: { incarnation: 7, position: 7 }, shard: 0 },
      ...zero.map((piece) => ({
        piece:
          'entries' in piece
            ? { entries: Buffer.from(piece.entries), count: piece.count }
            : { checkpoint: piece.checkpoint, records: piece.records },
        shard: 0,
      })),
      { shardEnd: { records: 3, entries: 3 }, shard: 0 },
      { shardBegin: { incarnation: 8, position: 2 }, shard: 1 },
      { piece: { entries: Buffer.from((one[0] as { entries: Uint8Array }).entries), count: 2 }, shard: 1 },
      { shardEnd: { records: 0, entries: 2 }, shard: 1 },
      { whole: { chunks: shards.length, bytes: FILE.length } },
    ]),
  );
});

test('a file of format 1 is of a cluster whose slots were dealt among all its shards', async () => {
  const { dealt_shards: _, ...old } = BEGIN;
  const [first] = await read(
    fileOf([encodeChunk(Kind.begin, NO_SHARD, 0, jsonPayload({ ...old, format: 1 } as BackupBegin)), ...shards, trailer]),
  );
  expect(first).toEqual({ begin: { ...old, format: 1, dealt_shards: 2 } });
});

test('a change of any byte is detected, with its offset', async () => {
  for (let at = 0; at < FILE.length; at++) {
    for (const bit of [1, 0x80]) {
      const damaged = Buffer.from(FILE);
      damaged[at]! ^= bit;
      const { offset, message } = await refusal(damaged);
      expect(message).toContain(`offset ${offset}`);
      // The offset is that of the chunk, or the end of the file if the chunk's length was changed.
      expect(offset <= at || offset === FILE.length, `byte ${at}: ${message}`).toBe(true);
    }
  }
});

test('a truncated file is detected at any length, with the offset of its end', async () => {
  for (let length = 0; length < FILE.length; length++) {
    const { offset } = await refusal(FILE.subarray(0, length));
    expect(offset).toBe(length < MAGIC.length ? 0 : length);
  }
});

describe('a file of valid chunks, but', () => {
  const rows: [string, Buffer[], RegExp][] = [
    ...CHUNKS.map((_, at): [string, Buffer[], RegExp] => [`without chunk ${at}`, CHUNKS.toSpliced(at, 1), /./]),
    ...CHUNKS.map((chunk, at): [string, Buffer[], RegExp] => [`with chunk ${at} twice`, CHUNKS.toSpliced(at, 0, chunk), /./]),
    [
      'with two pieces exchanged',
      CHUNKS.with(2, CHUNKS[3]!).with(3, CHUNKS[2]!),
      /chunk 2 of shard 0 stands where chunk 1 of shard 0 should/,
    ],
    [
      'with the shards exchanged',
      [begin, ...shards.slice(5), ...shards.slice(0, 5), trailer],
      /chunk 0 of shard 1 stands where chunk 0 of shard 0 should/,
    ],
    [
      'with a wrong count in the trailer',
      [begin, ...shards, encodeChunk(Kind.trailer, NO_SHARD, 1, jsonPayload({ frames: 1 }))],
      /the trailer counts 1 chunks/,
    ],
    [
      "with a wrong count in a shard's end",
      [begin, ...chunksOf(0, zero, 7, { records: 3, entries: 2 }), ...shards.slice(5), trailer],
      /does not hold what its end tells/,
    ],
    [
      'with more entries than positions',
      [begin, ...chunksOf(0, zero, 2, { records: 3, entries: 3 }), ...shards.slice(5), trailer],
      /does not hold what its end tells/,
    ],
    [
      'of another format',
      [encodeChunk(Kind.begin, NO_SHARD, 0, jsonPayload({ ...BEGIN, format: 3 })), ...shards, trailer],
      /written in format 3; this version reads 1 to 2/,
    ],
    ['with a chunk of an unknown kind', CHUNKS.toSpliced(2, 1, encodeChunk(9 as 1, 0, 1, Buffer.alloc(4))), /a chunk of kind 9/],
    ['with a piece too short for its count', CHUNKS.toSpliced(2, 1, encodeChunk(Kind.entries, 0, 1, Buffer.alloc(3))), /without its count/],
    ['with content that is not JSON', CHUNKS.toSpliced(1, 1, encodeChunk(Kind.shardBegin, 0, 0, Buffer.from('{'))), /does not know/],
    ['with bytes after the trailer', [...CHUNKS, Buffer.from([0])], /something follows the trailer/],
  ];
  test.each(rows)('%s', async (_name, chunks, message) => {
    expect((await refusal(fileOf(chunks))).message).toMatch(message);
  });
});

test('a file that is not a backup is reported as such', async () => {
  expect((await refusal(Buffer.from('PK\u0003\u0004 some archive'))).message).toBe('offset 0: this is no backup');
});

test('an impossible length is refused before that many bytes are read', async () => {
  const chunk = Buffer.from(begin);
  chunk.writeUInt32LE(0xffff_fff0, 0);
  expect((await refusal(fileOf([chunk]))).message).toMatch(/a chunk of 4294967280 bytes/);
});
