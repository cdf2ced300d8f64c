// Terminal: the environment of the command line: input, output, its size, and whether the output is a terminal. Tests have their own.

import process from 'node:process';
import { text } from 'node:stream/consumers';
import { createLogUpdate } from 'log-update';

/** Draws pictures, each in place of the previous one. */
export interface Redraw {
  draw(picture: string): void;
  /** Leaves the last picture on the screen. */
  done(): void;
}

export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** all of standard input */
  readInput(): Promise<string>;
  /** standard input is not a terminal, so it may be read */
  hasInput: boolean;
  /** standard output is a terminal */
  isTerminal: boolean;
  /** REQUIRES: isTerminal */
  redraw(): Redraw;
  size(): { columns: number; rows: number };
  /** aborted by Ctrl-C or SIGTERM */
  interrupted: AbortSignal;
}

/** The size of an output that is not a terminal. */
const DEFAULT_COLUMNS = 100;
const DEFAULT_ROWS = 24;

/** The exit code of a process that Ctrl-C has ended, as in shells. */
const INTERRUPTED = 130;
/** How long a command may take to end after Ctrl-C. */
const INTERRUPT_GRACE_MS = 1_000;

export function processTerminal(): Terminal {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(INTERRUPTED);
      interrupt.abort();
      setTimeout(() => process.exit(INTERRUPTED), INTERRUPT_GRACE_MS).unref();
    });
  }
  // The reader of the output may close it (`claret watch … | head`).
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  return {
    env: process.env,
    out: (written) => void process.stdout.write(written),
    err: (written) => void process.stderr.write(written),
    readInput: () => text(process.stdin),
    hasInput: process.stdin.isTTY !== true,
    isTerminal: process.stdout.isTTY === true,
    redraw: () => {
      const update = createLogUpdate(process.stdout);
      return { draw: (picture) => update(picture), done: () => update.done() };
    },
    size: () => ({
      columns: process.stdout.columns || Number(process.env['COLUMNS']) || DEFAULT_COLUMNS,
      rows: process.stdout.rows || DEFAULT_ROWS,
    }),
    interrupted: interrupt.signal,
  };
}
