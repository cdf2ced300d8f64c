// A program in one exact version, that Go builds from its module proxy: from the PATH, else built into a folder of the user's cache, which
// all clones share.
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';
import { withLock } from './lock.js';

/** Go's installer puts it here, though not always on the PATH. */
const GO_FOLDERS = ['/usr/local/go/bin'];
const BUILD_WITHIN_MS = 20 * 60_000;

/**
 * @typedef {object} GoTool
 * @property {string} name of the program
 * @property {string} version
 * @property {string} module that `go install` takes
 * @property {[number, number]} goOldest the version of Go in the program's go.mod
 * @property {string[]} asks arguments with which the program tells its version
 * @property {(answer: string) => boolean} isRight whether it tells this version
 * @property {string} users the beginning of "… need the program", for messages
 * @property {string} download where a built program can be had
 */

/** @param {NodeJS.ProcessEnv} env @returns {string} */
export function toolsFolder(env = process.env) {
  const given = env.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(given) ? given : join(env.HOME || homedir(), '.cache'), 'claret', 'tools'); // XDG: relative paths are ignored
}

const folderOf = ({ name, version }, env) => join(toolsFolder(env), `${name}-${version}`);
const installed = (tool, env) => join(folderOf(tool, env), tool.name);

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const onPath = (command, env) =>
  (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, command))
    .filter(isProgram);

/** @param {string} answer of `go version` @param {[number, number]} oldest */
export function isRecentGo(answer, oldest) {
  const [, major, minor] = /\bgo(\d+)\.(\d+)/.exec(answer) ?? [];
  if (major === undefined) return false;
  return Number(major) > oldest[0] || (Number(major) === oldest[0] && Number(minor) >= oldest[1]);
}

/** @param {GoTool} tool @param {NodeJS.ProcessEnv} env @returns {Promise<string | null>} path of the program; null: it is not installed */
export async function findGoTool(tool, env = process.env) {
  for (const path of [...onPath(tool.name, env), installed(tool, env)]) {
    if (!isProgram(path)) continue;
    const { code, output } = await runTool(path, tool.asks, { env });
    if (code === 0 && tool.isRight(output)) return path;
  }
  return null;
}

const byHand = (tool, env) =>
  `  GOBIN=${folderOf(tool, env)} go install ${tool.module}\n\n` + `or put the ${tool.name} of ${tool.download} on the PATH.`;

async function findGo(tool, env, goFolders) {
  const needed = `Go ${tool.goOldest.join('.')} or later`;
  const found = [...onPath('go', env), ...goFolders.map((folder) => join(folder, 'go')).filter(isProgram)];
  let seen = '';
  for (const path of found) {
    const { output } = await runTool(path, ['version'], { env });
    if (isRecentGo(output, tool.goOldest)) return path;
    seen ||= output.split('\n')[0];
  }
  const why = seen === '' ? 'there is no Go here to build it' : `the Go here is too old to build it (${seen})`;
  throw new Problem(
    `${tool.users} need ${tool.name} v${tool.version}, and ${why}. Install ${needed} (https://go.dev/dl) and try again, or run\n\n${byHand(tool, env)}`,
  );
}

/** Builds into a temporary folder beside the target, then moves the program, so that the target is always complete. */
async function install(tool, env, goFolders) {
  const go = await findGo(tool, env, goFolders);
  const making = mkdtempSync(join(toolsFolder(env), 'making-'));
  try {
    await step(`${tool.name} v${tool.version} (built by Go, once for this user)`, async () => {
      const { code, output } = await runTool(go, ['install', tool.module], {
        env: { ...env, GOBIN: making, GOFLAGS: '', CGO_ENABLED: '0' },
        timeoutMs: BUILD_WITHIN_MS,
      });
      if (code !== 0) throw new Problem(`Go could not build ${tool.name}. To try it yourself:\n\n${byHand(tool, env)}`, output);
    });
    mkdirSync(folderOf(tool, env), { recursive: true });
    renameSync(join(making, tool.name), installed(tool, env));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/**
 * @param {GoTool} tool @param {NodeJS.ProcessEnv} env @param {string[]} goFolders folders to search for Go in addition to the PATH
 * @returns {Promise<string>} path of the program; installs it if it is missing
 */
export async function ensureGoTool(tool, env = process.env, goFolders = GO_FOLDERS) {
  const there = await findGoTool(tool, env);
  if (there !== null) return there;
  const tools = toolsFolder(env);
  mkdirSync(tools, { recursive: true });
  await withLock(
    join(tools, `${tool.name}.lock`),
    async () => {
      if ((await findGoTool(tool, env)) === null) await install(tool, env, goFolders);
    },
    ({ pid }) => console.log(`  waiting for process ${pid}, which installs ${tool.name} in ${tools}`),
  );
  const made = await findGoTool(tool, env);
  if (made === null) throw new Problem(`${tool.name} was installed, but does not say that it is v${tool.version}: ${installed(tool, env)}`);
  return made;
}
