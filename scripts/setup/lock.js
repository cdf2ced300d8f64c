// One piece of work at a time, among all launchers: a second one waits for the first. The lock is a file that names its holder: the process,
// when that began, and the folder of the lock. A lock is void when its holder has ended, when a later process has its number, and when it
// was copied from another folder with all else there.
import { linkSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const ASK_EVERY_MS = 200;

/** @typedef {{pid: number, began: string, folder: string}} Holder */

/** @param {number} pid @returns {string | null} when the process began, in ticks of the machine's clock, or '' if that is unknown; null: there is none */
function beginOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[19];
  } catch {
    // no such process, or a system without /proc
  }
  try {
    process.kill(pid, 0);
    return '';
  } catch (error) {
    return error.code === 'EPERM' ? '' : null;
  }
}

/** @param {string} path of the lock @returns {Holder | null} null: the lock has been released */
function holderOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    if (error instanceof SyntaxError) return { pid: 0, began: '', folder: '' }; // of an earlier version: void
    throw error;
  }
}

/** @param {string} path @returns {Holder | null} the holder; null: the lock is now ours */
function tryLock(path) {
  const folder = realpathSync(dirname(path));
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, began: beginOf(process.pid), folder }));
  try {
    linkSync(mine, path); // atomic
    return null;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(mine);
  }
  const holder = holderOf(path);
  if (holder === null) return tryLock(path);
  if (holder.folder === folder && holder.pid > 0 && beginOf(holder.pid) === holder.began) return holder;
  rmSync(path, { force: true });
  return tryLock(path);
}

/**
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {(holder: Holder) => void} [onWait] called once
 * @returns {Promise<T>}
 */
export async function withLock(path, work, onWait) {
  mkdirSync(dirname(path), { recursive: true });
  const release = () => rmSync(path, { force: true });
  let told = false;
  for (let holder = tryLock(path); holder !== null; holder = tryLock(path)) {
    if (!told) onWait?.(holder);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  process.on('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}
