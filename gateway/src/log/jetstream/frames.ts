// Frames: the payloads of both streams' messages. Each is a segment (segment.ts), so it says its shard and start, is checked by a sum, and
// follows one certain message. A body of entries or pairs that is too large for a message continues in the next ones:
//
//   entries   `first` is the first entry that ends in this message or behind it, `last` the last one that ends in it. A message in which
//             no entry ends has `last` = `first` - 1.
//   pairs     The calls of `keep` and `seal` are numbered. Only the last message of a call counts it; `last` = `first` - 1 in the others.
import { HASH_BYTES, NO_HASH, encodeSegment, endOfEntries } from '../segment.ts';
import type { SegmentHeader } from '../segment.ts';
import type { Mark } from './bodies.ts';

/** Limit on a message's body. The payload is a little larger; a server must take twice as much (connection.ts). */
export const BODY_BYTES = 512 << 10;

const NOTHING = new Uint8Array(0);

/** The shard and start that write a frame. */
export type Writer = Pick<SegmentHeader, 'shard' | 'shards' | 'incarnation'>;

/** The end of a stream: the next message follows it. */
export interface Tail {
  sequence: number;
  /** the last position up to here */
  last: number;
  hash: Uint8Array;
}

export const NO_TAIL: Tail = { sequence: 0, last: 0, hash: NO_HASH };

export const markOf = ({ sequence, last, hash }: Tail): Mark => ({ sequence, last, hash: Buffer.from(hash).toString('hex') });

/** Undefined if the mark's hash is none. */
export function tailOf({ sequence, last, hash }: Mark): Tail | undefined {
  const bytes = Buffer.from(hash, 'hex');
  return bytes.length === HASH_BYTES ? { sequence, last, hash: bytes } : undefined;
}

export const encodeFrame = (writer: Writer, tail: Tail, { last, body }: Piece): Uint8Array =>
  encodeSegment({ ...writer, first: tail.last + 1, last, before: tail.hash }, body);

/** What one message holds. */
export interface Piece {
  last: number;
  body: readonly Uint8Array[];
}

/** Cuts the entries after `after` into messages' bodies. */
export function* cutEntries(entries: Uint8Array, after: number): Generator<Piece> {
  let last = after;
  let ends = 0; // where the entry `last` ends
  for (let at = 0; at < entries.length; at += BODY_BYTES) {
    const to = Math.min(at + BODY_BYTES, entries.length);
    for (;;) {
      const length = endOfEntries(entries.subarray(ends), 1);
      if (length === undefined || ends + length > to) break;
      ends += length;
      last++;
    }
    yield { last, body: [entries.subarray(at, to)] };
  }
}

/** Cuts the pairs of the call `number` into messages' bodies. */
export function* cutPairs(pairs: Uint8Array, number: number): Generator<Piece> {
  for (let at = 0; at === 0 || at < pairs.length; at += BODY_BYTES) {
    const to = Math.min(at + BODY_BYTES, pairs.length);
    yield { last: to === pairs.length ? number : number - 1, body: [to === 0 ? NOTHING : pairs.subarray(at, to)] };
  }
}
