// The machine and the commit of a run.

import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface Machine {
  cpu: string;
  cores: number;
  memory_gib: number;
  kernel: string;
  node: string;
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.versions.node,
  };
}

/** The commit of the project's checkout; 'unknown' if it is not a checkout. */
export function thisCommit(): { commit: string; dirty: boolean } {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return { commit: git('rev-parse', 'HEAD'), dirty: git('status', '--porcelain', '--untracked-files=no') !== '' };
  } catch {
    return { commit: 'unknown', dirty: false };
  }
}
