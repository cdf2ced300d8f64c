// Where the simulation finds each mistake of the gateway: a plan and a workload in which it shows, and the greatest number of seeds needed.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface GatewayCase {
  readonly mistake: string;
  readonly plan: string;
  readonly workload: string;
  readonly seedsMax: number;
}

/** Those that take the fewest seeds; part of each test run. */
export const QUICK_CASES: readonly GatewayCase[] = [
  { mistake: 'appended-anywhere', plan: 'takeover', workload: 'transfers', seedsMax: 10 },
  { mistake: 'start-not-awaited', plan: 'takeover', workload: 'mixed', seedsMax: 20 },
  { mistake: 'answers-after-lease', plan: 'takeover', workload: 'mixed', seedsMax: 20 },
  { mistake: 'given-and-forgotten', plan: 'moves', workload: 'mixed', seedsMax: 10 },
];

export const OTHER_CASES: readonly GatewayCase[] = [
  { mistake: 'late-messages-count', plan: 'takeover', workload: 'transfers', seedsMax: 40 },
  { mistake: 'served-without-the-rest', plan: 'takeover', workload: 'transfers', seedsMax: 60 },
  { mistake: 'took-not-awaited', plan: 'moves', workload: 'mixed', seedsMax: 40 },
  { mistake: 'gave-not-awaited', plan: 'moves', workload: 'mixed', seedsMax: 60 },
  { mistake: 'pieces-not-awaited', plan: 'moves', workload: 'mixed', seedsMax: 10 },
  { mistake: 'lease-from-answer', plan: 'takeover', workload: 'mixed', seedsMax: 60 },
];

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MINUTES = 0.1;

/** Runs seeds, in a process with the mistake, until one is found. */
export async function seedsUntilFound({ mistake, plan, workload, seedsMax }: GatewayCase): Promise<{ seeds: number; rule: string }> {
  const args = ['--import', `${HERE}/load.ts`, `${HERE}/seeds.ts`, plan, workload, String(seedsMax), String(MINUTES)];
  const child = spawn(process.execPath, args, { env: { ...process.env, CLARET_MISTAKE: mistake } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text));
  await new Promise((resolve) => child.on('close', resolve));
  const [, seeds, rule] = /: (\d+) seeds .* found (.*)/.exec(output) ?? [];
  if (seeds === undefined) throw new Error(output);
  return { seeds: Number(seeds), rule: rule! };
}
