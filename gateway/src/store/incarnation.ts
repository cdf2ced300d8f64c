// The incarnation: a number that is greater at each start of a shard. Peers use it to notice a restart.
//
// Kept in the data directory, so that it grows even when the wall clock was set back; never below the wall clock in
// seconds, so that it grows (all but surely) even when the directory was lost.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'incarnation';

/** The next incarnation, already safe on disk. Throws when the directory cannot be written or the file is damaged. */
export function nextIncarnation(dataDir: string, wallMs: number): number {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, FILE);
  const next = Math.max(readStored(path) + 1, Math.floor(wallMs / 1000));
  writeSafely(dataDir, path, String(next));
  return next;
}

function readStored(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${path} should hold a number and holds something else`);
  return Number(text);
}

// A crash leaves the old file or the new one, whole.
function writeSafely(dir: string, path: string, text: string): void {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w');
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
