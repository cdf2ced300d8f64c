// A gateway's disk: the fate of unsynced writes, and the moments at which the disk takes the process with it (faults.c).

import { mkdirSync } from 'node:fs';
import { DiskFaults, type Fault } from './faults.ts';

/**
 * `volatile`: what was written and not synced is lost with the process, as it would be with the power. `lying`: so is what was synced. `plain`:
 * it is a disk, and what was written survives the process.
 */
export const DISKS = { volatile: [{ write: 'hold' }], lying: [{ write: 'hold' }, { sync: 'lie' }], plain: [] } satisfies Record<
  string,
  Fault[]
>;
export type Disk = keyof typeof DISKS;

export class ActorDisk {
  /** what the process finds on it */
  readonly dir: string;
  readonly #faults: DiskFaults;
  readonly #always: readonly Fault[];

  /** `library`: faults.c, built. `always`: how it is when nothing else is said. */
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
