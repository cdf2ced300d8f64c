// Runs seeds of the simulation until a mistake is found.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A plan and a workload in which a mistake of the client or of the gateway shows, and the greatest number of seeds needed. */
export interface SeedsCase {
  readonly mistake: string;
  readonly plan: string;
  readonly workload: string;
  readonly seedsMax: number;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MINUTES = 0.1;

/** Runs seeds, in a process with the mistake, until one is found. */
export async function seedsUntilFound({ mistake, plan, workload, seedsMax }: SeedsCase): Promise<{ seeds: number; rule: string }> {
  const args = ['--import', `${HERE}/load.ts`, `${HERE}/seeds.ts`, plan, workload, String(seedsMax), String(MINUTES)];
  const child = spawn(process.execPath, args, { env: { ...process.env, CLARET_MISTAKE: mistake } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text));
  await new Promise((resolve) => child.on('close', resolve));
  const [, seeds, rule] = /: (\d+) seeds .* found (.*)/.exec(output) ?? [];
  if (seeds === undefined) throw new Error(output);
  return { seeds: Number(seeds), rule: rule! };
}
