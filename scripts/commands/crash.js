// npm run crash: real gateways, app servers and drivers, killed at random moments; loadtest/proofs/crash/main.ts lists the arguments.
import { inProject } from '../paths.js';
import { handOver } from '../run/handover.js';
import { node24 } from '../setup/node24.js';
import { setUpNative, setUpNode } from '../setup/setup.js';

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function crash(args) {
  await setUpNode();
  if (!args.includes('--help')) await setUpNative('release', ['claret_addon']);
  // A relative path in the arguments is meant from where the command was typed.
  process.env.CLARET_CHECKS = '1'; // the core checks what its headers require
  return handOver(node24(), [inProject('loadtest', 'proofs', 'crash', 'main.ts'), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() });
}
