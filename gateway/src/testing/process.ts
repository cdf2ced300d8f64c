// Gateways as real processes, for tests of how they start, are killed and come back.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const READY_WITHIN_MS = 40_000;
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface Run {
  child: ChildProcessWithoutNullStreams;
  /** exit code, or the signal that ended it */
  ended: Promise<number | string>;
  output: () => string;
}

/** `openFiles`: as many as it may have open; all that this process may have by default */
export function startProcess(args: string[], env: NodeJS.ProcessEnv = {}, openFiles?: number): Run {
  const command = openFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`];
  const [program, ...rest] = [...command, process.execPath, MAIN, ...args];
  const child = spawn(program!, rest, { env: { PATH: process.env['PATH'], ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const ended = new Promise<number | string>((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal!)));
  return { child, ended, output: () => output };
}

/** Throws where it ends, or takes longer than a busy machine does. */
export async function untilReady({ child, output }: Run): Promise<void> {
  const giveUpMs = performance.now() + READY_WITHIN_MS;
  while (!output().includes('"msg":"ready"')) {
    if (child.exitCode !== null || performance.now() > giveUpMs) throw new Error(`the gateway was not ready: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
