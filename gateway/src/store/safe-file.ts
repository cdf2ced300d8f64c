// Small files that a crash leaves as they were or as they should be.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Replaces the file; on disk when it returns. */
export function writeSafely(path: string, text: string): void {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w');
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** Where there is such a file it is gone, for good, when it returns. */
export function removeSafely(path: string): void {
  rmSync(path, { force: true });
  syncFolder(dirname(path));
}

/** Makes the folder, and those that it is in, where there are none; their names are on disk when it returns. */
export function makeFolder(path: string): void {
  const made = mkdirSync(path, { recursive: true });
  if (made === undefined) return;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    syncFolder(dirname(folder));
    if (folder === resolve(made) || folder === dirname(folder)) return;
  }
}

/** What was made, renamed or removed in a folder stays so. */
export function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Undefined where there is no such file. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
