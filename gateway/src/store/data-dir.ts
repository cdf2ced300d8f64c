// A shard's data directory: the paths in it, and the errors of a start that cannot use it, with advice for the operator.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { identityFile } from '../log/identity.ts';
import { LogDamaged, LogRefused } from '../log/log.ts';
import { isForbidden, isFull, storeDir } from '../log/store.ts';
import { nextIncarnation } from './incarnation.ts';

/** the folder of the log and the checkpoint */
export const logDir = (dataDir: string): string => join(dataDir, 'log');
/** how far that log has come (log/log-end.ts) */
export const endFile = (dataDir: string): string => join(dataDir, 'log-end.json');
/** how far the logs of the other shards had come (known-logs.ts) */
export const knownLogsFile = (dataDir: string): string => join(dataDir, 'logs.json');

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
