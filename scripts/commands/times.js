// Where the time of a run of the tests goes: set-up by step, sections, and in each section its slowest parts. Kept for
// `npm test -- --times`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { inProject } from '../paths.js';
import { cpuOfChildrenMs } from '../run/cpu.js';

/**
 * @typedef {{name: string, ms: number, cpuMs?: number}} Part cpuMs: processor time of the processes that it started
 * @typedef {Part & {parts: Part[]}} SectionTime `parts`: files or cases
 * @typedef {object} Times
 * @property {string} began ISO 8601
 * @property {number} load processes that wanted to run, on average over the minute before
 * @property {number} processors
 * @property {number} ms the whole run
 * @property {number} cpuMs processor time of all processes that the run started
 * @property {Part[]} setUp steps, some side by side
 * @property {SectionTime[]} sections
 */

const KEPT = inProject('node_modules', '.cache', 'claret', 'times.json');
/** Shown of each section at the end of a run, and when asked for. */
export const SLOWEST = { atTheEnd: 5, asked: 20 };
/** What takes less is not shown. */
const SHOWN_MS = 100;

/**
 * Starts the clock of a run.
 * @returns {(setUp: Part[], sections: SectionTime[]) => void} stops it, keeps what it shows and prints it
 */
export function clock() {
  const began = new Date();
  const [load] = loadavg();
  const before = cpuOfChildrenMs();
  return (setUp, sections) => {
    const ms = Date.now() - began.getTime();
    const processors = availableParallelism();
    const times = { began: began.toISOString(), load, processors, ms, cpuMs: cpuOfChildrenMs() - before, setUp, sections };
    mkdirSync(dirname(KEPT), { recursive: true });
    writeFileSync(KEPT, JSON.stringify(times));
    console.log(`\n${table(times, SLOWEST.atTheEnd)}`);
  };
}

/** @param {number} ms */
const inSeconds = (ms) => (ms / 1000).toFixed(1).padStart(8);
/** The costly ones first: by processor time where that is known, since a run is as long as its processors are busy. @param {Part[]} parts */
const byTime = (parts) => parts.filter(({ ms }) => ms >= SHOWN_MS).sort((one, other) => costOf(other) - costOf(one));
/** @param {Part} part */
const costOf = ({ ms, cpuMs }) => cpuMs ?? ms;
/** @param {Part} part */
const row = ({ name, ms, cpuMs = 0 }) => `${inSeconds(ms)}  ${name}${cpuMs < SHOWN_MS ? '' : `, ${inSeconds(cpuMs).trim()} of processors`}`;

/** @param {Times} times @param {number} slowest parts of each section @returns {string} */
export function table({ began, load, processors, ms, cpuMs, setUp, sections }, slowest) {
  const lines = [`Seconds of the run of ${began.slice(0, 16).replace('T', ' ')} UTC (load ${load.toFixed(1)} before it):`, ''];
  if (byTime(setUp).length > 0) lines.push(row({ name: 'set-up, steps side by side', ms: Math.max(...setUp.map((step) => step.ms)) }));
  lines.push(...byTime(setUp).map((step) => `  ${row(step)}`));
  for (const section of sections) {
    lines.push(
      row(section),
      ...byTime(section.parts)
        .slice(0, slowest)
        .map((part) => `  ${row(part)}`),
    );
  }
  lines.push(row({ name: `in all; ${(cpuMs / 60_000).toFixed(1)} minutes of processor time on ${processors} processors`, ms }));
  return lines.join('\n');
}

/** @returns {Times | null} of the last run; null: there was none */
export const kept = () => (existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : null);
