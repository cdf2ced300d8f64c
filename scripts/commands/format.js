// npm run format: formats every source file, TypeScript and JavaScript with oxfmt, C++ with clang-format.
import { readdirSync } from 'node:fs';
import { inProject } from '../paths.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';
import { node24 } from '../setup/node24.js';
import { setUp } from '../setup/setup.js';

const CPP_FOLDERS = ['server-core/src', 'server-core/bench'];

/** @typedef {'check' | 'write'} Mode */

/** .oxfmtrc.json has the options and the list of files. @param {Mode} mode */
export function tsFormat(mode) {
  const program = inProject('node_modules', 'oxfmt', 'bin', 'oxfmt');
  return runTool(node24(), [program, ...(mode === 'check' ? ['--check'] : [])], { cwd: inProject() });
}

/** .clang-format has the options. @param {Mode} mode */
export function cppFormat(mode) {
  const files = CPP_FOLDERS.flatMap((folder) =>
    readdirSync(inProject(folder), { recursive: true })
      .filter((name) => /\.(?:cc|h)$/.test(name))
      .map((name) => inProject(folder, name)),
  );
  return runTool('clang-format', [...(mode === 'check' ? ['--dry-run', '--Werror'] : ['-i']), ...files]);
}

/** @returns {Promise<number>} exit code */
export async function format() {
  await setUp('node', 'formatter');
  for (const [name, run] of [
    ['TypeScript', tsFormat],
    ['C++', cppFormat],
  ]) {
    const { code, output } = await step(`${name}`, () => run('write'));
    if (code !== 0) {
      console.log(output);
      return 1;
    }
  }
  return 0;
}
