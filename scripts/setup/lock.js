// Only one set-up at a time in a working tree: a second launcher waits for the first. The lock is a file with the process id of its
// holder; the lock of a process that has ended is void.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const ASK_EVERY_MS = 200;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** @returns {number | null} the holder's process id; null: the lock is now ours */
function tryLock(path) {
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, path); // atomic
    return null;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(mine);
  }
  let holder;
  try {
    holder = Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return tryLock(path); // released in the meantime
  }
  if (isAlive(holder)) return holder;
  rmSync(path, { force: true });
  return tryLock(path);
}

/**
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {(holder: number) => void} [onWait] called once
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
