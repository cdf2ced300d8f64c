// A spike's driver at work: a child process that says what it does in lines of JSON. It ends by itself, when it is asked to,
// or when this process is gone, since then its standard input closes; one that does not is killed.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import Value from 'typebox/value';
import { LineSchema } from './spike.ts';
import type { SpikeLine } from './spike.ts';

/** Beyond the time that it is to run: to prepare, to end what is under way, to check. */
const EXTRA_MS = 60_000;
/** Once it was asked to end; it gives itself a little less. */
const STOPPED_WITHIN_MS = 7_000;
const ERROR_CHARACTERS_MAX = 300;

export interface DriverEvents {
  onLine(line: SpikeLine): void;
  /** once; `message`: why it ended, if not as it should. The driver has ended when this has. */
  onEnd(message: string | null): void | Promise<void>;
}

export class Driver {
  readonly ended: Promise<void>;
  private readonly child: ChildProcess;
  private readonly timers: NodeJS.Timeout[] = [];
  /** of standard error, what tells best what went wrong */
  private complaint = '';
  private lastState: SpikeLine['state'] | null = null;
  private late = false;

  constructor(program: string, args: string[], token: string, seconds: number, events: DriverEvents) {
    const env = { ...process.env, CLARET_TOKEN: token }; // not a flag: others of the machine can read those
    this.child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const end = new Promise<string>((resolve) => {
      this.child.on('error', (error) => resolve(`could not be started: ${error.message}`));
      this.child.on('exit', (code, signal) => resolve(`ended with ${signal ?? `exit code ${code}`}`));
    });
    this.child.stdin?.on('error', () => {}); // it has ended: `exit` tells
    const lines = this.readLines(this.child.stdout, (text) => this.take(text, events));
    const complaints = this.readLines(this.child.stderr, (text) => this.hear(text));
    this.ended = end.then(async (how) => {
      for (const timer of this.timers) clearTimeout(timer);
      await Promise.all([lines, complaints]);
      await events.onEnd(this.judge(how));
    });
    this.killAfter(1000 * seconds + EXTRA_MS);
  }

  /** Asks it to end; resolves when it is gone. */
  stop(): Promise<void> {
    this.child.stdin?.end();
    this.killAfter(STOPPED_WITHIN_MS);
    return this.ended;
  }

  /** Resolves when it is gone. */
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

  /** There are no streams where the process could not be started for want of file descriptors. */
  private readLines(stream: Readable | null | undefined, take: (text: string) => void): Promise<void> | null | undefined {
    return stream && new Promise((resolve) => createInterface({ input: stream }).on('line', take).on('close', resolve));
  }

  private take(text: string, { onLine }: DriverEvents): void {
    const line = lineOf(text);
    if (line === null) return;
    this.lastState = line.state;
    onLine(line);
  }

  private hear(text: string): void {
    const says = /^\s*(?:at |\{|\}|\[|$)/.test(text) ? '' : text.trim().slice(0, ERROR_CHARACTERS_MAX);
    if (this.complaint === '' || /Error\b/.test(says)) this.complaint = says || this.complaint;
  }

  private judge(how: string): string | null {
    if (this.lastState === 'ended' || this.lastState === 'failed') return null;
    if (this.late) return 'The driver did not end in time, and was killed.';
    return `The driver ${how}${this.complaint === '' ? '.' : `: ${this.complaint}`}`;
  }
}

/** Null: it is none. Members that are not known are left out. */
function lineOf(text: string): SpikeLine | null {
  try {
    const line: unknown = JSON.parse(text);
    return Value.Check(LineSchema, line) ? (Value.Clean(LineSchema, line) as SpikeLine) : null;
  } catch {
    return null;
  }
}
