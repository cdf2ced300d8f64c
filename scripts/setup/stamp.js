// Detects changes by content: a hash over source files, stored beside the files made from them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../paths.js';

/**
 * @param {string[]} paths files and folders
 * @param {(path: string) => boolean} [take] whether to include a file or folder below them
 * @returns {string} differs if a name or a byte differs, and stays when the whole tree moves
 */
export function hashOf(paths, take = () => true) {
  const hash = createHash('sha256');
  const add = (path) => {
    if (!take(path) || !existsSync(path)) return;
    let names;
    try {
      names = readdirSync(path).sort();
    } catch (error) {
      if (error.code !== 'ENOTDIR') throw error;
      const content = readFileSync(path);
      hash.update(`${relative(ROOT, path)}\0${content.length}\0`).update(content);
      return;
    }
    for (const name of names) add(join(path, name));
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}

/** @param {string} stamp @param {string} hash */
export const isStamped = (stamp, hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/** @param {string} stamp @param {string} hash */
export function writeStamp(stamp, hash) {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}
