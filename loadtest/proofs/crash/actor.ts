// Actor: one process of the run, which is killed and restarted under the same name and arguments. It ends with the run: its
// standard input is a pipe that closes when the runner ends, and it must exit on that.

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Told } from './ledger.ts';
import { trace } from './trace.ts';

const LAST_LINES_MAX = 20;
const STOP_GRACE_MS = 10_000;
const ASK_EVERY_MS = 20;

export interface ActorOptions {
  name: string;
  command: readonly [string, ...string[]];
  env?: NodeJS.ProcessEnv;
  /** answers 200 at this address when it is ready; without an address it reports that it is ready */
  readyAt?: string;
  /** the process exits by itself after this output, and is restarted, as a service manager would do */
  startedAgain?: RegExp;
  /** called with each line of its output */
  onLine?: (line: string) => void;
  /** called with each line of its ledger */
  onTold?: (told: Told) => void;
  /** called when a process has started, or ended */
  onLife?: (pid: number, lives: boolean) => void;
}

/** Our environment, without settings of a user's own cluster. */
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CLARET_')));

const living = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

export class Actor {
  readonly name: string;
  /** how often it was killed */
  kills = 0;
  /** why it ended unexpectedly */
  death: string | null = null;
  readonly #options: ActorOptions;
  #lastLines: string[] = [];
  #child: ChildProcess | null = null;
  #gone: Promise<void> = Promise.resolve();
  #ready = false;
  /** the permitted way to end */
  #expected: 'nothing' | 'kill' | 'end' = 'nothing';

  constructor(options: ActorOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** REQUIRES: it is not running. */
  start(): void {
    const {
      command: [program, ...args],
      env,
      onTold,
      onLife,
    } = this.#options;
    this.#ready = false;
    this.#expected = 'nothing';
    this.#lastLines = [];
    const child = spawn(program, args, {
      env: { ...ENVIRONMENT, CLARET_EXIT_WITH_PARENT: '1', ...env },
      stdio: ['pipe', 'pipe', 'pipe', onTold === undefined ? 'ignore' : 'pipe'],
    });
    this.#child = child;
    trace(this.name, `starts as ${child.pid}`);
    living.add(child);
    if (child.pid !== undefined) onLife?.(child.pid, true);
    child.stdin!.on('error', () => {}); // the process has ended, which `exit` reports
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', (line) => this.#keep(line));
    if (onTold !== undefined) createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => this.#take(line, onTold));
    this.#gone = new Promise((resolve) => {
      child.on('error', (error) => this.#keep(error.message));
      // The process has ended, and all its reports have been read.
      child.on('close', (code, signal) => {
        trace(this.name, `has ended with ${signal ?? `exit code ${code}`}`);
        living.delete(child);
        if (child.pid !== undefined) onLife?.(child.pid, false);
        this.#child = null;
        const mayEnd = this.#options.startedAgain?.test(this.lastLines) === true;
        if (this.#expected !== 'nothing' && signal === 'SIGKILL') this.kills++;
        else if (mayEnd && this.#expected === 'nothing') this.start();
        else if (!mayEnd && (this.#expected !== 'end' || (code ?? 0) !== 0))
          this.death = `${this.name} ended by itself with ${signal ?? `exit code ${code}`}:\n${this.lastLines}`;
        resolve();
      });
    });
  }

  #keep(line: string): void {
    this.#options.onLine?.(line);
    trace(this.name, line);
    this.#lastLines.push(line);
    if (this.#lastLines.length > LAST_LINES_MAX) this.#lastLines.shift();
  }

  #take(line: string, onTold: (told: Told) => void): void {
    const told = JSON.parse(line) as Told;
    if ('ready' in told) this.#ready = true;
    else onTold(told);
  }

  get lastLines(): string {
    return this.#lastLines.map((line) => `  ${line}`).join('\n');
  }

  /** False: it was not ready within that time, or has ended. */
  async ready(withinMs: number): Promise<boolean> {
    const untilMs = performance.now() + withinMs;
    while (this.#child !== null && performance.now() < untilMs) {
      if (this.#ready || (await this.#answers())) return true;
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
    return false;
  }

  async #answers(): Promise<boolean> {
    const { readyAt } = this.#options;
    if (readyAt === undefined) return false;
    try {
      const answer = await fetch(readyAt, { signal: AbortSignal.timeout(2_000) });
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  /** Writes one line to its standard input. */
  order(order: object): void {
    this.#child?.stdin!.write(`${JSON.stringify(order)}\n`);
  }

  signal(signal: NodeJS.Signals): void {
    trace(this.name, `gets ${signal}`);
    this.#child?.kill(signal);
  }

  /** Resolves when the process has ended and all its reports have been read. */
  async kill(): Promise<void> {
    if (this.#child !== null) {
      if (this.#expected === 'nothing') this.#expected = 'kill';
      this.#child.kill('SIGKILL');
      trace(this.name, 'is killed');
    }
    await this.#gone;
  }

  /** The process will be killed by something else, such as its disk; after this time we kill it. */
  async killedWithin(ms: number): Promise<void> {
    if (this.#child !== null && this.#expected === 'nothing') this.#expected = 'kill';
    await this.#goneOrKilled(ms);
  }

  /** Lets it shut down; kills it after a grace period. */
  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#expected = 'end';
    this.#child?.kill('SIGTERM');
    await this.#goneOrKilled(graceMs);
  }

  async #goneOrKilled(withinMs: number): Promise<void> {
    const child = this.#child;
    const timer = setTimeout(() => child?.kill('SIGKILL'), withinMs);
    await this.#gone;
    clearTimeout(timer);
  }
}
