// One process of a cluster, kept running: from its first readiness on it is started again when it dies, within the limits of restarts.js.
import { performance } from 'node:perf_hooks';
import { Problem } from './problem.js';
import { Child } from './process.js';
import { waitUntilReady } from './ready.js';
import { Restarts } from './restarts.js';

const READY_WITHIN_MS = 60_000;

/**
 * A row of the table of processes.
 * @typedef {object} Row
 * @property {string} kind one of STAGES (scripts/processes.js)
 * @property {string} name "gateway 0"
 * @property {string} command
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} [env] added to the host's
 * @property {string} [url] base URL; a GET of `readyPath` answers 200 when the process is ready. Without it, a process that runs is ready
 * @property {string} [readyPath] default /readyz
 * @property {(line: string) => boolean} [isNews] whether a line of its output is passed on; default: each is
 * @property {number} [graceMs] time from SIGTERM to SIGKILL
 * @property {boolean} [mayEnd] with exit code 0 its work is done
 */

/**
 * @typedef {object} ServiceHost
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {Partial<import('./restarts.js').RestartLimits>} [restarts] without it, a process that dies stays dead
 * @property {(name: string, line: string, stream: 'stdout' | 'stderr') => void} [onLine]
 * @property {(death: Death) => void} [onDeath]
 * @property {(back: {name: string, awayMs: number}) => void} [onBack]
 */

/**
 * @typedef {{name: string, code: number | null, signal: string | null, lastLines: string[]} & (import('./restarts.js').Verdict |
 *   {againInMs: null, givenUp: null})} Death
 */

/** @param {string[]} lines */
export const indented = (lines) => lines.map((line) => `  ${line}`).join('\n');

export class Service {
  #host;
  #restarts;
  /** It has been ready once, so that a death is not a failed start. */
  #isKept = false;
  #isStopping = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** since when it is away; null: it is not */
  #awaySinceMs = null;

  /** @param {Row} row @param {ServiceHost} host */
  constructor(row, host) {
    this.row = row;
    this.#host = host;
    this.#restarts = host.restarts === undefined ? null : new Restarts(host.restarts);
    /** the present process, or the last one */
    this.child = this.#spawn();
  }

  get pid() {
    return this.child.pid;
  }

  /** Settles when the process is ready for the first time; rejects if it does not get there. @param {(told: object) => void} [onRecovering] */
  async ready(onRecovering) {
    const outcome = await this.#untilReady(this.child, READY_WITHIN_MS, onRecovering);
    if (outcome === 'ready') this.#isKept = true;
    if (outcome === 'ready' || this.#isStopping) return;
    const what = outcome === 'ended' ? 'ended before it was ready' : `was not ready after ${READY_WITHIN_MS / 1000} s`;
    throw new Problem(`${this.row.name} ${what}:\n\n${indented(this.child.lastLines)}`);
  }

  /** From now on its end is no death. */
  expectEnd() {
    this.#isStopping = true;
    clearTimeout(this.#timer);
  }

  async stop() {
    this.expectEnd();
    await this.child.stop(this.row.graceMs);
  }

  #spawn() {
    const { name, command, args, isNews } = this.row;
    const { cwd, onLine } = this.#host;
    const env = { ...this.#host.env, ...this.row.env };
    const passOn = (line, stream) => void (isNews?.(line) === false || onLine?.(name, line, stream));
    const child = new Child({ name, command, args, cwd, env, server: true, onLine: passOn });
    void child.exited.then((end) => this.#onEnd(child, end));
    return child;
  }

  #untilReady(child, withinMs, onRecovering) {
    const { url, readyPath = '/readyz' } = this.row;
    return url === undefined ? 'ready' : waitUntilReady(`${url}${readyPath}`, child, withinMs, onRecovering);
  }

  #onEnd({ lastLines }, end) {
    const { name, mayEnd } = this.row;
    if (this.#isStopping || (mayEnd && end.code === 0)) return;
    const nowMs = performance.now();
    this.#awaySinceMs ??= nowMs;
    const isAgain = this.#isKept && this.#restarts !== null;
    const verdict = isAgain ? this.#restarts.after(end, nowMs) : { againInMs: null, givenUp: null };
    this.#host.onDeath?.({ name, ...end, lastLines, ...verdict });
    if (verdict.againInMs !== null) this.#timer = setTimeout(() => void this.#startAgain(), verdict.againInMs);
  }

  /** However long the process takes to be ready: a large store is restored first. */
  async #startAgain() {
    const child = this.#spawn();
    this.child = child;
    const outcome = await this.#untilReady(child, Infinity);
    if (outcome !== 'ready' || child.ended || this.#isStopping) return; // its end is another death
    const awayMs = performance.now() - this.#awaySinceMs;
    this.#awaySinceMs = null;
    this.#host.onBack?.({ name: this.row.name, awayMs });
  }
}
