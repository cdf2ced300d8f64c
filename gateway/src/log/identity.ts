// `identity.json`: the shard that a folder's log belongs to, and the log's id. `reached.json`: how far the log is known to have come,
// written at each start and at the close. A log that ends before that position has lost durable entries; one that was closed in order has
// no torn end.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText, writeSafely } from '../store/safe-file.ts';
import { isStarts } from './lineage.ts';
import type { Start } from './lineage.ts';
import { LogDamaged, LogRefused } from './log.ts';
import type { LogOptions } from './log.ts';
import { storeDir } from './store.ts';

/** the version of the format of the whole folder */
export const DISK_FORMAT = 1;

export interface Identity {
  format: number;
  cluster: string;
  shard: number;
  shards: number;
  /** unique: a restored log has another one; empty: not assigned yet */
  id: string;
}

export const identityFile = (dir: string): string => join(dir, 'identity.json');
const reachedFile = (dir: string): string => join(dir, 'reached.json');

const OTHER_DIRECTORY = 'give this gateway its own data directory, or an empty one';

/** Undefined if there is none. Throws LogRefused, and LogDamaged if the file is missing beside a log. */
export function readIdentity(dir: string): Identity | undefined {
  const file = identityFile(dir);
  const text = readText(file);
  if (text === undefined) {
    if (existsSync(storeDir(dir)))
      throw new LogDamaged(file, 0, `it is missing, but there is a log beside it: bring it back, or restore a backup`);
    return undefined;
  }
  const found = parseObject(file, text);
  if (typeof found['format'] === 'number' && found['format'] > DISK_FORMAT) {
    throw new LogRefused(
      `${dir} was written by a newer version of Claret (format ${found['format']}; this one knows ${DISK_FORMAT}): start the newer version, or ${OTHER_DIRECTORY}`,
    );
  }
  const { format, cluster, shard, shards, id = '' } = found;
  if (
    format !== DISK_FORMAT ||
    typeof cluster !== 'string' ||
    !Number.isInteger(shard) ||
    !Number.isInteger(shards) ||
    typeof id !== 'string'
  ) {
    throw new LogDamaged(file, 0, `it does not say whose log this is: bring the file back, or restore a backup`);
  }
  return { ...(found as unknown as Identity), id };
}

/** Returns the log's id; assigns an empty folder to this shard. Throws LogRefused if the folder belongs to another shard or cluster. */
export function claim(dir: string, { clusterName: cluster, shard, shards }: Pick<LogOptions, 'clusterName' | 'shard' | 'shards'>): string {
  const found = readIdentity(dir);
  if (found === undefined) return writeIdentity(dir, { cluster, shard, shards });
  if (found.cluster !== cluster) {
    throw new LogRefused(`${dir} belongs to the cluster '${found.cluster}', and this gateway to '${cluster}': ${OTHER_DIRECTORY}`);
  }
  if (found.shard !== shard || found.shards !== shards) {
    throw new LogRefused(
      `${dir} holds shard ${found.shard} of ${found.shards}, and this gateway is shard ${shard} of ${shards}, with other slots: start it with ` +
        `the number and the cluster that the directory is of (and dealtShards ${found.shards}, if others have joined since), or ${OTHER_DIRECTORY}`,
    );
  }
  return found.id === '' ? writeIdentity(dir, found) : found.id;
}

function writeIdentity(dir: string, { cluster, shard, shards }: Omit<Identity, 'format' | 'id'>): string {
  const id = randomUUID();
  writeSafely(identityFile(dir), `${JSON.stringify({ format: DISK_FORMAT, cluster, shard, shards, id } satisfies Identity)}\n`);
  return id;
}

export interface Reached {
  /** the last entry of the log at the last start or close */
  position: number;
  /** the log was closed in order, so no write was interrupted */
  closed: boolean;
  /** the starts that wrote the log (lineage.ts) */
  starts: readonly Start[];
}

/** True if a start has ever completed on this folder. */
export const hasReached = (dir: string): boolean => existsSync(reachedFile(dir));

export function readReached(dir: string): Reached {
  const file = reachedFile(dir);
  const text = readText(file);
  if (text === undefined) return { position: 0, closed: false, starts: [] };
  const { position, closed, starts = [] } = parseObject(file, text);
  if (!Number.isSafeInteger(position) || typeof closed !== 'boolean' || !isStarts(starts)) {
    throw new LogDamaged(
      file,
      0,
      `it does not say how far the log came: bring the file back, or remove it; then the other shards refuse this one until logs.json is removed from every shard's data directory (docs/operations.md, "Failed disk")`,
    );
  }
  return { position: position as number, closed, starts };
}

export const writeReached = (dir: string, reached: Reached): void => writeSafely(reachedFile(dir), `${JSON.stringify(reached)}\n`);

function parseObject(file: string, text: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === 'object' && found !== null) return found as Record<string, unknown>;
  } catch {
    // thrown below
  }
  throw new LogDamaged(file, 0, 'it is not what was written there: bring the file back, or restore a backup');
}
