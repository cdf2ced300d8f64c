// Runs another program in this terminal and exits with its exit code.
import { spawn } from 'node:child_process';
import { onShutdown } from './shutdown.js';

/** @param {string} command @param {string[]} args @param {{cwd?: string}} [options] @returns {Promise<number>} exit code */
export async function handOver(command, args, { cwd } = {}) {
  const child = spawn(command, args, { cwd, stdio: 'inherit' });
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
  const forget = onShutdown(() => {
    child.kill('SIGTERM');
    return ended;
  });
  const code = await ended;
  forget();
  return code;
}
