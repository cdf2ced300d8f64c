// A shard's data directory at a start: why it will not do, and what to do about it.
import { LogDamaged, LogRefused } from '../log/log.ts';
import { isForbidden, isFull } from '../log/store.ts';
import { nextIncarnation } from './incarnation.ts';

/** The incarnation of this start. Throws LogRefused. */
export function startIn(dataDir: string, wallMs: number): number {
  try {
    return nextIncarnation(dataDir, wallMs);
  } catch (error) {
    if (isFull((error as Error).message)) throw refusalOf(dataDir, error as Error);
    throw unusable(dataDir, error as Error);
  }
}

/** What to tell of an error met while the directory was read. */
export function refusalOf(dataDir: string, error: Error): Error {
  if (isFull(error.message)) return new LogRefused(`the disk of the data directory ${dataDir} is full (${error.message}), and a start has to write a little: make room, then start again`);
  if (error instanceof LogRefused || error instanceof LogDamaged) return error;
  if (isForbidden(error.message)) return unusable(dataDir, error);
  return new LogRefused(`what the data directory ${dataDir} keeps cannot be restored (${error.message}): restore a backup (docs/operations.md, "Damage")`);
}

const unusable = (dataDir: string, { message }: Error): LogRefused =>
  new LogRefused(`the data directory ${dataDir} cannot be used (${message}): give the gateway one that it may write to`);
