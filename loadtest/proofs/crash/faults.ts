// Disk faults for a process under test: builds faults.c, once for each version of its source, and writes its control file.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SOURCE = join(import.meta.dirname, 'faults.c');

type Errno = 'ENOSPC' | 'EDQUOT' | 'EIO';

/** One fault each; `write` and `sync` faults last until others are set. */
export type Fault =
  | { write: 'fail' | 'torn'; error: Errno }
  | { write: 'hold' }
  | { sync: 'fail'; error: Errno }
  | { sync: 'wait'; ms: number }
  | { sync: 'lie' }
  /** killed at this call to write, sync or rename; this share of the unsynced data is on the disk */
  | { die: { calls: number; permille: number } };

/** The library, built with the machine's C compiler. */
export async function buildFaults(): Promise<string> {
  const name = createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 16);
  const library = join(tmpdir(), `claret-faults-${name}.so`);
  if (existsSync(library)) return library;
  const draft = `${library}.${process.pid}`;
  await promisify(execFile)('cc', [
    '-std=c11',
    '-O1',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-shared',
    '-fPIC',
    '-o',
    draft,
    SOURCE,
    '-ldl',
    '-lpthread',
  ]);
  renameSync(draft, library); // another test may have built it concurrently, with the same contents
  return library;
}

export class DiskFaults {
  /** The environment of the process under test. */
  readonly env: Readonly<Record<string, string>>;
  readonly #control: string;

  /** Affects files below `dir`. `control` is the control file's path, outside of it. */
  constructor(library: string, dir: string, control: string) {
    mkdirSync(dir, { recursive: true });
    this.#control = control;
    this.env = { LD_PRELOAD: library, CLARET_FAULTS_DIR: realpathSync(dir), CLARET_FAULTS_CONTROL: control };
    this.set();
  }

  /** Sets the faults from the next call on; none: no faults. */
  set(...faults: Fault[]): void {
    const draft = `${this.#control}.new`;
    writeFileSync(draft, faults.map((fault) => `${lineOf(fault)}\n`).join(''));
    renameSync(draft, this.#control);
  }
}

function lineOf(fault: Fault): string {
  if ('die' in fault) return `die ${fault.die.calls} ${fault.die.permille}`;
  if ('write' in fault) return fault.write === 'hold' ? 'write hold' : `write ${fault.write} ${constants.errno[fault.error]}`;
  if (fault.sync === 'lie') return 'sync lie';
  return fault.sync === 'wait' ? `sync wait ${fault.ms}` : `sync fail ${constants.errno[fault.error]}`;
}
