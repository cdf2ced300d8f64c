// Restores a backup into new data directories: shard-0, shard-1, … below one folder, as gateways keep them. They are renamed into place
// once all of them are written; until then no gateway can start on them.
import { createReadStream, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fillLog } from '../log/fill-log.ts';
import type { KeptPiece } from '../log/log.ts';
import { openLog } from '../log/open-log.ts';
import { nextIncarnation } from '../store/incarnation.ts';
import { syncFolder } from '../store/safe-file.ts';
import type { BackupBegin, ShardBegin, ShardEnd } from './format.ts';
import { readBackup } from './read-backup.ts';
import type { BackupPiece } from './read-backup.ts';

/** The backup cannot be restored as requested; the message says why and what to do. */
export class RestoreRefused extends Error {
  override name = 'RestoreRefused';
}

export interface RestoreRequest {
  file: string;
  dataDir: string;
  /** name of the restored cluster; the name in the backup by default */
  clusterName?: string | undefined;
  /** if given, the number of shards that the backup must have */
  shards?: number | undefined;
  onProgress?: (doneBytes: number, allBytes: number) => void;
}

export interface Restored {
  begin: BackupBegin;
  shards: { shard: number; records: number; entries: number }[];
  bytes: number;
}

const open = (file: string) => createReadStream(file, { highWaterMark: 1 << 20 });

/** Throws BackupDamaged, RestoreRefused, or an error of the operating system; the data directory is then unchanged. */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { file, dataDir } = request;
  const whole = await verify(file);
  const { begin, bytes } = whole;
  refuseOtherShards(begin, request.shards);
  const targets = Array.from({ length: begin.shards }, (_, shard) => join(dataDir, `shard-${shard}`));
  for (const target of targets) refuseUsed(target);
  const drafts = targets.map((target) => `${target}.restoring`);
  const clean = () => drafts.forEach((draft) => rmSync(draft, { recursive: true, force: true }));
  clean();
  mkdirSync(dataDir, { recursive: true });
  try {
    const shards = await writeShards(request, whole, drafts);
    putInPlace(drafts, targets);
    syncFolder(dataDir);
    return { begin, shards, bytes };
  } finally {
    clean();
  }
}

/** All of them or none, unless the process is killed in between. */
function putInPlace(drafts: string[], targets: string[]): void {
  const placed: string[] = [];
  try {
    for (const [shard, draft] of drafts.entries()) {
      renameSync(draft, targets[shard]!); // replaces an empty folder
      placed.push(targets[shard]!);
    }
  } catch (error) {
    for (const target of placed) rmSync(target, { recursive: true, force: true });
    throw error;
  }
}

interface Whole {
  begin: BackupBegin;
  bytes: number;
  ends: ShardEnd[];
}

/** Reads the whole file once, before anything is written. */
async function verify(file: string): Promise<Whole> {
  let begin: BackupBegin | undefined;
  let bytes = 0;
  const ends: ShardEnd[] = [];
  for await (const piece of readBackup(open(file))) {
    if ('begin' in piece) begin = piece.begin;
    if ('shardEnd' in piece) ends.push(piece.shardEnd);
    if ('whole' in piece) ({ bytes } = piece.whole);
  }
  return { begin: begin!, bytes, ends };
}

function refuseOtherShards({ shards }: BackupBegin, wanted: number | undefined): void {
  if (wanted === undefined || wanted === shards) return;
  throw new RestoreRefused(
    `the backup is of ${shards} shards, and cannot be restored to ${wanted}. Restore it to ${shards}, start as many gateways, and let others join them.`,
  );
}

function refuseUsed(folder: string): void {
  let found: string[];
  try {
    found = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new RestoreRefused(`${folder} cannot be looked into: ${(error as Error).message}`);
  }
  if (found.length > 0)
    throw new RestoreRefused(`${folder} is not empty: name another --data-dir, or move what is there away. A restore overwrites nothing.`);
}

async function writeShards(
  { file, clusterName, onProgress }: RestoreRequest,
  { begin, bytes, ends }: Whole,
  drafts: string[],
): Promise<Restored['shards']> {
  const source = open(file);
  const pieces = readBackup(source);
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      if (!('shardBegin' in next.value)) continue;
      const { shard, shardBegin } = next.value;
      const target = { dir: drafts[shard]!, clusterName: clusterName ?? begin.cluster_name, shard, shards: begin.dealt_shards };
      const report = () => onProgress?.(source.bytesRead, bytes);
      await writeShard(target, shardBegin, shardBegin.position - ends[shard]!.entries, piecesOfShard(pieces, report));
    }
  } finally {
    source.destroy();
  }
  return ends.map((end, shard) => ({ shard, ...end }));
}

/** Ends with the shard's last piece. */
async function* piecesOfShard(pieces: AsyncGenerator<BackupPiece>, report: () => void): AsyncGenerator<KeptPiece> {
  for (let next = await pieces.next(); next.done !== true && 'piece' in next.value; next = await pieces.next()) {
    report();
    yield next.value.piece;
  }
}

interface RestoreTarget {
  dir: string;
  clusterName: string;
  shard: number;
  shards: number;
}

/** `position`: the checkpoint's */
async function writeShard(
  { dir, ...identity }: RestoreTarget,
  { incarnation }: ShardBegin,
  position: number,
  kept: AsyncIterable<KeptPiece>,
): Promise<void> {
  mkdirSync(dir, { recursive: true });
  // The shard's next start gets a greater incarnation than any in the backup.
  nextIncarnation(dir, 1000 * incarnation);
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {}); // Promise.race below reports it
  const { log, kept: nothing } = await openLog({
    ...identity,
    dir: join(dir, 'log'),
    incarnation,
    durability: 'sync',
    onTrouble: (trouble) => trouble && fail(new RestoreRefused(`${dir} cannot be written: ${trouble.message}`)),
  });
  try {
    for await (const piece of nothing) throw new RestoreRefused(`${dir} is not empty: it holds ${Object.keys(piece)[0]}`);
    await Promise.race([failed, fillLog(log, kept, position)]);
  } finally {
    await log.close();
  }
}
