// A shard's data directory: the paths in it, and the errors of a start that cannot use it, with advice for the operator.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { identityFile } from '../log/identity.ts';
import { LogDamaged, LogRefused } from '../log/log.ts';
import { isForbidden, isFull, storeDir } from '../log/store.ts';
import { nextIncarnation } from './incarnation.ts';
import { makeFolder, readText, writeSafely } from './safe-file.ts';

/** the folder of the log and the checkpoint */
export const logDir = (dataDir: string): string => join(dataDir, 'log');
/** how far that log has come (log/log-end.ts) */
export const endFile = (dataDir: string): string => join(dataDir, 'log-end.json');
/** how far the logs of the other shards had come (known-logs.ts) */
export const knownLogsFile = (dataDir: string): string => join(dataDir, 'logs.json');

/** the ids of replicated logs that this gateway has had: a start that finds another one, or none, is refused */
export const replicatedLogsFile = (dataDir: string): string => join(dataDir, 'replicated-logs.json');
/** a copy of the checkpoint of that shard's replicated log (log/jetstream/mirror.ts) */
export const mirrorDir = (dataDir: string, shard: number): string => join(dataDir, `checkpoint-copy-${shard}`);

/** By shard. Throws LogDamaged. */
export function readReplicatedLogs(dataDir: string): Record<number, string> {
  const file = replicatedLogsFile(dataDir);
  const text = readText(file);
  if (text === undefined) return {};
  try {
    const { logs } = JSON.parse(text) as { logs: Record<number, string> };
    if (Object.values(logs).every((log) => typeof log === 'string' && log !== '')) return logs;
  } catch {
    // thrown below
  }
  throw new LogDamaged(
    file,
    0,
    'it does not say which logs this gateway has had: it may be removed; then a lost log may go unnoticed at this start',
  );
}

export function writeReplicatedLog(dataDir: string, shard: number, log: string): void {
  makeFolder(dataDir);
  const logs = { ...readReplicatedLogs(dataDir), [shard]: log };
  writeSafely(replicatedLogsFile(dataDir), `${JSON.stringify({ logs })}\n`);
}

/** Throws LogRefused if the directory holds a log of its own, which a replicated one would not continue. */
export function refuseLocalLog(dataDir: string): void {
  if (!existsSync(storeDir(logDir(dataDir))) && !existsSync(identityFile(logDir(dataDir)))) return;
  throw new LogRefused(
    `${dataDir} holds a log of its own, and this gateway is to use a replicated one: start it with the setting log=local, or give it another data directory. A backup cannot be restored into a replicated log`,
  );
}

/** Throws LogRefused if this gateway has had a replicated log. */
export function refuseReplicatedLog(dataDir: string): void {
  const file = replicatedLogsFile(dataDir);
  if (!existsSync(file)) return;
  throw new LogRefused(
    `${file} says that this gateway has had a replicated log: start the gateway with the setting log=jetstream, or give it another data directory`,
  );
}

/** Throws LogRefused if the log is missing although other files show that there was one. */
export function refuseLostLog(dataDir: string): void {
  if (existsSync(storeDir(logDir(dataDir))) || existsSync(identityFile(logDir(dataDir)))) return;
  const left = [endFile(dataDir), knownLogsFile(dataDir)].find(existsSync);
  if (left === undefined) return;
  throw new LogRefused(
    `${logDir(dataDir)} is missing, and ${left} says that there was a log: nothing has been changed. Bring the folder back, or restore all shards from one backup (docs/operations.md, "Failed disk")`,
  );
}

/** Returns the incarnation of this start. Throws LogRefused. */
export function startIn(dataDir: string, wallMs: number): number {
  try {
    return nextIncarnation(dataDir, wallMs);
  } catch (error) {
    if (isFull((error as Error).message)) throw refusalOf(dataDir, error as Error);
    throw unusable(dataDir, error as Error);
  }
}

/** The error to report for an error while the directory was read. */
export function refusalOf(dataDir: string, error: Error): Error {
  if (isFull(error.message))
    return new LogRefused(
      `the disk of the data directory ${dataDir} is full (${error.message}), and a start has to write a little: make room, then start again`,
    );
  if (error instanceof LogRefused || error instanceof LogDamaged) return error;
  if (isForbidden(error.message)) return unusable(dataDir, error);
  return new LogRefused(
    `what the data directory ${dataDir} keeps cannot be restored (${error.message}): restore a backup (docs/operations.md, "Damage")`,
  );
}

const unusable = (dataDir: string, { message }: Error): LogRefused =>
  new LogRefused(`the data directory ${dataDir} cannot be used (${message}): give the gateway one that it may write to`);
