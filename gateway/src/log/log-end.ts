// The end of the log, recorded outside the log's folder (`log-end.json` in the data directory). A log that ends before it has lost
// durable entries, even if its remaining files are valid.
//
// The file is overwritten in place after each synced write, before that write is acknowledged. It is not synced each time: a killed process
// loses none of it, and after a loss of power it may be older, but still true.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { readText, writeSafely } from '../store/safe-file.ts';
import { LogDamaged } from './log.ts';
import type { Tail } from './tail.ts';

export interface LogEnd {
  /** id of the log */
  log: string;
  /** number of the last write (store.ts, marker) */
  write: number;
  /** position of the last entry */
  position: number;
  /** hash of the segment that ends with that entry (`before` of the next one), in hex */
  hash: string;
}

/** one sector, so that a loss of power leaves either the old text or the new one */
const BYTES = 512;

/** Undefined if there is no such file. Throws LogDamaged. */
export function readLogEnd(file: string): LogEnd | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  try {
    const { log, write, position, hash } = JSON.parse(text) as LogEnd;
    if ([write, position].every(Number.isSafeInteger) && [log, hash].every((value) => typeof value === 'string'))
      return { log, write, position, hash };
  } catch {
    // thrown below
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

  /** The file is on disk when this returns. Throws if it cannot be written. */
  constructor(path: string, log: string, write: number, tail: Tail) {
    this.#log = log;
    writeSafely(path, this.#text(write, tail));
    this.#file = openSync(path, 'r+');
  }

  /** Errors are ignored, since the older text stays true. REQUIRES: everything up to that write is on disk. */
  note(write: number, tail: Tail): void {
    if (this.#file === undefined) return;
    try {
      writeSync(this.#file, this.#text(write, tail), 0);
    } catch {
      // if the disk fails, the log's next write fails too
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
