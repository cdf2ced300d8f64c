// Helpers shared by the tests of processes.
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const ASK_EVERY_MS = 20;
/** How long a failure takes to show: on a busy machine a process takes tens of seconds to start. */
const PATIENT_MS = 120_000;

/** @param {number} pid @returns {boolean} a process with this id exists, possibly a zombie */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** @param {() => boolean | Promise<boolean>} condition @returns {Promise<boolean>} whether it became true in time */
export async function becomes(condition, withinMs = PATIENT_MS) {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await sleep(ASK_EVERY_MS);
  }
  return true;
}

/** @param {number} pid */
export const gone = (pid) => becomes(() => !isAlive(pid));

/** @param {string[]} words that the command line must contain @returns {number | undefined} a process with such a command line (Linux) */
export function processWith(words) {
  const commandLine = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return ''; // ended in the meantime
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).find((pid) => words.every((word) => commandLine(pid).includes(word)));
}
