// Gives the terminal to another program and ends as it ends: its output is ours, its exit code too.
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
