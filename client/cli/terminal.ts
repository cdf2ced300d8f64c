// Terminal: the surroundings of the command line: input, output, their size, and whether a person is at the other end. Tests have
// their own.

import process from 'node:process';
import { text } from 'node:stream/consumers';
import { createLogUpdate } from 'log-update';

/** A picture that takes the place of the one before. */
export interface Redraw {
  draw(picture: string): void;
  /** The last one stays. */
  done(): void;
}

export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** all of standard input */
  readInput(): Promise<string>;
  /** standard input is not a terminal: something may be read from it */
  hasInput: boolean;
  /** standard output is a terminal */
  isTerminal: boolean;
  /** REQUIRES: isTerminal */
  redraw(): Redraw;
  size(): { columns: number; rows: number };
  /** aborted by Ctrl-C or SIGTERM */
  interrupted: AbortSignal;
}

/** The size of an output that is no terminal. */
const DEFAULT_COLUMNS = 100;
const DEFAULT_ROWS = 24;

/** As shells say it of what Ctrl-C has ended. */
const INTERRUPTED = 130;
/** A command that has not ended by itself so long after Ctrl-C is ended. */
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
  // The reader of the output has closed it (`claret watch … | head`).
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
