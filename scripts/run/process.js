// Child processes. Each leads its own process group, so that stopping it stops its descendants too. No child outlives us:
//   - stop() sends SIGTERM to the group, and SIGKILL after a grace period;
//   - when we exit, the remaining children are killed;
//   - when we are killed, the pipe to a server's stdin closes, and a server started with
//     CLARET_EXIT_WITH_PARENT=1 exits on that.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childEnded, startedBy } from './cpu.js';

const STOP_GRACE_MS = 5_000;
const LAST_LINES_MAX = 40;

/** @type {Set<Child>} */
const living = new Set();

process.on('exit', () => {
  for (const child of living) child.signal('SIGKILL');
});

/**
 * @typedef {object} ChildOptions
 * @property {string} name for messages
 * @property {string} command
 * @property {string[]} [args]
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] added to ours; undefined removes a variable
 * @property {boolean} [server] keeps stdin open while we live
 * @property {(line: string, stream: 'stdout' | 'stderr') => void} [onLine]
 */

export class Child {
  /** @param {ChildOptions} options */
  constructor({ name, command, args = [], cwd, env, server = false, onLine }) {
    this.name = name;
    /** the last lines of output, for messages @type {string[]} */
    this.lastLines = [];
    /** @type {{code: number | null, signal: NodeJS.Signals | null} | null} */
    this.ended = null;
    const work = startedBy();
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...(server ? { CLARET_EXIT_WITH_PARENT: '1' } : {}), ...env },
      detached: true,
      stdio: [server ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    this.pid = child.pid;
    child.stdin?.on('error', () => {}); // it has ended, which `exited` reports
    living.add(this);
    /** Settles when the process has ended and its output has been read; never rejects. */
    this.exited = new Promise((resolve) => {
      child.on('error', (error) => this.#take(`${command}: ${error.message}`, 'stderr', onLine));
      child.on('exit', () => {
        childEnded(work);
        this.signal('SIGKILL'); // processes that it started and left behind
      });
      child.on('close', (code, signal) => {
        living.delete(this);
        this.ended = { code: child.pid === undefined ? 127 : code, signal };
        resolve(this.ended);
      });
    });
    for (const stream of /** @type {const} */ (['stdout', 'stderr'])) {
      createInterface({ input: child[stream] }).on('line', (line) => this.#take(line, stream, onLine));
    }
  }

  #take(line, stream, onLine) {
    this.lastLines.push(line);
    if (this.lastLines.length > LAST_LINES_MAX) this.lastLines.shift();
    onLine?.(line, stream);
  }

  /** Sends a signal to the whole group. @param {NodeJS.Signals} signal */
  signal(signal) {
    if (this.pid === undefined) return;
    try {
      process.kill(-this.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }

  /** Settles when the process has ended. */
  async stop(graceMs = STOP_GRACE_MS) {
    if (this.ended) return;
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), graceMs);
    await this.exited;
    clearTimeout(timer);
  }
}

/** Stops all children that still run. */
export async function stopAll() {
  await Promise.all([...living].map((child) => child.stop()));
}

/** The output of tools is stored and shown later: without colours, unless this is a terminal. */
const PLAIN = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined };

/**
 * A command that runs only while nothing else wants to. Linux may share the processors among sessions first ("autogroup"), and a child leads a
 * session of its own: so the session gets the lowest priority, too.
 */
const gentle = (command, args) =>
  /** @type {const} */ (['sh', ['-c', 'echo 19 2>/dev/null >/proc/self/autogroup; exec nice -n 19 "$0" "$@"', command, ...args]]);

/**
 * Runs a tool to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, onLine?: (line: string) => void, gently?: boolean}} [options]
 * @returns {Promise<{code: number, output: string, timedOut: boolean}>} code: 0 for success, 128 or more for a signal
 */
export async function runTool(command, args, { cwd, env, timeoutMs, onLine, gently = false } = {}) {
  const lines = [];
  let timedOut = false;
  const [program, programArgs] = gently ? gentle(command, args) : [command, args];
  const child = new Child({
    name: command,
    command: program,
    args: programArgs,
    cwd,
    env: { ...PLAIN, ...env },
    onLine: (line) => {
      lines.push(line);
      onLine?.(line);
    },
  });
  const timer =
    timeoutMs &&
    setTimeout(() => {
      timedOut = true;
      void child.stop();
    }, timeoutMs);
  const { code } = await child.exited;
  if (timer) clearTimeout(timer);
  return { code: timedOut ? 124 : (code ?? 128), output: lines.join('\n'), timedOut };
}
