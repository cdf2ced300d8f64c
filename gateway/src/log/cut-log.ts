// cutLog: the way out for a damaged log where there is no better one: what is whole up to the damage becomes the log, what is behind
// it is given up. The damaged store stays beside it, under another name.
//
// What cannot be cut: a damage in what the checkpoint keeps, or in the files that say what the store is made of; and where the checkpoint
// has records as of entries that would go. That is what backups are for.
//
// A crash in the middle leaves the store as it was, or one that the next start refuses: then it is to be cut again.
import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeSafely, syncFolder } from '../store/safe-file.ts';
import { allKnown, checkLogs, checkTables, cutStore } from './check-store.ts';
import type { CheckedTables, KnownEnd, StoreEnd } from './check-store.ts';
import { fillLog } from './fill-log.ts';
import { readIdentity, readReached, writeReached } from './identity.ts';
import type { Identity } from './identity.ts';
import { startsUpTo } from './lineage.ts';
import { readLogEnd } from './log-end.ts';
import type { LogEnd } from './log-end.ts';
import { LogDamaged, LogRefused } from './log.ts';
import type { KeptPiece } from './log.ts';
import { openLog } from './open-log.ts';
import { readEntries, readPairs, readSeal } from './read-kept.ts';
import type { KeptOptions } from './read-kept.ts';
import { SET_ASIDE, lockFolder, openStore, setAsideBy, storeDir, storeError } from './store.ts';
import type { Seal, Store } from './store.ts';

export interface LogCut {
  /** where the log is damaged, and how */
  file: string;
  offset: number;
  what: string;
  /** the last entry that is kept */
  last: number;
  /** the last entry that is known to be lost; no less than `last` */
  lost: number;
  /** where the damaged store has been put; null: nothing has been changed */
  setAside: string | null;
}

export interface CutOptions {
  apply: boolean;
  /** says from outside the folder how far the log had come (LogOptions.endFile); removed with the cut, since it is not so any more */
  endFile?: string;
  /** Why a shard could not start on what would be kept; null: it could. */
  whyNotStart: (identity: Identity, kept: AsyncIterable<KeptPiece>) => Promise<string | null>;
}

/**
 * What cutting the log in `dir` would lose or, with `apply`, has lost; null: it is whole. Throws LogRefused, and LogDamaged where it
 * cannot be cut, or cutting it does not help. REQUIRES: no gateway runs on it (refused else).
 */
export async function cutLog(dir: string, { apply, endFile, whyNotStart }: CutOptions): Promise<LogCut | null> {
  const identity = readIdentity(dir);
  if (identity === undefined) throw new LogRefused(`${dir} holds no log`);
  const lock = await lockFolder(dir);
  const draft = join(dir, 'draft');
  try {
    await rm(draft, { recursive: true, force: true });
    await undoInterrupted(dir);
    const cut = await writeDraft(dir, draft, identity, endFile === undefined ? undefined : readLogEnd(endFile));
    if (cut === null) return null;
    const why = await readDraft(draft, identity, (kept) => whyNotStart(identity, kept));
    if (why !== null)
      throw beyondCutting(new LogDamaged(cut.file, cut.offset, `${cut.what}, and a shard cannot start on what is whole (${why})`));
    if (!apply) return cut;
    const setAside = `${storeDir(dir)}${SET_ASIDE}${Date.now()}`;
    await rename(storeDir(dir), setAside);
    await rename(storeDir(draft), storeDir(dir));
    syncFolder(dir);
    writeReached(dir, { position: cut.last, closed: false, starts: startsUpTo(readReached(dir).starts, cut.last) });
    if (endFile !== undefined) removeSafely(endFile);
    return { ...cut, setAside };
  } finally {
    await rm(draft, { recursive: true, force: true });
    await lock.close();
  }
}

/** The damaged store comes back where no other has taken its place yet. */
async function undoInterrupted(dir: string): Promise<void> {
  const setAside = setAsideBy(dir);
  if (setAside !== undefined && !existsSync(storeDir(dir))) await rename(setAside, storeDir(dir));
}

async function readDraft<T>(
  draft: string,
  { cluster, shard, shards }: Identity,
  use: (kept: AsyncIterable<KeptPiece>) => Promise<T>,
): Promise<T> {
  const { log, kept } = await openLog({
    ...{ dir: draft, clusterName: cluster, shard, shards, incarnation: 0, durability: 'sync' },
    onTrouble: () => {},
  });
  try {
    return await use(kept);
  } finally {
    await log.close();
  }
}

/** What is whole, as a log of its own, in the folder `draft`. */
async function writeDraft(
  dir: string,
  draft: string,
  { cluster, shard, shards }: Identity,
  known: LogEnd | undefined,
): Promise<LogCut | null> {
  const reached = allKnown(readReached(dir), known);
  const tables = await checkTables(storeDir(dir));
  const hopeless = tables.damaged.find(({ framesOnly }) => !framesOnly);
  if (hopeless !== undefined) throw beyondCutting(hopeless);
  const source = join(draft, 'source');
  const end = await linkStore(dir, source, reached, tables);
  const store = await openStore(source).catch((error: unknown) => {
    throw beyondCutting(new LogDamaged(storeDir(dir), 0, storeError(error)));
  });
  let damage: LogDamaged | undefined =
    tables.damaged[0] ?? (end?.damaged === true ? new LogDamaged(end.file, end.at, end.what) : undefined);
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {}); // told to whoever fills it
  const { log, kept } = await openLog({
    ...{ dir: draft, clusterName: cluster, shard, shards, incarnation: 0, durability: 'sync' },
    onTrouble: (trouble) => trouble && fail(new LogRefused(`what is whole cannot be written beside it, in ${draft}: ${trouble.message}`)),
  });
  try {
    for await (const _ of kept); // it is empty
    const { seal, pieces } = await wholePieces(store, { dir, own: { shard, shards } }, (found) => (damage ??= found));
    const last = await Promise.race([failed, fillLog(log, pieces, seal.position)]);
    if (damage === undefined && last < reached.position)
      damage = new LogDamaged(storeDir(dir), 0, `the log ends with entry ${last}, and had come to entry ${reached.position}`);
    if (damage === undefined) return null;
    const { file, offset, what } = damage;
    return { file, offset, what, last, lost: Math.max(last, reached.position, end?.lastBehind ?? 0), setAside: null };
  } finally {
    await store.close();
    await log.close();
  }
}

const beyondCutting = ({ file, offset, what }: LogDamaged): LogDamaged =>
  new LogDamaged(file, offset, `${what}; it is not in entries alone, so cutting them does not help: restore a backup`);

/** The store, to be read without touching it: tables never change, the other files are copied. Ends where it is whole. */
async function linkStore(dir: string, source: string, reached: KnownEnd, { marker }: CheckedTables): Promise<StoreEnd | undefined> {
  await mkdir(source, { recursive: true });
  for (const name of await readdir(storeDir(dir))) {
    if (name === 'LOCK') continue;
    await (name.endsWith('.ldb') ? link : copyFile)(join(storeDir(dir), name), join(source, name));
  }
  const end = await checkLogs(storeDir(dir), reached, marker);
  const there = (file: string): string => join(source, basename(file));
  if (end !== undefined) await cutStore(source, { ...end, file: there(end.file), filesAfter: end.filesAfter.map(there) });
  return end;
}

/** The checkpoint, and entries as far as one follows the other. */
async function wholePieces(
  store: Store,
  options: KeptOptions,
  onDamage: (damage: LogDamaged) => void,
): Promise<{ seal: Seal; pieces: AsyncIterable<KeptPiece> }> {
  const seal = await readSeal(store, options);
  async function* pieces(): AsyncGenerator<KeptPiece> {
    try {
      yield* readPairs(store, options);
    } catch (error) {
      throw error instanceof LogDamaged ? beyondCutting(error) : error;
    }
    try {
      yield* readEntries(store, options, seal);
    } catch (error) {
      if (!(error instanceof LogDamaged)) throw error;
      onDamage(error);
    }
  }
  return { seal, pieces: pieces() };
}
