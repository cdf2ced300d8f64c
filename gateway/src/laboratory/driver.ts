// The driver of a spike: a child process that reports its state in lines of JSON. It ends by itself, on request, or when this process is
// gone, since its standard input closes then. A driver that does not end in time is killed.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import Value from 'typebox/value';
import { LineSchema } from './spike.ts';
import type { SpikeLine } from './spike.ts';

/** time that a driver may take beyond its load: to prepare, to finish open transactions, to check */
const EXTRA_MS = 60_000;
/** time to end after a request to stop; the driver's own limit is a little shorter */
const STOPPED_WITHIN_MS = 7_000;
const ERROR_CHARACTERS_MAX = 300;

export interface DriverEvents {
  onLine(line: SpikeLine): void;
  /** Called once. `message`: why the driver ended without completing; null: it completed. `ended` resolves after this. */
  onEnd(message: string | null): void | Promise<void>;
}

export class Driver {
  readonly ended: Promise<void>;
  private readonly child: ChildProcess;
  private readonly timers: NodeJS.Timeout[] = [];
  /** the most useful line of standard error */
  private errorLine = '';
  private lastState: SpikeLine['state'] | null = null;
  private late = false;

  constructor(program: string, args: string[], token: string, seconds: number, events: DriverEvents) {
    const env = { ...process.env, CLARET_TOKEN: token }; // not a flag: other users of the machine can read those
    this.child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const end = new Promise<string>((resolve) => {
      this.child.on('error', (error) => resolve(`could not be started: ${error.message}`));
      this.child.on('exit', (code, signal) => resolve(`ended with ${signal ?? `exit code ${code}`}`));
    });
    this.child.stdin?.on('error', () => {}); // the process has ended; `exit` reports it
    const lines = this.readLines(this.child.stdout, (text) => this.take(text, events));
    const errorLines = this.readLines(this.child.stderr, (text) => this.takeErrorLine(text));
    this.ended = end.then(async (how) => {
      for (const timer of this.timers) clearTimeout(timer);
      await Promise.all([lines, errorLines]);
      await events.onEnd(this.failure(how));
    });
    this.killAfter(1000 * seconds + EXTRA_MS);
  }

  /** Requests the driver to end; resolves when it has ended. */
  stop(): Promise<void> {
    this.child.stdin?.end();
    this.killAfter(STOPPED_WITHIN_MS);
    return this.ended;
  }

  /** Resolves when the driver has ended. */
  kill(): Promise<void> {
    this.child.kill('SIGKILL');
    return this.ended;
  }

  private killAfter(ms: number): void {
    const timer = setTimeout(() => {
      this.late = true;
      this.child.kill('SIGKILL');
    }, ms);
    this.timers.push(timer.unref());
  }

  /** `stream` is absent if the process could not be started because file descriptors ran out. */
  private readLines(stream: Readable | null | undefined, take: (text: string) => void): Promise<void> | null | undefined {
    return stream && new Promise((resolve) => createInterface({ input: stream }).on('line', take).on('close', resolve));
  }

  private take(text: string, { onLine }: DriverEvents): void {
    const line = lineOf(text);
    if (line === null) return;
    this.lastState = line.state;
    onLine(line);
  }

  private takeErrorLine(text: string): void {
    const line = /^\s*(?:at |\{|\}|\[|$)/.test(text) ? '' : text.trim().slice(0, ERROR_CHARACTERS_MAX);
    if (this.errorLine === '' || /Error\b/.test(line)) this.errorLine = line || this.errorLine;
  }

  private failure(how: string): string | null {
    if (this.lastState === 'ended' || this.lastState === 'failed') return null;
    if (this.late) return 'The driver did not end in time, and was killed.';
    return `The driver ${how}${this.errorLine === '' ? '.' : `: ${this.errorLine}`}`;
  }
}

/** Null if the text is not a line of a driver. Unknown members are left out. */
function lineOf(text: string): SpikeLine | null {
  try {
    const line: unknown = JSON.parse(text);
    return Value.Check(LineSchema, line) ? (Value.Clean(LineSchema, line) as SpikeLine) : null;
  } catch {
    return null;
  }
}
