// A shard's data directory: the paths in it, and the errors of a start that cannot use it, with advice for the operator.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { identityFile } from '../log/identity.ts';
import { LogDamaged, LogRefused } from '../log/log.ts';
import { isForbidden, isFull, storeDir } from '../log/store.ts';
import { nextIncarnation } from './incarnation.ts';
import { readText, writeSafely } from './safe-file.ts';

/** the folder of the log and the checkpoint */
export const logDir = (dataDir: string): string => join(dataDir, 'log');
/** how far that log has come (log/log-end.ts) */
export const endFile = (dataDir: string): string => join(dataDir, 'log-end.json');
/** how far the logs of the other shards had come (known-logs.ts) */
export const knownLogsFile = (dataDir: string): string => join(dataDir, 'logs.json');

/** the id of this shard's log, if it is replicated: a start that finds another one, or none, is refused */
export const replicatedLogFile = (dataDir: string): string => join(dataDir, 'replicated-log.json');
/** a copy of the replicated log's checkpoint (log/jetstream/mirror.ts) */
export const mirrorDir = (dataDir: string): string => join(dataDir, 'checkpoint-copy');

/** Undefined if this shard has had no replicated log. Throws LogDamaged. */
export function readReplicatedLog(dataDir: string): string | undefined {
  const file = replicatedLogFile(dataDir);
  const text = readText(file);
  if (text === undefined) return undefined;
  try {
    const { log } = JSON.parse(text) as { log: unknown };
    if (typeof log === 'string' && log !== '') return log;
  } catch {
    // thrown below
  }
  throw new LogDamaged(
    file,
    0,
    "it does not say which log is this shard's: it may be removed; then a lost log may go unnoticed at this start",
  );
}

export const writeReplicatedLog = (dataDir: string, log: string): void =>
  writeSafely(replicatedLogFile(dataDir), `${JSON.stringify({ log })}\n`);

/** Throws LogRefused if the directory holds a log of its own, which a replicated one would not continue. */
export function refuseLocalLog(dataDir: string): void {
  if (!existsSync(storeDir(logDir(dataDir))) && !existsSync(identityFile(logDir(dataDir)))) return;
  throw new LogRefused(
    `${dataDir} holds a log of its own, and this gateway is to use a replicated one: start it with the setting log=local, or give it another data directory. A backup cannot be restored into a replicated log`,
  );
}

/** Throws LogRefused if this shard's log is a replicated one. */
export function refuseReplicatedLog(dataDir: string): void {
  const file = replicatedLogFile(dataDir);
  if (!existsSync(file)) return;
  throw new LogRefused(
    `${file} says that the log of this shard is replicated: start the gateway with the setting log=jetstream, or give it another data directory`,
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
