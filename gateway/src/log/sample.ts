// Sample data for tests of logs, and promises around a log's calls.
import type { KeptPiece, Log } from './log.ts';
import { PUT, REMOVE_RANGE, decodePairs } from './pairs.ts';

/** An entry in the core's outer encoding, which is all that a log parses: field 1 with a length. */
export function entry(position: number, bytes = 20): Uint8Array {
  const body = Buffer.alloc(bytes, position & 0xff);
  const length: number[] = [];
  for (let rest = bytes; ; rest >>>= 7) {
    length.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) break;
  }
  return Buffer.concat([Buffer.from([0x0a, ...length]), body]);
}

export const entries = (first: number, last: number, bytes?: number): Uint8Array =>
  Buffer.concat(Array.from({ length: last - first + 1 }, (_, n) => entry(first + n, bytes)));

const pair = (kind: number, key: string, value: string): Buffer => {
  const header = Buffer.alloc(9);
  header[0] = kind;
  header.writeUInt32LE(Buffer.byteLength(key), 1);
  header.writeUInt32LE(Buffer.byteLength(value), 5);
  return Buffer.concat([header, Buffer.from(key), Buffer.from(value)]);
};
export const put = (key: string, value: string): Buffer => pair(PUT, key, value);
export const remove = (from: string, to: string): Buffer => pair(REMOVE_RANGE, from, to);

export interface Kept {
  pairs: Record<string, string>;
  /** all entries, concatenated */
  entries: Buffer;
  count: number;
}

/** Applies pairs as a store would. */
export function applyPairs(to: Record<string, string>, pairs: Uint8Array): void {
  for (const { key, value } of decodePairs(pairs)) to[Buffer.from(key).toString()] = Buffer.from(value).toString();
}

export async function readAll(kept: AsyncIterable<KeptPiece>): Promise<Kept> {
  const pairs: Record<string, string> = {};
  const pieces: Uint8Array[] = [];
  let count = 0;
  for await (const piece of kept) {
    if ('entries' in piece) {
      pieces.push(piece.entries);
      count += piece.count;
    } else {
      applyPairs(pairs, piece.checkpoint);
    }
  }
  return { pairs, entries: Buffer.concat(pieces), count };
}

export const append = (log: Log, bytes: Uint8Array, position: number): Promise<number> =>
  new Promise((resolve) => log.append(bytes, position, resolve));
export const keep = (log: Log, pairs: Uint8Array): Promise<void> => new Promise((resolve) => log.keep(pairs, resolve));
export const seal = (log: Log, pairs: Uint8Array, position: number): Promise<void> =>
  new Promise((resolve) => log.seal(pairs, position, resolve));
