// openLog: opens the log in a folder at a start. It locks the folder and checks that the log belongs to this shard. Then it checks the
// files byte by byte (leveldb/), since LevelDB itself skips damaged data and then removes it. The contents are verified while they are
// read.
import { existsSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TableDamaged, allKnown, checkStore, cutStore, locateKey } from './check-store.ts';
import { claim, hasReached, readReached, writeReached } from './identity.ts';
import { hasBeenAt, withStart } from './lineage.ts';
import type { Start } from './lineage.ts';
import { LogEndFile, readLogEnd } from './log-end.ts';
import type { LogEnd } from './log-end.ts';
import { LocalLog } from './local-log.ts';
import { LogDamaged, LogRefused } from './log.ts';
import type { KeptPiece, LogOptions, OpenedLog } from './log.ts';
import { readKept, readSeal } from './read-kept.ts';
import type { KeptOptions } from './read-kept.ts';
import {
  SEGMENTS_FROM,
  SEGMENTS_TO,
  MARKER_KEY,
  PAIRS_FROM,
  PAIRS_TO,
  decodeMarker,
  segmentKey,
  isForbidden,
  lockFolder,
  openStore,
  setAsideBy,
  storeDir,
  storeError,
} from './store.ts';
import type { Store } from './store.ts';
import type { Tail } from './tail.ts';

const ADVICE =
  'nothing has been changed. Restore a backup, or cut the log there (npm run restore -- --cut), which loses what is behind it (docs/operations.md, "Damage")';
const withAdvice = ({ file, offset, what }: LogDamaged): LogDamaged => new LogDamaged(file, offset, `${what}: ${ADVICE}`);

/** Throws LogRefused if a start on this folder is not possible, LogDamaged if its contents are damaged. */
export async function openLog(options: LogOptions): Promise<OpenedLog> {
  const lock = await lockFolder(options.dir);
  try {
    const id = claim(options.dir, options);
    const end = knownEnd(options, id);
    refuseHalfCut(options.dir);
    await dropEmptyStore(options.dir);
    const cut = await cutTornEnd(options.dir, end);
    const store = await openOrRefuse(options.dir);
    return await assemble(options, { lock, store, cut, id, end }).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
  } catch (error) {
    await lock.close();
    throw error;
  }
}

/** The log's end according to the file outside the folder. */
function knownEnd({ dir, endFile }: LogOptions, id: string): LogEnd | undefined {
  const end = endFile === undefined ? undefined : readLogEnd(endFile);
  if (end === undefined || end.log === id) return end;
  throw new LogDamaged(
    endFile!,
    0,
    `it tells of the log ${end.log}, and ${dir} holds the log ${id}: bring back the folder that belongs here, or remove this file if the folder was replaced on purpose`,
  );
}

/**
 * Removes a store that never had contents: LevelDB does not sync the first files of a new store, so a loss of power during the first start
 * may leave empty ones.
 */
async function dropEmptyStore(dir: string): Promise<void> {
  const store = storeDir(dir);
  if (hasReached(dir) || !existsSync(store)) return;
  const files = (await readdir(store)).filter((name) => /^MANIFEST-|\.log$|\.ldb$/.test(name));
  if (files.every((name) => statSync(join(store, name)).size === 0)) await rm(store, { recursive: true });
}

function refuseHalfCut(dir: string): void {
  const setAside = setAsideBy(dir);
  if (setAside === undefined || existsSync(storeDir(dir))) return;
  throw new LogDamaged(
    storeDir(dir),
    0,
    `it is missing: cutting it was interrupted. Cut it again (npm run restore -- --cut): the damaged store is in ${setAside}`,
  );
}

async function cutTornEnd(dir: string, known: LogEnd | undefined): Promise<string | null> {
  const end = await checkStore(storeDir(dir), allKnown(readReached(dir), known)).catch((error: unknown) => {
    throw error instanceof TableDamaged ? withAdvice(error) : error;
  });
  if (end === undefined) return null;
  if (end.damaged) throw new LogDamaged(end.file, end.at, `${end.what}: something durable is missing there; ${ADVICE}`);
  await cutStore(storeDir(dir), end);
  return `${end.file}, offset ${end.at}: ${end.what}, at the end of the log: the write that a crash interrupted. It is cut off from offset ${end.from} on`;
}

async function openOrRefuse(dir: string): Promise<Store> {
  try {
    return await openStore(storeDir(dir));
  } catch (error) {
    const why = storeError(error);
    if ((error as Error & { cause?: { code?: string } }).cause?.code === 'LEVEL_CORRUPTION') throw new LogDamaged(storeDir(dir), 0, why);
    const advice = isForbidden(why) ? ': give the gateway a data directory that it may write to' : '';
    throw new LogRefused(`the log in ${dir} cannot be opened (${why})${advice}`);
  }
}

interface Found {
  lock: Store;
  store: Store;
  cut: string | null;
  id: string;
  end: LogEnd | undefined;
}

async function assemble(options: LogOptions, { lock, store, cut, id, end }: Found): Promise<OpenedLog> {
  const { dir, incarnation } = options;
  const marker = await store.get(MARKER_KEY);
  const kept: KeptOptions = { dir, own: options, end, locateKey: (key) => locateKey(storeDir(dir), key) };
  const seal = await readSeal(store, kept);
  const [checkpointBytes, entriesBytes, garbageBytes] = await Promise.all([
    store.approximateSize(PAIRS_FROM, PAIRS_TO),
    store.approximateSize(segmentKey(seal.last + 1), SEGMENTS_TO),
    store.approximateSize(SEGMENTS_FROM, segmentKey(seal.last + 1)),
  ]);
  const release = async (reached: number | undefined): Promise<void> => {
    try {
      if (reached !== undefined) writeReached(dir, { ...readReached(dir), position: reached, closed: true });
    } catch {
      // The next start treats the log as not closed in order; nothing durable is lost.
    } finally {
      await lock.close();
    }
  };
  const write = (marker && decodeMarker(marker)?.write) ?? 0;
  const log = new LocalLog(options, { store, write, seal, garbageBytes, release });
  let starts: readonly Start[] = [];
  const begin = (tail: Tail): void => {
    starts = withStart(readReached(dir).starts, [incarnation, tail.last]);
    writeReached(dir, { position: tail.last, closed: false, starts });
    log.begin(tail, options.endFile === undefined ? undefined : new LogEndFile(options.endFile, id, write, tail));
  };
  const least = allKnown(readReached(dir), end).position;
  return {
    log,
    id,
    cut,
    sizes: { checkpointBytes, entriesBytes },
    kept: readAndBegin(log, store, kept, { least, begin }),
    point: () => ({ log: id, incarnation, position: log.safePosition }),
    hasBeenAt: (point) => point.log === id && hasBeenAt(starts, log.safePosition, point),
  };
}

interface Begin {
  /** the last entry that the log must contain */
  least: number;
  begin: (tail: Tail) => void;
}

async function* readAndBegin(log: LocalLog, store: Store, options: KeptOptions, { least, begin }: Begin): AsyncGenerator<KeptPiece> {
  const reading = readKept(store, options);
  let position = (await readSeal(store, options)).position;
  for (;;) {
    const { value, done } = await reading.next().catch((error: unknown) => {
      throw error instanceof LogDamaged ? withAdvice(error) : error;
    });
    if (done === true) {
      if (value.last < least) {
        throw new LogDamaged(storeDir(options.dir), 0, `the log ends with entry ${value.last}, and had come to entry ${least}: ${ADVICE}`);
      }
      begin(value);
      return;
    }
    if ('entries' in value) log.count((position += value.count), value.entries.length);
    yield value;
  }
}
