// npm run loadtest -- SCENARIO [flags]: k6 storms the sites of a cluster of its own. docs/running.md, loadtest/load/k6.
import { inProject } from '../paths.js';
import { handOver } from '../run/handover.js';
import { ensureK6 } from '../setup/k6.js';
import { node24 } from '../setup/node24.js';
import { setUpNative, setUpNode, setUpPages } from '../setup/setup.js';

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function loadtest(args) {
  await setUpNode();
  // Without arguments its flags are told, which needs nothing built.
  if (args.length > 0 && !args.includes('--help')) {
    await setUpNative('release', ['claret_addon']);
    await setUpPages();
    await ensureK6();
  }
  // A relative path in the arguments is meant from where the command was typed.
  return handOver(node24(), [inProject('loadtest', 'load', 'k6', 'main.ts'), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() });
}
