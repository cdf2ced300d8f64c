// The programs of Redis that the machine has, run to their end.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Undefined if the machine has none of that name. */
export const pathOf = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** `input`: what it reads from its standard input. */
export async function run(path: string, args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(path, args);
  const ended: Ended = { code: null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.err += text));
  child.stdin.on('error', () => {}); // it has ended without reading
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ended, code }));
  });
}
