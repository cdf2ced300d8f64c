// k6, the load generator, in the one version for which the scripts of loadtest/load/k6 are written: from the PATH, else built by Go
// into a folder of the user's cache, which all clones share.
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';
import { withLock } from './lock.js';

export const K6_VERSION = '1.8.1';
const MODULE = `go.k6.io/k6@v${K6_VERSION}`;
/** The version in that k6's go.mod. */
const GO_OLDEST = [1, 25];
/** Go's installer puts it here, though not always on the PATH. */
const GO_FOLDERS = ['/usr/local/go/bin'];
const BUILD_WITHIN_MS = 20 * 60_000;

/** @param {NodeJS.ProcessEnv} env @returns {string} */
export function toolsFolder(env = process.env) {
  const given = env.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(given) ? given : join(env.HOME || homedir(), '.cache'), 'claret', 'tools'); // XDG: relative paths are ignored
}

const installed = (env) => join(toolsFolder(env), `k6-${K6_VERSION}`, 'k6');

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

/** @param {string} answer of `k6 version` */
export const isRightK6 = (answer) =>
  answer.split('\n').some((line) => line.startsWith(`k6 v${K6_VERSION} `) || line === `k6 v${K6_VERSION}`);

/** @param {string} answer of `go version` */
export function isRecentGo(answer) {
  const [, major, minor] = /\bgo(\d+)\.(\d+)/.exec(answer) ?? [];
  if (major === undefined) return false;
  return Number(major) > GO_OLDEST[0] || (Number(major) === GO_OLDEST[0] && Number(minor) >= GO_OLDEST[1]);
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<string | null>} path of the program; null: that version is not installed */
export async function findK6(env = process.env) {
  for (const path of [...onPath('k6', env), installed(env)]) {
    if (!isProgram(path)) continue;
    const { code, output } = await runTool(path, ['version'], { env });
    if (code === 0 && isRightK6(output)) return path;
  }
  return null;
}

const byHand = (env) =>
  `  GOBIN=${join(toolsFolder(env), `k6-${K6_VERSION}`)} go install ${MODULE}\n\n` +
  `or put the k6 of https://github.com/grafana/k6/releases/tag/v${K6_VERSION} on the PATH.`;

async function findGo(env, goFolders) {
  const needed = `Go ${GO_OLDEST.join('.')} or later`;
  const found = [...onPath('go', env), ...goFolders.map((folder) => join(folder, 'go')).filter(isProgram)];
  let seen = '';
  for (const path of found) {
    const { output } = await runTool(path, ['version'], { env });
    if (isRecentGo(output)) return path;
    seen ||= output.split('\n')[0];
  }
  const why = seen === '' ? 'there is no Go here to build it' : `the Go here is too old to build it (${seen})`;
  throw new Problem(
    `Load tests need k6 v${K6_VERSION}, and ${why}. Install ${needed} (https://go.dev/dl) and try again, or run\n\n${byHand(env)}`,
  );
}

/** Builds into a temporary folder beside the target, then moves the program, so that the target is always complete. */
async function install(env, goFolders) {
  const go = await findGo(env, goFolders);
  const tools = toolsFolder(env);
  const making = mkdtempSync(join(tools, 'making-'));
  try {
    await step(`k6 v${K6_VERSION} (built by Go, once for this user)`, async () => {
      const { code, output } = await runTool(go, ['install', MODULE], {
        env: { ...env, GOBIN: making, GOFLAGS: '', CGO_ENABLED: '0' },
        timeoutMs: BUILD_WITHIN_MS,
      });
      if (code !== 0) throw new Problem(`Go could not build k6. To try it yourself:\n\n${byHand(env)}`, output);
    });
    mkdirSync(join(tools, `k6-${K6_VERSION}`), { recursive: true });
    renameSync(join(making, 'k6'), installed(env));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/**
 * @param {NodeJS.ProcessEnv} env @param {string[]} goFolders folders to search for Go in addition to the PATH
 * @returns {Promise<string>} path of the program; installs it if it is missing
 */
export async function ensureK6(env = process.env, goFolders = GO_FOLDERS) {
  const there = await findK6(env);
  if (there !== null) return there;
  const tools = toolsFolder(env);
  mkdirSync(tools, { recursive: true });
  await withLock(
    join(tools, 'k6.lock'),
    async () => {
      if ((await findK6(env)) === null) await install(env, goFolders);
    },
    (holder) => console.log(`  waiting for process ${holder}, which installs k6`),
  );
  const made = await findK6(env);
  if (made === null) throw new Problem(`k6 was installed, but does not say that it is v${K6_VERSION}: ${installed(env)}`);
  return made;
}
