// The incarnation: a number that is greater at each start of a shard. Peers use it to notice a restart.
//
// It is stored in the data directory, so that it grows even if the wall clock was set back. It is at least the wall clock in seconds, so
// that it almost certainly grows even if the directory was lost.
import { join } from 'node:path';
import { makeFolder, readText, writeSafely } from './safe-file.ts';

const FILE = 'incarnation';

/** Returns the next incarnation, which is already durable. Throws if the directory cannot be written or the file is damaged. */
export function nextIncarnation(dataDir: string, wallMs: number): number {
  makeFolder(dataDir);
  const path = join(dataDir, FILE);
  const next = Math.max(readStored(path) + 1, Math.floor(wallMs / 1000));
  writeSafely(path, String(next));
  return next;
}

function readStored(path: string): number {
  const text = readText(path)?.trim();
  if (text === undefined) return 0;
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${path} should hold a number and holds something else`);
  return Number(text);
}
