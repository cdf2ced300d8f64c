// The C++ core, built by CMake and Ninja under the presets of server-core/CMakePresets.json.
import { existsSync } from 'node:fs';
import { inProject } from '../paths.js';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';
import { hashOf, isStamped, writeStamp } from './stamp.js';

const CORE = inProject('server-core');

/** @param {string} preset @returns {string} */
export const buildFolder = (preset) => inProject('server-core', 'build', preset);

/**
 * Ninja detects outdated targets, and changes of CMakeLists.txt; only after a change of the presets CMake has to run again.
 * @param {string} preset release | sanitize
 * @param {string[]} targets empty: all
 */
export async function buildNative(preset, targets = []) {
  const folder = buildFolder(preset);
  const stamp = `${folder}/.claret-preset`;
  const hash = hashOf([`${CORE}/CMakePresets.json`]);
  await step(`C++ core (${preset})`, async (show) => {
    if (!existsSync(`${folder}/build.ninja`) || !isStamped(stamp, hash)) {
      const configured = await runTool('cmake', ['--preset', preset], { cwd: CORE });
      if (configured.code !== 0) throw new Problem('CMake could not configure the core.', configured.output);
      writeStamp(stamp, hash);
    }
    const built = await runTool('ninja', ['-C', folder, ...targets], {
      env: { NINJA_STATUS: '[%f/%t] ' },
      onLine: (line) => {
        const [, done, total] = /^\[(\d+)\/(\d+)\]/.exec(line) ?? [];
        if (total) show.note(`${done}/${total}`);
      },
    });
    if (built.code !== 0) throw new Problem('The core does not compile.', failuresOf(built.output));
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
