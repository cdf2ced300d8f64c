// The note on disk that a spike is running. A gateway that finds one at its start died, or was stopped, before that spike's end, and says so.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Value from 'typebox/value';
import { RunSchema } from './spike.ts';
import type { SpikeRun } from './spike.ts';

const NAME = 'spike.json';

export class RunningNote {
  private readonly folder: string;
  private readonly path: string;

  constructor(folder: string) {
    this.folder = folder;
    this.path = join(folder, NAME);
  }

  write(run: SpikeRun): void {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(this.path, JSON.stringify(run));
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  /** The spike that the process before this one did not bring to its end; null: there is none. Its note is removed. */
  takeCutOff(): SpikeRun | null {
    try {
      const run: unknown = JSON.parse(readFileSync(this.path, 'utf8'));
      if (!Value.Check(RunSchema, run)) return null;
      const line = { ...run.line, state: 'failed', message: 'The gateway that ran it ended before the spike did.' } as const;
      return { ...run, line };
    } catch {
      return null; // none, or one that was cut off while it was written
    } finally {
      this.remove();
    }
  }
}
