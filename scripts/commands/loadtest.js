// npm run loadtest -- SCENARIO [flags]: a k6 load test of the sites of its own cluster. docs/running.md, loadtest/load/k6.
import { inProject } from '../paths.js';
import { handOver } from '../run/handover.js';
import { node24 } from '../setup/node24.js';
import { setUp } from '../setup/setup.js';

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function loadtest(args) {
  // Without arguments it prints its flags, which needs no build.
  await setUp('node', ...(args.length > 0 && !args.includes('--help') ? ['core', 'pages', 'k6'] : []));
  // Relative paths in the arguments are relative to the folder in which the command was typed.
  return handOver(node24(), [inProject('loadtest', 'load', 'k6', 'main.ts'), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() });
}
