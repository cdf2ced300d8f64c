// The janitor: cleans up a run when the runner itself is killed. It is told of every process, "+pid" and "-pid", on its standard
// input; when that ends, it kills the remaining processes, including stopped ones, and removes the run's folder.
//
//   node janitor.ts FOLDER

import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const AGAIN_MS = 50;

const [, , folder = ''] = process.argv;
const pids = new Set<number>();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
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
  }
  // The killed processes may have been writing.
  setTimeout(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: AGAIN_MS }), AGAIN_MS);
});
