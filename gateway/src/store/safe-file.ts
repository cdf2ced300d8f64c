// Atomic changes of small files: after a crash a file has either its old or its new contents.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Replaces the file; it is on disk when this returns. */
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

/** Removes the file if it exists; the removal is durable when this returns. */
export function removeSafely(path: string): void {
  rmSync(path, { force: true });
  syncFolder(dirname(path));
}

/** Creates the folder and missing parent folders; they are durable when this returns. */
export function makeFolder(path: string): void {
  const made = mkdirSync(path, { recursive: true });
  if (made === undefined) return;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    syncFolder(dirname(folder));
    if (folder === resolve(made) || folder === dirname(folder)) return;
  }
}

/** Makes the names in a folder durable: files created, renamed or removed before. */
export function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Undefined if there is no such file. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
