// Fresh data directories from a backup: shard-0, shard-1, … below one folder, as gateways keep them. They are put in place once all
// of them are written; until then nothing is there that a gateway would start on.
import { createReadStream, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fillLog } from '../log/fill-log.ts';
import type { KeptPiece } from '../log/log.ts';
import { openLog } from '../log/open-log.ts';
import { nextIncarnation } from '../store/incarnation.ts';
import { syncFolder } from '../store/safe-file.ts';
import type { BackupBegin, PartBegin, PartEnd } from './format.ts';
import { readBackup } from './read-backup.ts';
import type { BackupPiece } from './read-backup.ts';

/** The backup cannot be restored there, or so; the message says why and what to do. */
export class RestoreRefused extends Error {
  override name = 'RestoreRefused';
}

export interface RestoreRequest {
  file: string;
  dataDir: string;
  /** what the restored cluster will be called; its name in the backup by default */
  clusterName?: string | undefined;
  /** where it is given, the backup must be of so many */
  shards?: number | undefined;
  onProgress?: (doneBytes: number, allBytes: number) => void;
}

export interface Restored {
  begin: BackupBegin;
  shards: { shard: number; records: number; entries: number }[];
  bytes: number;
}

const open = (file: string) => createReadStream(file, { highWaterMark: 1 << 20 });

/** Throws BackupDamaged, RestoreRefused, or what the operating system says; then the data directory is as it was. */
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
      renameSync(draft, targets[shard]!); // over an empty folder, where there is one
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
  ends: PartEnd[];
}

/** All of it is read once, before anything is written. */
async function verify(file: string): Promise<Whole> {
  let begin: BackupBegin | undefined;
  let bytes = 0;
  const ends: PartEnd[] = [];
  for await (const piece of readBackup(open(file))) {
    if ('begin' in piece) begin = piece.begin;
    if ('partEnd' in piece) ends.push(piece.partEnd);
    if ('whole' in piece) ({ bytes } = piece.whole);
  }
  return { begin: begin!, bytes, ends };
}

function refuseOtherShards({ shards }: BackupBegin, wanted: number | undefined): void {
  if (wanted === undefined || wanted === shards) return;
  throw new RestoreRefused(
    `the backup is of ${shards} shards, and cannot be restored to ${wanted}: slots do not move in this version. Restore it to ${shards}, and start as many gateways.`,
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
      if (!('part' in next.value)) continue;
      const { shard, part } = next.value;
      const place = { dir: drafts[shard]!, clusterName: clusterName ?? begin.cluster_name, shard, shards: begin.shards };
      const tell = () => onProgress?.(source.bytesRead, bytes);
      await writeShard(place, part, part.position - ends[shard]!.entries, piecesOfPart(pieces, tell));
    }
  } finally {
    source.destroy();
  }
  return ends.map((end, shard) => ({ shard, ...end }));
}

/** Up to the end of the part. */
async function* piecesOfPart(pieces: AsyncGenerator<BackupPiece>, tell: () => void): AsyncGenerator<KeptPiece> {
  for (let next = await pieces.next(); next.done !== true && 'piece' in next.value; next = await pieces.next()) {
    tell();
    yield next.value.piece;
  }
}

interface Place {
  dir: string;
  clusterName: string;
  shard: number;
  shards: number;
}

/** `position`: the checkpoint's. */
async function writeShard(
  { dir, ...place }: Place,
  { incarnation }: PartBegin,
  position: number,
  kept: AsyncIterable<KeptPiece>,
): Promise<void> {
  mkdirSync(dir, { recursive: true });
  // The shard's next start is a later one than all that are told of in the backup.
  nextIncarnation(dir, 1000 * incarnation);
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {}); // told to whoever fills it
  const { log, kept: nothing } = await openLog({
    ...place,
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
