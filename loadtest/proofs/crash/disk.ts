// A gateway's disk: the fate of unsynced writes, and the moments at which the disk kills the process (faults.c).

import { mkdirSync } from 'node:fs';
import { DiskFaults, type Fault } from './faults.ts';

/**
 * `volatile`: unsynced writes are lost with the process, as in a power failure. `lying`: synced writes are lost too. `plain`: a
 * real disk, on which writes survive the process.
 */
export const DISKS = { volatile: [{ write: 'hold' }], lying: [{ write: 'hold' }, { sync: 'lie' }], plain: [] } satisfies Record<
  string,
  Fault[]
>;
export type Disk = keyof typeof DISKS;

export class ActorDisk {
  /** the directory that the process uses */
  readonly dir: string;
  readonly #faults: DiskFaults;
  readonly #always: readonly Fault[];

  /** `library`: faults.c, built. `always`: faults that always apply. */
  constructor(library: string, dir: string, always: readonly Fault[]) {
    mkdirSync(dir, { recursive: true });
    this.dir = dir;
    this.#always = always;
    this.#faults = new DiskFaults(library, dir, `${dir}.faults`);
    this.beWell();
  }

  /** The process's environment. */
  get env(): Readonly<Record<string, string>> {
    return this.#faults.env;
  }

  dieAt(die: { calls: number; permille: number }): void {
    this.#faults.set(...this.#always, { die });
  }

  beWell(): void {
    this.#faults.set(...this.#always);
  }
}
