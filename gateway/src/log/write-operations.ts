// Composes the store operations of one write of a LocalLog: segments of the waiting entries, pairs of a checkpoint, and its seal.
import { encodeSegment, segmentHash } from './segment.ts';
import type { SegmentHeader } from './segment.ts';
import { REMOVE_RANGE, decodePairs, sealValue } from './pairs.ts';
import type { Tail } from './tail.ts';
import { segmentKey, lastOfSegmentKey, pairKey } from './store.ts';
import type { Seal, Store, StoreOperation } from './store.ts';

/** approximate size of the entries in one segment; the bytes of one append are never split */
const SEGMENT_BYTES = 1 << 20;

/** Returns the log's tail after these entries. */
export function addSegments(
  entries: readonly { bytes: Uint8Array; position: number }[],
  log: Pick<SegmentHeader, 'shard' | 'shards' | 'incarnation'> & { tail: Tail },
  operations: StoreOperation[],
): Tail {
  const { shard, shards, incarnation } = log;
  let { tail } = log;
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  entries.forEach((item, index) => {
    pieces.push(item.bytes);
    bytes += item.bytes.length;
    const next = entries[index + 1];
    if (next !== undefined && bytes + next.bytes.length <= SEGMENT_BYTES) return;
    const segment = encodeSegment({ shard, shards, incarnation, first: tail.last + 1, last: item.position, before: tail.hash }, pieces);
    operations.push({ type: 'put', key: segmentKey(item.position), value: segment });
    tail = { last: item.position, hash: segmentHash(segment) };
    [pieces, bytes] = [[], 0];
  });
  return tail;
}

export async function addPairs(pairs: Uint8Array, store: Store, operations: StoreOperation[]): Promise<void> {
  for (const { kind, key, value } of decodePairs(pairs)) {
    const full = pairKey(key);
    if (kind !== REMOVE_RANGE) {
      operations.push({ type: 'put', key: full, value: sealValue(key, value) });
      continue;
    }
    if (isNext(key, value)) {
      operations.push({ type: 'del', key: full });
      continue;
    }
    const end = pairKey(value);
    const before = operations.filter(({ key: other }) => Buffer.compare(full, other) <= 0 && Buffer.compare(other, end) < 0);
    for (const { key: other } of before) operations.push({ type: 'del', key: other });
    for await (const other of store.keys({ gte: full, lt: end })) operations.push({ type: 'del', key: other });
  }
}

/** No other key is from `key` on and below `below`. So a record is removed, and there may be 100,000 of them: nothing is looked up for one. */
function isNext(key: Uint8Array, below: Uint8Array): boolean {
  return below.length === key.length + 1 && below.at(-1) === 0 && Buffer.compare(key, below.subarray(0, -1)) === 0;
}

/**
 * The seal of a checkpoint at `position`: all segments without an entry after `position` can be removed. In an empty log, the tail is that
 * of the checkpoint. REQUIRES: all earlier segments are in the store.
 */
export async function sealAt(position: number, store: Store, { seal, tail }: { seal: Seal; tail: Tail }): Promise<Seal> {
  const range = { gt: segmentKey(seal.last), lte: segmentKey(position), reverse: true, limit: 1 };
  for await (const [key, segment] of store.iterator(range)) return { position, last: lastOfSegmentKey(key)!, before: segmentHash(segment) };
  const empty = seal.last === 0 && tail.last <= position;
  return empty ? { position, last: tail.last, before: tail.hash } : { ...seal, position };
}
