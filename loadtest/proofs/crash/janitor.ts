// The janitor: cleans up a run when the runner itself is killed. It is told of every process, "+pid" and "-pid", on its standard
// input, and of commands that undo something, as JSON lists. When that ends, it kills the remaining processes, including stopped ones,
// undoes what is left, the last first, and removes the run's folder.
//
//   node janitor.ts FOLDER

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { removeTracesOfClock } from './clock.ts';

const AGAIN_MS = 50;

const [, , folder = ''] = process.argv;
const pids = new Set<number>();
const undo: string[][] = [];
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  if (line.startsWith('[')) return void undo.unshift(JSON.parse(line) as string[]);
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) pids.add(pid);
  else pids.delete(pid);
});
lines.on('close', () => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it has ended
    }
    removeTracesOfClock(pid);
  }
  for (const [program = '', ...args] of undo) spawnSync(program, args);
  // The killed processes may have been writing.
  setTimeout(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: AGAIN_MS }), AGAIN_MS);
});
