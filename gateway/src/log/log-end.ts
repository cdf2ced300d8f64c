// How far the log has come, told outside its folder (`log-end.json` in the data directory): a log that ends before that has lost
// something that had been durable, even if the files that are left look whole.
//
// The file is overwritten in place after each synced write, before anybody is told of that write. It is not synced each time: a killed process loses
// nothing of it, and after a loss of power it may be older, which is still true.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { readText, writeSafely } from '../store/safe-file.ts';
import { LogDamaged } from './log.ts';
import type { Tail } from './tail.ts';

export interface LogEnd {
  /** which log */
  log: string;
  /** number of the last write (store.ts, marker) */
  write: number;
  /** of the last entry */
  position: number;
  /** of the frame that ends with that entry, as the next frame names it: hex */
  hash: string;
}

/** One sector: a loss of power leaves the old text or the new one. */
const BYTES = 512;

/** Undefined where there is no such file. Throws LogDamaged. */
export function readLogEnd(file: string): LogEnd | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  try {
    const { log, write, position, hash } = JSON.parse(text) as LogEnd;
    if ([write, position].every(Number.isSafeInteger) && [log, hash].every((value) => typeof value === 'string'))
      return { log, write, position, hash };
  } catch {
    // told below
  }
  throw new LogDamaged(
    file,
    0,
    'it does not say where the log ends: it may be removed; then a loss at the end of the log may go unnoticed at this start',
  );
}

export class LogEndFile {
  readonly #log: string;
  #file: number | undefined;

  /** The end is on disk when it returns. Throws where it cannot be written. */
  constructor(path: string, log: string, write: number, tail: Tail) {
    this.#log = log;
    writeSafely(path, this.#text(write, tail));
    this.#file = openSync(path, 'r+');
  }

  /** REQUIRES: all up to that write is on disk. What goes wrong is passed over: the older text stays true. */
  note(write: number, tail: Tail): void {
    if (this.#file === undefined) return;
    try {
      writeSync(this.#file, this.#text(write, tail), 0);
    } catch {
      // the log's own next write meets a failing disk
    }
  }

  close(): void {
    if (this.#file === undefined) return;
    try {
      fdatasyncSync(this.#file);
    } catch {
      // as above
    } finally {
      closeSync(this.#file);
      this.#file = undefined;
    }
  }

  #text(write: number, { last, hash }: Tail): string {
    const end: LogEnd = { log: this.#log, write, position: last, hash: Buffer.from(hash).toString('hex') };
    return `${JSON.stringify(end).padEnd(BYTES - 1)}\n`;
  }
}
