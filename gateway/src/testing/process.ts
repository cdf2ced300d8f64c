// Gateways and app servers as real processes, for tests of starts, kills and restarts.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const READY_WITHIN_MS = 120_000;
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** What a program gets of this process's environment: no settings, but what makes tests short. */
const { PATH, NODE_COMPILE_CACHE, CLARET_TRIAL_SECONDS } = process.env;
const INHERITED = { PATH, NODE_COMPILE_CACHE, CLARET_TRIAL_SECONDS };

export interface Run {
  child: ChildProcessWithoutNullStreams;
  /** the exit code, or the signal that ended the process */
  ended: Promise<number | string>;
  output: () => string;
}

/** A gateway; `openFiles`: the process's limit of open files; this process's limit by default */
export function startProcess(args: string[], env: NodeJS.ProcessEnv = {}, openFiles?: number): Run {
  const command = openFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`];
  return startProgram([...command, process.execPath, MAIN, ...args], env);
}

export function startProgram([program, ...args]: string[], env: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(program!, args, { env: { ...INHERITED, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const ended = new Promise<number | string>((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal!)));
  return { child, ended, output: () => output };
}

/** Throws if the process ends, or takes longer than it would on a busy machine. */
export async function untilReady({ child, output }: Run): Promise<void> {
  const giveUpMs = performance.now() + READY_WITHIN_MS;
  while (!output().includes('"msg":"ready"')) {
    if (child.exitCode !== null || performance.now() > giveUpMs) throw new Error(`the gateway was not ready: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
