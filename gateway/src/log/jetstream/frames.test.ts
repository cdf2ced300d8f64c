import { expect, test } from 'vitest';
import { decodeSegment, segmentHash } from '../segment.ts';
import { entries, entry, put } from '../sample.ts';
import { Chain } from './chain.ts';
import { EntriesReader } from './entries-reader.ts';
import { BODY_BYTES, NO_TAIL, cutEntries, cutPairs, encodeFrame } from './frames.ts';
import type { Piece, Tail } from './frames.ts';
import { Marks } from './marks.ts';
import { namesOf } from './names.ts';
import { differences, wantedConfig } from './stream-config.ts';

const WRITER = { shard: 0, shards: 1, incarnation: 1 };
const { log: NAMES } = namesOf('test', 0);

const bodyOf = (pieces: readonly Piece[]): Buffer => Buffer.concat(pieces.flatMap(({ body }) => [...body]));

function* messagesOf(pieces: Iterable<Piece>) {
  let tail: Tail = NO_TAIL;
  for (const piece of pieces) {
    const payload = encodeFrame(WRITER, tail, piece);
    tail = { sequence: tail.sequence + 1, last: piece.last, hash: segmentHash(payload) };
    yield { sequence: tail.sequence, subject: NAMES.entries, payload };
  }
}

test('entries larger than a message are cut, and every message says which of them end in it', () => {
  const all = Buffer.concat([entry(1, 10), entry(2, 2 * BODY_BYTES), entry(3, 10), entry(4, 10)]);
  const pieces = [...cutEntries(all, 0)];
  expect(pieces.map(({ last }) => last)).toEqual([1, 1, 4]);
  expect(bodyOf(pieces).equals(all)).toBe(true);
  expect(pieces.every(({ body }) => body.every(({ length }) => length <= BODY_BYTES))).toBe(true);
});

test('an entry that ends with a message counts in that message', () => {
  const overhead = entry(1, BODY_BYTES).length - BODY_BYTES;
  const pieces = [...cutEntries(Buffer.concat([entry(1, BODY_BYTES - overhead), entry(2, 5)]), 0)];
  expect(pieces.map(({ last }) => last)).toEqual([1, 2]);
});

test('the pairs of a call are counted by their last message, and a call without pairs has a message', () => {
  expect([...cutPairs(put('a', 'x'.repeat(BODY_BYTES)), 7)].map(({ last }) => last)).toEqual([6, 7]);
  expect([...cutPairs(new Uint8Array(0), 7)]).toMatchObject([{ last: 7 }]);
});

test('a reader joins what was cut, and gives the wanted entries', () => {
  const all = [entry(1, 10), entry(2, 3 * BODY_BYTES), entry(3, 10), entry(4, 10)];
  const reader = new EntriesReader({ names: NAMES, own: WRITER, from: NO_TAIL, position: 1, upTo: 3 });
  const found = [...messagesOf(cutEntries(Buffer.concat(all), 0))].map((message) => reader.take(message)).filter(Boolean);
  expect(found.reduce((sum, piece) => sum + piece!.count, 0)).toBe(2);
  expect(Buffer.concat(found.map((piece) => piece!.entries)).equals(Buffer.concat(all.slice(1, 3)))).toBe(true);
  expect(reader.isBetweenEntries).toBe(true);
});

test('a chain finds a message that is missing, repeated, changed, of another shard, or of another stream', () => {
  const [first, second] = [...messagesOf([...cutEntries(entries(1, 2), 0), ...cutEntries(entries(3, 4), 2)])];
  const after = (own = WRITER): Chain => {
    const chain = new Chain('stream', own, NO_TAIL);
    chain.next(first!);
    return chain;
  };
  expect(after().next(second!)).toMatchObject({ first: 3, last: 4 });
  expect(() => new Chain('stream', WRITER, NO_TAIL).next(second!)).toThrow('stream, message 1: messages 1 to 1 are missing');
  expect(() => after().next(first!)).toThrow('stream, message 1: it came again');
  expect(() => after().next({ ...second!, payload: second!.payload.with(70, 1) })).toThrow('a segment with a wrong checksum');
  expect(() => after({ ...WRITER, shards: 2 })).toThrow('it is of shard 0 of 1');
  expect(() => after().next({ ...first!, sequence: 2 })).toThrow('it does not follow the message before it');
  expect(decodeSegment(first!.payload)).toMatchObject({ first: 1, last: 2, incarnation: 1 });
});

test('a mark is behind no entry that is needed', () => {
  const place = (sequence: number, last: number): Tail => ({ ...NO_TAIL, sequence, last });
  const marks = new Marks(NO_TAIL);
  for (let n = 1; n <= 10; n++) marks.add(place(n, 10 * n), 1 << 16);
  expect(marks.before(55)).toEqual(place(5, 50));
  expect(marks.before(50)).toEqual(place(5, 50));
  expect(marks.before(9)).toEqual(NO_TAIL);
  marks.drop(place(5, 50));
  expect(marks.before(70)).toEqual(place(7, 70));
  expect(marks.before(40)).toEqual(place(5, 50));
});

test('every difference of a stream from the wanted configuration is named, and defaults that are left out are none', () => {
  const wanted = wantedConfig('stream', 'subject.*', 3);
  const { persist_mode: _, mirror_direct: __, ...told } = wanted;
  expect(differences(wanted, told)).toEqual([]);
  expect(differences(wanted, { ...told, max_age: 5, allow_direct: true, republish: { src: 'a', dest: 'b' } })).toEqual([
    'max_age is 5, and has to be 0',
    'allow_direct is true, and has to be false',
    'republish is set, and must not be',
  ]);
});
