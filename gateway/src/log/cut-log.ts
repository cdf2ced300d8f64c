// cutLog: the last resort for a damaged log. The valid data up to the damage becomes the log, and everything behind it is lost. The damaged
// store is kept beside the new one, under another name.
//
// Some damage cannot be cut away: damage in the checkpoint's pairs, damage in the files that list the store's files, and cases in which
// the checkpoint contains effects of entries that would be lost. A backup must be restored then.
//
// A crash during the cut leaves the store as it was, or one that the next start refuses; the cut must then be repeated.
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
  /** position and kind of the damage */
  file: string;
  offset: number;
  what: string;
  /** the last entry that is kept */
  last: number;
  /** the last entry that is known to be lost; at least `last` */
  lost: number;
  /** the new path of the damaged store; null: nothing has been changed */
  setAside: string | null;
}

export interface CutOptions {
  apply: boolean;
  /** the file outside the folder that says how far the log had come (LogOptions.endFile); a cut makes it wrong, and removes it */
  endFile?: string;
  /** Returns why a shard cannot start on the log that would remain; null: it can. */
  checkStart: (identity: Identity, kept: AsyncIterable<KeptPiece>) => Promise<string | null>;
}

/**
 * Reports what cutting the log in `dir` would lose or, with `apply`, cuts it; null: the log is valid. Throws LogRefused, for example if a
 * gateway runs on the folder, and LogDamaged if the log cannot be cut or a cut does not help.
 */
export async function cutLog(dir: string, { apply, endFile, checkStart }: CutOptions): Promise<LogCut | null> {
  const identity = readIdentity(dir);
  if (identity === undefined) throw new LogRefused(`${dir} holds no log`);
  const lock = await lockFolder(dir);
  const draft = join(dir, 'draft');
  try {
    await rm(draft, { recursive: true, force: true });
    await undoInterrupted(dir);
    const cut = await writeDraft(dir, draft, identity, endFile === undefined ? undefined : readLogEnd(endFile));
    if (cut === null) return null;
    const why = await readDraft(draft, identity, (kept) => checkStart(identity, kept));
    if (why !== null)
      throw cannotBeCut(new LogDamaged(cut.file, cut.offset, `${cut.what}, and a shard cannot start on what is whole (${why})`));
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

/** Moves the damaged store back if a crash interrupted the cut before the new store was in place. */
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
    dir: draft,
    clusterName: cluster,
    shard,
    shards,
    incarnation: 0,
    durability: 'sync',
    onTrouble: () => {},
  });
  try {
    return await use(kept);
  } finally {
    await log.close();
  }
}

/** Writes the valid data as a new log into the folder `draft`. */
async function writeDraft(
  dir: string,
  draft: string,
  { cluster, shard, shards }: Identity,
  known: LogEnd | undefined,
): Promise<LogCut | null> {
  const reached = allKnown(readReached(dir), known);
  const tables = await checkTables(storeDir(dir));
  const hopeless = tables.damaged.find(({ segmentsOnly }) => !segmentsOnly);
  if (hopeless !== undefined) throw cannotBeCut(hopeless);
  const source = join(draft, 'source');
  const end = await linkStore(dir, source, reached, tables);
  const store = await openStore(source).catch((error: unknown) => {
    throw cannotBeCut(new LogDamaged(storeDir(dir), 0, storeError(error)));
  });
  let damage: LogDamaged | undefined =
    tables.damaged[0] ?? (end?.damaged === true ? new LogDamaged(end.file, end.at, end.what) : undefined);
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {}); // Promise.race below reports it
  const { log, kept } = await openLog({
    dir: draft,
    clusterName: cluster,
    shard,
    shards,
    incarnation: 0,
    durability: 'sync',
    onTrouble: (trouble) => trouble && fail(new LogRefused(`what is whole cannot be written beside it, in ${draft}: ${trouble.message}`)),
  });
  try {
    for await (const _ of kept); // the new log is empty, but must be read before it is written to
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

const cannotBeCut = ({ file, offset, what }: LogDamaged): LogDamaged =>
  new LogDamaged(file, offset, `${what}; it is not in entries alone, so cutting them does not help: restore a backup`);

/**
 * Makes a copy of the store that can be opened without changing the original, and cuts it where its valid data ends. Tables are linked,
 * since they never change; all other files are copied.
 */
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

/** The checkpoint and the entries up to the first damaged one, which is reported to `onDamage`. */
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
      throw error instanceof LogDamaged ? cannotBeCut(error) : error;
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
