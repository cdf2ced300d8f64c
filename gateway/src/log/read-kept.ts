// What the store keeps, as a start or a backup reads it: the checkpoint's pairs, then the entries after its position, in pieces,
// so that memory does not grow with the store. Each pair is held against its checksum, each frame against its checksum, its
// shard, and the frame before: nothing may be missing, there twice, or in another's place.
import { decodeFrame, endOfEntries, frameHash } from './frame.ts';
import type { Frame } from './frame.ts';
import type { LogEnd } from './log-end.ts';
import { LogDamaged } from './log.ts';
import type { KeptPiece } from './log.ts';
import { PairPiece, openValue } from './pairs.ts';
import { FRAMES_TO, NO_SEAL, PAIRS_FROM, PAIRS_TO, SEAL_KEY, decodeSeal, frameKey, storeDir } from './store.ts';
import type { Seal, Store } from './store.ts';
import type { Tail } from './tail.ts';

const PIECE_BYTES = 1 << 18;
const READ_AHEAD = { highWaterMarkBytes: 1 << 18, fillCache: false };
const PAIRS_AT_ONCE = 1000;

export interface KeptOptions {
  dir: string;
  own: { shard: number; shards: number };
  /** as of then; else as it is */
  snapshot?: ReturnType<Store['snapshot']>;
  /** the last entry wanted; else all */
  upTo?: number;
  /** Where the log is known to have been. */
  end?: Pick<LogEnd, 'position' | 'hash'> | undefined;
  /** Where a key lies, for the message. */
  placeOf?: (key: Uint8Array) => Promise<{ file: string; offset: number } | undefined>;
}

export async function readSeal(store: Store, options: KeptOptions): Promise<Seal> {
  const bytes = await store.get(SEAL_KEY, { ...(options.snapshot && { snapshot: options.snapshot }) });
  if (bytes === undefined) return NO_SEAL;
  return decodeSeal(bytes) ?? (await damaged(options, SEAL_KEY, 'the seal of the checkpoint cannot be read'));
}

/** Throws LogDamaged. The snapshot is let go at the end. */
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
    if (piece.records > 0) yield { records: piece.records, checkpoint: piece.take() };
  } finally {
    await iterator.close();
  }
}

export async function* readEntries(store: Store, options: KeptOptions, seal: Seal): AsyncGenerator<KeptPiece, Tail> {
  const { snapshot, upTo = Infinity } = options;
  let tail: Tail = { last: seal.last, hash: seal.before };
  let incarnation = 0;
  for await (const [key, bytes] of store.iterator({
    gte: frameKey(seal.last + 1),
    lt: FRAMES_TO,
    ...READ_AHEAD,
    ...(snapshot && { snapshot }),
  })) {
    const frame = decodeFrame(bytes);
    if (typeof frame === 'string') return await damaged(options, key, frame);
    const hash = frameHash(bytes);
    const wrong = whatIsWrong(frame, options.own, tail, incarnation) ?? whatContradicts(options.end, frame, hash);
    if (wrong !== undefined) return await damaged(options, key, wrong);
    tail = { last: frame.last, hash };
    incarnation = frame.incarnation;
    const wanted = within(frame, seal.position, upTo);
    if (wanted === undefined) return await damaged(options, key, 'a frame whose entries contradict its positions');
    if (wanted.count > 0) yield wanted;
    if (frame.last >= upTo) break;
  }
  const least = Math.max(seal.position, Number.isFinite(upTo) ? upTo : 0);
  if (tail.last < least)
    return await damaged(options, frameKey(tail.last), `the log ends with entry ${tail.last}, where it had come to ${least}`);
  return tail;
}

function whatIsWrong(frame: Frame, own: KeptOptions['own'], tail: Tail, incarnation: number): string | undefined {
  if (frame.shard !== own.shard || frame.shards !== own.shards) return `entries of shard ${frame.shard} of ${frame.shards}`;
  if (frame.first > tail.last + 1) return `entries ${tail.last + 1} to ${frame.first - 1} are missing before entry ${frame.first}`;
  if (frame.first <= tail.last) return `entry ${frame.first} is there again, after entry ${tail.last}`;
  if (Buffer.compare(frame.before, tail.hash) !== 0) return `entry ${frame.first} does not follow what is kept before it`;
  if (frame.incarnation < incarnation) return `entry ${frame.first} is of an earlier start than the one before it`;
  return undefined;
}

function whatContradicts(end: KeptOptions['end'], { first, last }: Frame, hash: Uint8Array): string | undefined {
  if (end === undefined || end.position < first || end.position > last) return undefined;
  return end.position === last && end.hash === Buffer.from(hash).toString('hex')
    ? undefined
    : `entry ${end.position} is another one than this log had`;
}

/** Its entries with positions above `from` and up to `to`. */
function within({ entries, first, last }: Frame, from: number, to: number): { entries: Uint8Array; count: number } | undefined {
  const all = last - first + 1;
  const skipped = Math.min(all, Math.max(0, from - first + 1));
  const taken = Math.min(all, Math.max(0, to - first + 1));
  const [start, end] = [endOfEntries(entries, skipped), endOfEntries(entries, taken)];
  if (start === undefined || end === undefined || endOfEntries(entries, all) !== entries.length) return undefined;
  return { entries: entries.subarray(start, end), count: Math.max(0, taken - skipped) };
}

async function damaged(options: KeptOptions, key: Uint8Array, what: string): Promise<never> {
  const { file, offset } = (await options.placeOf?.(key)) ?? { file: storeDir(options.dir), offset: 0 };
  throw new LogDamaged(file, offset, what);
}
