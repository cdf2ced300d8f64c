// Debian packages: the compiler, CMake and the libraries of the core.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';

/** Includes the test libraries: CMake looks for them whatever will be built. */
export const CORE_PACKAGES = 'g++ cmake ninja-build libabsl-dev libprotozero-dev rapidjson-dev libgtest-dev librapidcheck-dev'.split(' ');
/** Only for `npm run check` and `npm run format`. */
export const FORMAT_PACKAGES = ['clang-format'];
/** Only for `npm run bench -- core`. */
export const BENCH_PACKAGES = ['libbenchmark-dev'];

/** Only for the test of caches in `npm run test:long`. */
export const CACHE_PACKAGES = ['nginx-light', 'varnish'];

/** Only for crash runs with `--clocks`. */
export const CLOCK_PACKAGES = ['libfaketime'];

const LISTS = '/var/lib/apt/lists';
const LISTS_FRESH_MS = 24 * 60 * 60 * 1000;
const APT_INSTALL = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];

/** @param {string} command @returns {boolean} found on the PATH */
export const isCommand = (command, path = process.env.PATH ?? '') =>
  path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, command)));

/** @param {string[]} packages @param {string} answer of dpkg-query, "name status" in lines */
export function missingFrom(packages, answer) {
  const installed = new Set();
  for (const line of answer.split('\n')) {
    const [name, status] = line.split(' ');
    if (status === 'installed') installed.add(name);
  }
  return packages.filter((name) => !installed.has(name));
}

/** The command to install packages, for people. @param {string[]} missing */
export const commandFor = (missing) => `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`;

function listsAreFresh(now = Date.now()) {
  try {
    return readdirSync(LISTS)
      .filter((name) => name.includes('_Packages'))
      .some((name) => now - statSync(join(LISTS, name)).mtimeMs < LISTS_FRESH_MS);
  } catch {
    return false;
  }
}

/** @returns {Promise<string[] | null>} prefix that runs a command as root; null: not permitted */
async function asRoot() {
  if (process.getuid?.() === 0) return [];
  if (!isCommand('sudo')) return null;
  return (await runTool('sudo', ['-n', 'true'])).code === 0 ? ['sudo', '-n'] : null;
}

async function install(missing, prefix) {
  const apt = (args) => {
    const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args];
    return runTool(command, rest);
  };
  await step(`Debian packages: ${missing.join(' ')}`, async (show) => {
    const updated = !listsAreFresh();
    show.note('(updating the lists)');
    if (updated) await apt(['update']);
    show.note('(installing)');
    let result = await apt([...APT_INSTALL, ...missing]);
    if (result.code !== 0 && !updated) {
      await apt(['update']);
      result = await apt([...APT_INSTALL, ...missing]);
    }
    if (result.code !== 0) {
      throw new Problem(`apt-get could not install them. To try it yourself:\n\n  ${commandFor(missing)}`, result.output);
    }
  });
}

function expectTools(packages) {
  const tools = { 'g++': 'c++', cmake: 'cmake', 'ninja-build': 'ninja', 'chromium-headless-shell': 'chromium-headless-shell' };
  const absent = packages.filter((name) => tools[name] && !isCommand(tools[name]));
  if (absent.length === 0) return; // CMake reports a missing library
  throw new Problem(
    'This is no Debian system, so nothing was installed. Claret needs what Debian calls\n\n' +
      `  ${packages.join(' ')}\n\nMissing on the PATH: ${absent.map((name) => tools[name]).join(', ')}`,
  );
}

/** @param {string[]} packages */
export async function ensurePackages(packages) {
  if (!isCommand('dpkg-query')) return expectTools(packages);
  const { output } = await runTool('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\\n', ...packages]);
  const missing = missingFrom(packages, output);
  if (missing.length === 0) return;
  const prefix = await asRoot();
  if (prefix === null) {
    throw new Problem(`Debian packages are missing and this user may not install them. Run once:\n\n  ${commandFor(missing)}`);
  }
  await install(missing, prefix);
}
