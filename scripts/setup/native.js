// The C++ core, built by CMake and Ninja under the presets of server-core/CMakePresets.json.
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { totalmem } from 'node:os';
import { inProject } from '../paths.js';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';
import { hashOf, isStamped, writeStamp } from './stamp.js';

const CORE = inProject('server-core');
const PRESET = 'release';
/** With less memory the compiler collects its garbage as early as it likes. */
const MEMORY_TO_SPARE_BYTES = 6e9;

/**
 * @typedef {object} Build
 * @property {string} [preset] release | sanitize
 * @property {Record<string, string>} [settings] of CMake, which stay set
 * @property {boolean} [gently] only while nothing else wants to run
 */

/** @param {string} [preset] @returns {string} */
export const buildFolder = (preset = PRESET) => inProject('server-core', 'build', preset);

/** The compiler spends a tenth of its time on collecting garbage, unless its heap may grow. */
const roomyHeap = () => (totalmem() < MEMORY_TO_SPARE_BYTES ? [] : ['-DCMAKE_CXX_FLAGS=--param ggc-min-heapsize=700000']);

/** The folder was configured here: CMake refuses one that has moved with its tree, or was copied. @param {string} folder */
function isOfThisTree(folder) {
  const cache = `${folder}/CMakeCache.txt`;
  if (!existsSync(cache)) return false;
  const [, home] = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(cache, 'utf8')) ?? [];
  return home === CORE || home === realpathSync(CORE);
}

/** What decides how a target turns out. It stays when the tree moves, so a tree that was moved or copied compiles nothing. */
const inputsOf = () =>
  hashOf([CORE, inProject('docs', 'adding-a-data-type.md'), inProject('package-lock.json')], (path) => !path.endsWith('/build'));

/** @param {string} folder @param {string} preset @param {Record<string, string>} settings */
async function configure(folder, preset, settings) {
  const stamp = `${folder}/.claret-preset`;
  const hash = `${hashOf([`${CORE}/CMakePresets.json`])} ${JSON.stringify(settings)}`;
  const isHere = isOfThisTree(folder);
  if (isHere && existsSync(`${folder}/build.ninja`) && isStamped(stamp, hash)) return;
  if (!isHere) rmSync(folder, { recursive: true, force: true });
  const definitions = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`);
  const { code, output } = await runTool('cmake', ['--preset', preset, ...roomyHeap(), ...definitions], { cwd: CORE });
  if (code !== 0) throw new Problem('CMake could not configure the core.', output);
  writeStamp(stamp, hash);
}

/**
 * Ninja detects outdated targets, and changes of CMakeLists.txt; CMake runs again after a change of the presets, and after a change of anything
 * in a tree that has moved.
 * @param {string} what is built, for people @param {string[]} targets of CMake; empty: all @param {Build} [build]
 */
export async function buildNative(what, targets, { preset = PRESET, settings = {}, gently = false } = {}) {
  const folder = buildFolder(preset);
  const stamps = targets.map((target) => `${folder}/.claret-built-${target}`);
  const inputs = inputsOf();
  if (!isOfThisTree(folder) && stamps.length > 0 && stamps.every((stamp) => isStamped(stamp, inputs))) return;
  await step(what, async (show) => {
    await configure(folder, preset, settings);
    const built = await runTool('ninja', ['-C', folder, ...targets], {
      gently,
      env: { NINJA_STATUS: '[%f/%t] ' },
      onLine: (line) => {
        const [, done, total] = /^\[(\d+)\/(\d+)\]/.exec(line) ?? [];
        if (total) show.note(`${done}/${total}`);
      },
    });
    if (built.code !== 0) throw new Problem('The core does not compile.', failuresOf(built.output));
    for (const stamp of stamps) writeStamp(stamp, inputs);
  });
}

/** Ninja's output without the steps that succeeded. @param {string} output */
export function failuresOf(output) {
  const lines = output.split('\n');
  const first = lines.findIndex((line) => line.startsWith('FAILED:'));
  return first < 0
    ? output
    : lines
        .slice(first)
        .filter((line) => !/^\[\d+\/\d+\] /.test(line))
        .join('\n');
}
