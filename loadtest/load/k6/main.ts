// npm run loadtest: k6 runs a storm on the sites, once for each given condition, and everything acknowledged is compared with the
// store. Exit code 0: all invariants hold and all thresholds are met; 1: one is violated or missed; 2: wrong use.

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from '../../../scripts/run/problem.js';
import { ensureK6 } from '../../../scripts/setup/k6.js';
import { runCommand } from '../../kit/wrong-use.ts';
import { loadtest } from './run/loadtest.ts';
import { readOptions, USAGE, type Options } from './run/options.ts';

const RESULTS = resolve(import.meta.dirname, '..', '..', '..', '.data', 'loadtest');

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort(signal));
  const folder = resolve(options.out ?? newFolder(options));
  mkdirSync(folder, { recursive: true });
  const code = await loadtest(options, { folder, k6: await ensureK6(), signal: stop.signal });
  return stop.signal.aborted ? 130 : code;
}

const newFolder = ({ scenario }: Options): string =>
  join(RESULTS, `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}-${scenario}`);

try {
  await runCommand(USAGE, main);
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(`\n${error.output && `${error.output}\n\n`}${error.message}`);
  process.exitCode = 1;
}
process.exit();
