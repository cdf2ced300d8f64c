// Gives the terminal to another program and ends as it ends: its output is ours, its exit code too.
import { spawn } from 'node:child_process';

/** @param {string} command @param {string[]} args @param {{cwd?: string}} [options] @returns {Promise<number>} exit code */
export function handOver(command, args, { cwd } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit' });
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
