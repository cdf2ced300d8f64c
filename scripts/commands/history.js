// npm run history -- FILE…: checks recorded histories; docs/history.md.
import { inProject } from '../paths.js';
import { handOver } from '../run/handover.js';
import { node24 } from '../setup/node24.js';
import { setUp } from '../setup/setup.js';

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function history(args) {
  await setUp('node');
  // Relative paths in the arguments are relative to the folder in which the command was typed.
  return handOver(node24(), [inProject('loadtest', 'proofs', 'history', 'main.ts'), ...args], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
  });
}
