// What one write of a LocalLog is made of: frames of the entries that wait, pairs of a checkpoint, its seal.
import { encodeFrame, frameHash } from './frame.ts';
import type { FrameHead } from './frame.ts';
import { REMOVE_RANGE, decodePairs, sealValue } from './pairs.ts';
import type { Tail } from './tail.ts';
import { frameKey, lastOfFrameKey, pairKey } from './store.ts';
import type { Seal, Store, StoreOperation } from './store.ts';

/** Of the entries in one frame: about, since what was given at once stays together. */
const FRAME_BYTES = 1 << 20;

/** What the log ends with after these entries. */
export function addFrames(
  entries: readonly { bytes: Uint8Array; position: number }[],
  ground: Pick<FrameHead, 'shard' | 'shards' | 'incarnation'> & { tail: Tail },
  operations: StoreOperation[],
): Tail {
  const { shard, shards, incarnation } = ground;
  let { tail } = ground;
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  entries.forEach((item, index) => {
    pieces.push(item.bytes);
    bytes += item.bytes.length;
    const next = entries[index + 1];
    if (next !== undefined && bytes + next.bytes.length <= FRAME_BYTES) return;
    const frame = encodeFrame({ shard, shards, incarnation, first: tail.last + 1, last: item.position, before: tail.hash }, pieces);
    operations.push({ type: 'put', key: frameKey(item.position), value: frame });
    tail = { last: item.position, hash: frameHash(frame) };
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
    const end = pairKey(value);
    const before = operations.filter(({ key: other }) => Buffer.compare(full, other) <= 0 && Buffer.compare(other, end) < 0);
    for (const { key: other } of before) operations.push({ type: 'del', key: other });
    for await (const other of store.keys({ gte: full, lt: end })) operations.push({ type: 'del', key: other });
  }
}

/**
 * A checkpoint's seal: the log will begin after the last frame that has nothing beyond its position. REQUIRES: all frames before it are
 * in the store. An empty log ends where the checkpoint does.
 */
export async function sealAt(position: number, store: Store, { seal, tail }: { seal: Seal; tail: Tail }): Promise<Seal> {
  const range = { gt: frameKey(seal.last), lte: frameKey(position), reverse: true, limit: 1 };
  for await (const [key, frame] of store.iterator(range)) return { position, last: lastOfFrameKey(key)!, before: frameHash(frame) };
  const empty = seal.last === 0 && tail.last <= position;
  return empty ? { position, last: tail.last, before: tail.hash } : { ...seal, position };
}
