// npm run bench -- NAME [arguments]: one benchmark. Each is a file in loadtest/bench whose first line says what it measures; `core`
// runs the micro-benchmarks in C++ (bench-core.js).
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inProject } from '../paths.js';
import { handOver } from '../run/handover.js';
import { Problem } from '../run/problem.js';
import { node24 } from '../setup/node24.js';
import { setUp } from '../setup/setup.js';
import { MEANING, benchCore } from './bench-core.js';

/** @param {string} folder @returns {{name: string, meaning: string}[]} */
export function benchmarks(folder) {
  return readdirSync(folder)
    .filter((file) => /^[a-z0-9-]+\.ts$/.test(file))
    .map((file) => ({
      name: file.replace(/\.ts$/, ''),
      meaning: readFileSync(join(folder, file), 'utf8')
        .split('\n', 1)[0]
        .replace(/^\/\/\s*/, ''),
    }));
}

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function bench([name, ...args]) {
  const folder = inProject('loadtest', 'bench');
  const known = [{ name: 'core', meaning: MEANING }, ...benchmarks(folder)];
  const list = known.map((one) => `  ${one.name.padEnd(14)} ${one.meaning}`).join('\n');
  if (name === undefined || name === '--help') {
    console.log(
      `npm run bench -- NAME [arguments]\n\n${list}\n\nExamples:\n  npm run bench -- natives\n  npm run bench -- core --filter gate`,
    );
    return 0;
  }
  if (!known.some((one) => one.name === name)) throw new Problem(`There is no benchmark "${name}". There are:\n\n${list}`);
  if (name === 'core') return benchCore(args);
  await setUp('core');
  // Relative paths in the arguments are relative to the folder in which the command was typed.
  return handOver(node24(), [join(folder, `${name}.ts`), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() });
}
