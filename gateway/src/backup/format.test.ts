// The file of a backup: what was written is read, and nothing that was changed, cut or moved.
import { describe, expect, test } from 'vitest';
import type { KeptPiece } from '../log/log.ts';
import { entries, put } from '../log/sample.ts';
import { Kind, MAGIC, WHOLE, encodeFrame, encodePiece, jsonPayload } from './format.ts';
import { BackupDamaged, readBackup } from './read-backup.ts';
import type { BackupPiece } from './read-backup.ts';
import { inPieces } from './testing.ts';

const BEGIN = { format: 1, cluster_name: 'claret', shards: 2, at: '123456789012345678', made_at_ms: 1_700_000_000_000 };

function part(shard: number, pieces: KeptPiece[], position: number, end: { records: number; entries: number }): Buffer[] {
  return [
    encodeFrame(Kind.part, shard, 0, jsonPayload({ incarnation: 7 + shard, position })),
    ...pieces.map((piece, i) => encodePiece(shard, i + 1, piece)),
    encodeFrame(Kind.partEnd, shard, pieces.length + 1, jsonPayload(end)),
  ];
}

const zero: KeptPiece[] = [
  { checkpoint: Buffer.concat([put('a', '1'), put('b', '2')]), records: 2 },
  { checkpoint: put('c', '3'), records: 1 },
  { entries: entries(5, 7), count: 3 },
];
const one: KeptPiece[] = [{ entries: entries(1, 2), count: 2 }];
const head = encodeFrame(Kind.begin, WHOLE, 0, jsonPayload(BEGIN));
const parts = [...part(0, zero, 7, { records: 3, entries: 3 }), ...part(1, one, 2, { records: 0, entries: 2 })];
const trailer = encodeFrame(Kind.trailer, WHOLE, 1, jsonPayload({ frames: parts.length }));
const FRAMES = [head, ...parts, trailer];
const fileOf = (frames: Buffer[]): Buffer => Buffer.concat([MAGIC, ...frames]);
const FILE = fileOf(FRAMES);

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

test.each([1, 7, 64, 1 << 16])('what was written is read, in pieces of %i bytes', async (pieceBytes) => {
  const told = await read(FILE, pieceBytes);
  const buffers = JSON.stringify(told);
  expect(buffers).toBe(
    JSON.stringify([
      { begin: BEGIN },
      { part: { incarnation: 7, position: 7 }, shard: 0 },
      ...zero.map((piece) => ({
        piece:
          'entries' in piece
            ? { entries: Buffer.from(piece.entries), count: piece.count }
            : { checkpoint: piece.checkpoint, records: piece.records },
        shard: 0,
      })),
      { partEnd: { records: 3, entries: 3 }, shard: 0 },
      { part: { incarnation: 8, position: 2 }, shard: 1 },
      { piece: { entries: Buffer.from((one[0] as { entries: Uint8Array }).entries), count: 2 }, shard: 1 },
      { partEnd: { records: 0, entries: 2 }, shard: 1 },
      { whole: { frames: parts.length, bytes: FILE.length } },
    ]),
  );
});

test('a byte that was changed, anywhere, is found, and the place is told', async () => {
  for (let at = 0; at < FILE.length; at++) {
    for (const bit of [1, 0x80]) {
      const damaged = Buffer.from(FILE);
      damaged[at]! ^= bit;
      const { offset, message } = await refusal(damaged);
      expect(message).toContain(`offset ${offset}`);
      // The frame that it is in, or where the file ends when its length was changed.
      expect(offset <= at || offset === FILE.length, `byte ${at}: ${message}`).toBe(true);
    }
  }
});

test('a file that ends early, anywhere, is found, and where it ends is told', async () => {
  for (let length = 0; length < FILE.length; length++) {
    const { offset } = await refusal(FILE.subarray(0, length));
    expect(offset).toBe(length < MAGIC.length ? 0 : length);
  }
});

describe('whole frames with good checksums, but', () => {
  const rows: [string, Buffer[], RegExp][] = [
    ...FRAMES.map((_, at): [string, Buffer[], RegExp] => [`without frame ${at}`, FRAMES.toSpliced(at, 1), /./]),
    ...FRAMES.map((frame, at): [string, Buffer[], RegExp] => [`with frame ${at} twice`, FRAMES.toSpliced(at, 0, frame), /./]),
    [
      'with two pieces exchanged',
      FRAMES.with(2, FRAMES[3]!).with(3, FRAMES[2]!),
      /frame 2 of shard 0 stands where frame 1 of shard 0 should/,
    ],
    [
      'with the parts exchanged',
      [head, ...parts.slice(5), ...parts.slice(0, 5), trailer],
      /frame 0 of shard 1 stands where frame 0 of shard 0 should/,
    ],
    [
      'with a trailer that counts otherwise',
      [head, ...parts, encodeFrame(Kind.trailer, WHOLE, 1, jsonPayload({ frames: 1 }))],
      /the trailer tells of 1 frames/,
    ],
    [
      'with a part that counts otherwise',
      [head, ...part(0, zero, 7, { records: 3, entries: 2 }), ...parts.slice(5), trailer],
      /does not hold what its end tells/,
    ],
    [
      'with more entries than positions',
      [head, ...part(0, zero, 2, { records: 3, entries: 3 }), ...parts.slice(5), trailer],
      /does not hold what its end tells/,
    ],
    [
      'of another format',
      [encodeFrame(Kind.begin, WHOLE, 0, jsonPayload({ ...BEGIN, format: 2 })), ...parts, trailer],
      /written in format 2; this version reads 1/,
    ],
    ['with a frame of a kind that there is not', FRAMES.toSpliced(2, 1, encodeFrame(9 as 1, 0, 1, Buffer.alloc(4))), /a frame of kind 9/],
    ['with a piece too short for its count', FRAMES.toSpliced(2, 1, encodeFrame(Kind.entries, 0, 1, Buffer.alloc(3))), /without its count/],
    ['with content that is no JSON', FRAMES.toSpliced(1, 1, encodeFrame(Kind.part, 0, 0, Buffer.from('{'))), /does not know/],
    ['with something behind its end', [...FRAMES, Buffer.from([0])], /something follows the trailer/],
  ];
  test.each(rows)('%s', async (_name, frames, message) => {
    expect((await refusal(fileOf(frames))).message).toMatch(message);
  });
});

test('what is no backup at all is told so', async () => {
  expect((await refusal(Buffer.from('PK\u0003\u0004 some archive'))).message).toBe('offset 0: this is no backup');
});

test('a length that cannot be is refused before so much is read', async () => {
  const frame = Buffer.from(head);
  frame.writeUInt32LE(0xffff_fff0, 0);
  expect((await refusal(fileOf([frame]))).message).toMatch(/a frame of 4294967280 bytes/);
});
