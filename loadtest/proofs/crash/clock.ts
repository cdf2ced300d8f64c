// A gateway's wall clock, which libfaketime sets while the process runs. Its steady clock and the times of files stay as they are.

import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = join('faketime', 'libfaketimeMT.so.1');
const LIBRARIES = '/usr/lib';
const SHARED_MEMORY = '/dev/shm';

/** The library that Debian's package libfaketime has installed. */
export function clockLibrary(): string {
  const library = readdirSync(LIBRARIES)
    .map((folder) => join(LIBRARIES, folder, LIBRARY))
    .find((path) => existsSync(path));
  if (library === undefined) throw new Error(`${LIBRARY} is nowhere below ${LIBRARIES}: the package libfaketime is not installed`);
  return library;
}

export class ActorClock {
  readonly #library: string;
  readonly #file: string;

  /** `file`: what the process reads its clock's distance from. At first it is 0. */
  constructor(library: string, file: string) {
    this.#library = library;
    this.#file = file;
    this.set(0);
  }

  /** The process's environment; `preloaded`: a library that it loads besides. The last one is initialized first, and faults.c must be. */
  env(preloaded?: string): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: [this.#library, preloaded].filter((library) => library !== undefined).join(':'),
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** From its next reading on, the clock is so far ahead of the time. */
  set(aheadMs: number): void {
    const draft = `${this.#file}.new`;
    writeFileSync(draft, `${aheadMs < 0 ? '' : '+'}${(aheadMs / 1000).toFixed(3)}\n`);
    renameSync(draft, this.#file);
  }
}

/** Removes what a killed process with such a clock leaves behind: the next process of that number would not start. */
export function removeTracesOfClock(pid: number): void {
  for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`]) rmSync(join(SHARED_MEMORY, name), { force: true });
}
