// The folders in which NATS servers keep a replicated log, between starts. A server locks its own for as long as it runs (configuration.js).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { configurationFile, lockFile } from './configuration.js';

/** Of flock: another process has the lock. */
const IN_USE = 2;

/** @param {string} dir @returns {string[]} those that a server has run on */
export function natsFolders(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => /^nats-\d+$/.test(name))
    .map((name) => join(dir, name))
    .filter((folder) => existsSync(configurationFile(folder)));
}

/** Runs a command while no server can start in the folders; if one runs there, throws a Problem. @param {string[]} folders @param {string[]} command */
async function whileUnused(folders, command) {
  const locks = folders.flatMap((folder) => ['flock', '--nonblock', '--conflict-exit-code', String(IN_USE), lockFile(folder)]);
  const [first, ...args] = [...locks, ...command];
  const { code, output } = await runTool(first, args);
  if (code === IN_USE) throw new Problem(`NATS servers run on ${folders.join(', ')}: nothing was changed. Stop them first.`);
  if (code !== 0) throw new Problem(`${command.join(' ')} failed.`, output);
}

/** Throws a Problem if a server runs on one of the folders below `dir`. @param {string} dir */
export const refuseRunning = (dir) => whileUnused(natsFolders(dir), ['true']);

/** Removes the servers' folders below `dir`, and others that go with them. If a server runs on one of them, throws a Problem and removes none. */
export async function forgetNats(dir, others) {
  const folders = natsFolders(dir);
  if (folders.length + others.length > 0) await whileUnused(folders, ['rm', '-r', '--', ...folders, ...others]);
}
