// Makes node_modules match package-lock.json.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, sep } from 'node:path';
import { inProject } from '../paths.js';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';
import { hashOf, isStamped, writeStamp } from './stamp.js';

const modulesOf = ({ packages }) => Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * @param {{packages: Record<string, {version?: string, link?: boolean, optional?: boolean}>}} wanted package-lock.json
 * @param {{packages: Record<string, {version?: string}>}} installed node_modules/.package-lock.json, npm's own record
 * @returns {boolean} `npm ci` would change nothing
 */
export function sameTree(wanted, installed) {
  const has = Object.fromEntries(modulesOf(installed));
  const wants = modulesOf(wanted);
  const known = new Set(wants.map(([path]) => path));
  return (
    wants.every(([path, { version, optional }]) => (has[path] ? has[path].version === version : optional === true)) &&
    Object.keys(has).every((path) => known.has(path))
  );
}

/** The PATH without node_modules/.bin, which npm puts in front of it and `npm ci` is about to remove. */
export const outerPath = (path = process.env.PATH ?? '') =>
  path
    .split(delimiter)
    .filter((folder) => !folder.includes(`node_modules${sep}.bin`))
    .join(delimiter);

/** @param {string[]} args */
export const runNpm = (args) => runTool('npm', args, { cwd: inProject(), env: { PATH: outerPath() } });

export async function ensureModules() {
  const lockFile = inProject('package-lock.json');
  const stamp = inProject('node_modules', '.claret-lock');
  const hash = hashOf([lockFile]);
  if (isStamped(stamp, hash)) return;
  const record = inProject('node_modules', '.package-lock.json');
  if (!existsSync(record) || !sameTree(readJson(lockFile), readJson(record))) {
    await step('npm packages', async () => {
      // The packages run on the Node that they include, so their requirements on the machine's own Node do not matter.
      const { code, output } = await runNpm(['ci', '--loglevel=error', '--no-engine-strict', '--no-progress']);
      if (code !== 0) throw new Problem('`npm ci` failed.', output);
    });
  }
  writeStamp(stamp, hash);
}
