// npm run crash: real gateways, app servers and drivers, killed at random moments; loadtest/proofs/crash/main.ts lists the arguments.
import { inProject } from '../paths.js';
import { handOver } from '../run/handover.js';
import { node24 } from '../setup/node24.js';
import { setUp } from '../setup/setup.js';

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function crash(args) {
  await setUp(...(args.includes('--help') ? ['node'] : ['core', ...(args.includes('--clocks') ? ['clocks'] : [])]));
  // Relative paths in the arguments are relative to the folder in which the command was typed.
  process.env.CLARET_CHECKS = '1'; // the core checks the preconditions in its headers
  return handOver(node24(), [inProject('loadtest', 'proofs', 'crash', 'main.ts'), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() });
}
