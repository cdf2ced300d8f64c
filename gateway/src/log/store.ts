// Store: the log's LevelDB store, an ordered map of bytes with atomic, synced writes (docs/wire-format.md, "The log on disk").
//
//   'c' key               a pair of the checkpoint (pairs.ts)
//   'e' last(u64 BE)      a segment: entries up to position `last` (segment.ts)
//   'm'                   marker, first in every write: version(u8) write(u64) synced(u64): the write's number, and the greatest write that
//                         was known to be on disk when it was made. After a crash, it shows whether earlier writes were durable
//   's'                   seal: version(u8) position(u64) last(u64) before(16 bytes): the checkpoint's position; the last position of
//                         the segments that can be removed, and the hash of the last of them
//
// Nothing is compressed, so that damage can be located. Only one process may use a folder: `lockFolder` locks it with a second, empty
// store, so that the log's files can be checked exclusively before LevelDB opens and silently repairs them.
import { readdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { makeFolder, syncFolder } from '../store/safe-file.ts';
import { HASH_BYTES, NO_HASH } from './segment.ts';
import { LogRefused } from './log.ts';

export type Store = ClassicLevel<Uint8Array, Uint8Array>;
export type StoreOperation = { type: 'put'; key: Uint8Array; value: Uint8Array } | { type: 'del'; key: Uint8Array };

const VERSION = 1;
const WRITE_BUFFER_BYTES = 8 << 20;
const FILE_BYTES_MAX = 8 << 20;

const PAIR = 0x63;
const SEGMENT = 0x65;
export const MARKER_KEY = Uint8Array.of(0x6d);
export const SEAL_KEY = Uint8Array.of(0x73);

export const PAIRS_FROM = Uint8Array.of(PAIR);
export const PAIRS_TO = Uint8Array.of(PAIR + 1);
export const SEGMENTS_FROM = Uint8Array.of(SEGMENT);
export const SEGMENTS_TO = Uint8Array.of(SEGMENT + 1);

export const storeDir = (dir: string): string => join(dir, 'store');

/** A cut renames the damaged store to the store's name, this suffix and a time. */
export const SET_ASIDE = '-damaged-';

/** The damaged store that was set aside last; undefined: there is none. */
export function setAsideBy(dir: string): string | undefined {
  const names = readdirSync(dir).filter((name) => name.startsWith(`store${SET_ASIDE}`));
  return names.length === 0 ? undefined : join(dir, names.toSorted().at(-1)!);
}

export function pairKey(key: Uint8Array): Uint8Array {
  const full = new Uint8Array(1 + key.length);
  full[0] = PAIR;
  full.set(key, 1);
  return full;
}

/** The key of the segment that ends with this position. */
export function segmentKey(last: number): Uint8Array {
  const key = new Uint8Array(9);
  key[0] = SEGMENT;
  new DataView(key.buffer).setBigUint64(1, BigInt(last));
  return key;
}

/** The last position of the segment under that key; undefined if it is not a segment's key. */
export const lastOfSegmentKey = (key: Uint8Array): number | undefined =>
  key[0] === SEGMENT && key.length === 9 ? Number(new DataView(key.buffer, key.byteOffset + 1).getBigUint64(0)) : undefined;

export interface Marker {
  write: number;
  synced: number;
}

export function encodeMarker({ write, synced }: Marker): Uint8Array {
  const bytes = new Uint8Array(17);
  const view = new DataView(bytes.buffer);
  bytes[0] = VERSION;
  view.setBigUint64(1, BigInt(write), true);
  view.setBigUint64(9, BigInt(synced), true);
  return bytes;
}

export function decodeMarker(bytes: Uint8Array): Marker | undefined {
  if (bytes.length !== 17 || bytes[0] !== VERSION) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { write: Number(view.getBigUint64(1, true)), synced: Number(view.getBigUint64(9, true)) };
}

export interface Seal {
  position: number;
  last: number;
  before: Uint8Array;
}

export const NO_SEAL: Seal = { position: 0, last: 0, before: NO_HASH };

export function encodeSeal({ position, last, before }: Seal): Uint8Array {
  const bytes = new Uint8Array(17 + HASH_BYTES);
  const view = new DataView(bytes.buffer);
  bytes[0] = VERSION;
  view.setBigUint64(1, BigInt(position), true);
  view.setBigUint64(9, BigInt(last), true);
  bytes.set(before, 17);
  return bytes;
}

export function decodeSeal(bytes: Uint8Array): Seal | undefined {
  if (bytes.length !== 17 + HASH_BYTES || bytes[0] !== VERSION) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { position: Number(view.getBigUint64(1, true)), last: Number(view.getBigUint64(9, true)), before: bytes.slice(17) };
}

export async function openStore(location: string): Promise<Store> {
  const store: Store = new ClassicLevel<Uint8Array, Uint8Array>(location, {
    keyEncoding: 'view',
    valueEncoding: 'view',
    compression: false,
    writeBufferSize: WRITE_BUFFER_BYTES,
    maxFileSize: FILE_BYTES_MAX,
  });
  await store.open();
  try {
    syncFolder(location); // LevelDB has renamed CURRENT
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** True if an error message of LevelDB or the file system means that the disk is full. */
export const isFull = (why: string): boolean => /no space left on device|quota exceeded|ENOSPC|EDQUOT/i.test(why);

/** True if an error message of LevelDB or the file system means that writing is not permitted. */
export const isForbidden = (why: string): boolean => /permission denied|read-only|EACCES|EPERM|EROFS/i.test(why);

/** LevelDB's own message. */
export const storeError = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: Error };
  return cause?.message ?? message;
};

/** The lock is held until `close`. Throws LogRefused if another process holds it, or the folder cannot be written. */
export async function lockFolder(dir: string): Promise<Store> {
  const location = join(dir, 'lock');
  const cannotWrite = (why: string): LogRefused =>
    new LogRefused(`${dir} cannot be written (${why}): give the gateway a data directory that it may write to`);
  try {
    makeFolder(location);
  } catch (error) {
    throw cannotWrite((error as Error).message);
  }
  for (let retried = false; ; retried = true) {
    try {
      return await openStore(location);
    } catch (error) {
      const { code } = (error as Error & { cause?: { code?: string } }).cause ?? {};
      const why = storeError(error);
      if (code === 'LEVEL_LOCKED')
        throw new LogRefused(`${dir} is in use by another process: stop it first, or start with another data directory`);
      if (isForbidden(why)) throw cannotWrite(why);
      if (retried || isFull(why)) throw new LogRefused(`${dir} cannot be locked: ${why}`);
      await clearLock(location);
    }
  }
}

/**
 * Removes the files of a lock that a crash left incomplete; they hold no data. The file LOCK stays: it is the one that is locked, and
 * replacing it would let two processes hold the lock.
 */
async function clearLock(location: string): Promise<void> {
  for (const name of await readdir(location)) if (name !== 'LOCK') await rm(join(location, name), { recursive: true, force: true });
}
