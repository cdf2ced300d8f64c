// The Node that runs the TypeScript: 24 or later, from the npm package `node`.
import { existsSync } from 'node:fs';
import { inProject } from '../paths.js';
import { Problem } from '../run/problem.js';
import { step } from '../run/progress.js';
import { runNpm } from './npm.js';

const OLDEST = 24;
const isNewEnough = (version) => Number(version.split('.')[0]) >= OLDEST;

function candidates() {
  const arch = `${process.platform}-${process.arch}`;
  return [
    inProject('node_modules', 'node', 'bin', 'node'),
    inProject('node_modules', 'node', 'node_modules', `node-${arch}`, 'bin', 'node'),
    inProject('node_modules', `node-${arch}`, 'bin', 'node'),
  ];
}

/** @returns {string} path of the program; throws if it is not installed */
export function node24() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const found = candidates().find((path) => existsSync(path));
  if (!found) throw new Problem('Node 24 is not installed in node_modules: run the command through npm, or `npm ci` first.');
  return found;
}

/** If npm is configured to run no install scripts, the package is present without its program. */
export async function ensureNode24() {
  if (isNewEnough(process.versions.node) || candidates().some((path) => existsSync(path))) return;
  await step('Node 24', async () => {
    const { code, output } = await runNpm(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error']);
    if (code !== 0 || !candidates().some((path) => existsSync(path))) {
      throw new Problem('The npm package `node` did not bring its program.', output);
    }
  });
}
