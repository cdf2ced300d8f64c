// Reads a store's contents for a start or a backup: the checkpoint's pairs, then the entries after its position, in pieces, so that memory
// use does not grow with the store. Each pair is verified against its checksum, each segment against its checksum, its shard and the
// previous segment, so that a missing, repeated or misplaced segment is detected.
import { decodeSegment, entriesWithin, segmentHash } from './segment.ts';
import type { Segment } from './segment.ts';
import type { LogEnd } from './log-end.ts';
import { LogDamaged } from './log.ts';
import type { KeptPiece } from './log.ts';
import { PairPiece, openValue } from './pairs.ts';
import { SEGMENTS_TO, NO_SEAL, PAIRS_FROM, PAIRS_TO, SEAL_KEY, decodeSeal, segmentKey, storeDir } from './store.ts';
import type { Seal, Store } from './store.ts';
import type { Tail } from './tail.ts';

const PIECE_BYTES = 1 << 18;
const READ_AHEAD = { highWaterMarkBytes: 1 << 18, fillCache: false };
const PAIRS_AT_ONCE = 1000;

export interface KeptOptions {
  dir: string;
  own: { shard: number; shards: number };
  /** reads the store as of this snapshot; by default its current state */
  snapshot?: ReturnType<Store['snapshot']>;
  /** the last wanted entry; by default all */
  upTo?: number;
  /** an entry that the log is known to contain, with its segment's hash */
  end?: Pick<LogEnd, 'position' | 'hash'> | undefined;
  /** finds the file and offset of a key, for error messages */
  locateKey?: (key: Uint8Array) => Promise<{ file: string; offset: number } | undefined>;
}

export async function readSeal(store: Store, options: KeptOptions): Promise<Seal> {
  const bytes = await store.get(SEAL_KEY, { ...(options.snapshot && { snapshot: options.snapshot }) });
  if (bytes === undefined) return NO_SEAL;
  return decodeSeal(bytes) ?? (await damaged(options, SEAL_KEY, 'the seal of the checkpoint cannot be read'));
}

/** Returns the tail. Throws LogDamaged. Closes the snapshot at the end. */
export async function* readKept(store: Store, options: KeptOptions): AsyncGenerator<KeptPiece, Tail> {
  try {
    const seal = await readSeal(store, options);
    yield* readPairs(store, options);
    return yield* readEntries(store, options, seal);
  } finally {
    await options.snapshot?.close();
  }
}

export async function* readPairs(store: Store, options: KeptOptions): AsyncGenerator<KeptPiece> {
  const { snapshot } = options;
  const iterator = store.iterator({ gte: PAIRS_FROM, lt: PAIRS_TO, ...READ_AHEAD, ...(snapshot && { snapshot }) });
  const piece = new PairPiece();
  try {
    for (let pairs = await iterator.nextv(PAIRS_AT_ONCE); pairs.length > 0; pairs = await iterator.nextv(PAIRS_AT_ONCE)) {
      for (const [full, sealed] of pairs) {
        const key = full.subarray(1);
        const value = openValue(key, sealed) ?? (await damaged(options, full, 'a pair of the checkpoint with a wrong checksum'));
        piece.add(key, value);
        if (piece.bytes >= PIECE_BYTES) yield { records: piece.records, checkpoint: piece.take() };
      }
    }
    if (piece.bytes > 0) yield { records: piece.records, checkpoint: piece.take() };
  } finally {
    await iterator.close();
  }
}

export async function* readEntries(store: Store, options: KeptOptions, seal: Seal): AsyncGenerator<KeptPiece, Tail> {
  const { snapshot, upTo = Infinity } = options;
  let tail: Tail = { last: seal.last, hash: seal.before };
  let incarnation = 0;
  for await (const [key, bytes] of store.iterator({
    gte: segmentKey(seal.last + 1),
    lt: SEGMENTS_TO,
    ...READ_AHEAD,
    ...(snapshot && { snapshot }),
  })) {
    const segment = decodeSegment(bytes);
    if (typeof segment === 'string') return await damaged(options, key, segment);
    const hash = segmentHash(bytes);
    const wrong = whatIsWrong(segment, options.own, tail, incarnation) ?? whatContradicts(options.end, segment, hash);
    if (wrong !== undefined) return await damaged(options, key, wrong);
    tail = { last: segment.last, hash };
    incarnation = segment.incarnation;
    const wanted = entriesWithin(segment, seal.position, upTo);
    if (wanted === undefined) return await damaged(options, key, 'a segment whose entries contradict its positions');
    if (wanted.count > 0) yield wanted;
    if (segment.last >= upTo) break;
  }
  const least = Math.max(seal.position, Number.isFinite(upTo) ? upTo : 0);
  if (tail.last < least)
    return await damaged(options, segmentKey(tail.last), `the log ends with entry ${tail.last}, where it had come to ${least}`);
  return tail;
}

function whatIsWrong(segment: Segment, own: KeptOptions['own'], tail: Tail, incarnation: number): string | undefined {
  if (segment.shard !== own.shard || segment.shards !== own.shards) return `entries of shard ${segment.shard} of ${segment.shards}`;
  if (segment.first > tail.last + 1) return `entries ${tail.last + 1} to ${segment.first - 1} are missing before entry ${segment.first}`;
  if (segment.first <= tail.last) return `entry ${segment.first} is there again, after entry ${tail.last}`;
  if (Buffer.compare(segment.before, tail.hash) !== 0) return `entry ${segment.first} does not follow what is kept before it`;
  if (segment.incarnation < incarnation) return `entry ${segment.first} is of an earlier start than the one before it`;
  return undefined;
}

function whatContradicts(end: KeptOptions['end'], { first, last }: Segment, hash: Uint8Array): string | undefined {
  if (end === undefined || end.position < first || end.position > last) return undefined;
  return end.position === last && end.hash === Buffer.from(hash).toString('hex')
    ? undefined
    : `entry ${end.position} is another one than this log had`;
}

async function damaged(options: KeptOptions, key: Uint8Array, what: string): Promise<never> {
  const { file, offset } = (await options.locateKey?.(key)) ?? { file: storeDir(options.dir), offset: 0 };
  throw new LogDamaged(file, offset, what);
}
