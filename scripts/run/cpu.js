// Processor time of children, by the piece of work that started them. The system counts it for all children together when one ends, so it goes
// to the work of the one that has ended; of two that end in the same moment, one gets both.
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_S = 100; // of /proc, whatever the kernel's own

/** Of children that have ended, and of their children. @returns {number} ms; 0 where the system does not say */
export function cpuOfChildrenMs() {
  if (!existsSync('/proc/self/stat')) return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return ((Number(fields[13]) + Number(fields[14])) * 1000) / CLOCK_TICKS_PER_S;
}

/** @typedef {{cpuMs: number}} Work */

/** @type {AsyncLocalStorage<Work>} */
const underWay = new AsyncLocalStorage();
let toldMs = 0;

/** What is started from within `run` is counted for that work. @template T @param {Work} work @param {() => T} run @returns {T} */
export const countedFor = (work, run) => underWay.run(work, run);

/** The work that starts a child now. */
export const startedBy = () => underWay.getStore();

/** A child of that work has ended. @param {Work | undefined} work */
export function childEnded(work) {
  const nowMs = cpuOfChildrenMs();
  if (work !== undefined) work.cpuMs += nowMs - toldMs;
  toldMs = nowMs;
}
