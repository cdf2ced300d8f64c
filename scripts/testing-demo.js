// Runs the demo as users do: the launcher on free ports, with a data folder of its own and all real components.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './paths.js';
import { freeRow, isTaken } from './run/ports.js';
import { becomes, processWith } from './testing.js';

export const LAUNCHER = fileURLToPath(new URL('./launcher.js', import.meta.url));
export const UP_WITHIN_MS = 600_000;
/** Two gateways with two ports each, one server of each site, and two Redis doors. */
export const PORTS = 8;
export const portFlags = (first) => [
  ...['--gateway-port', first, '--auctions-port', first + 4, '--timelines-port', first + 5, '--resp-port', first + 6],
  ...['--nats-port', first + PORTS],
];
/** In place of a gateway a standby, and three NATS servers with three ports each. */
export const REPLICATED_PORTS = PORTS + 9;

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // the process has ended, as expected
  }
}

/**
 * Runs a demo on free ports, and calls `use` once it is up.
 * @param {string} command @param {string[]} args
 * @param {(demo: {pid: number, exited: Promise<unknown[]>, output: () => string, ports: number[], auctions: string, timelines: string,
 *   folder: string}) => unknown} use
 */
export async function withDemo(command, args, use, count = PORTS) {
  const first = await freeRow(count);
  const folder = mkdtempSync(join(tmpdir(), 'claret-demo-'));
  const flags = [...portFlags(first), '--graph-scale', 8, '--data-dir', folder].map(String);
  // Not a Child, which would clean up behind the launcher: the test checks that the launcher does that itself.
  const demo = spawn(command, [...args, ...flags], { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(demo, 'close');
  let output = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (bytes) => (output += bytes));
  try {
    assert.ok(await becomes(() => output.includes('Claret is up.') || demo.exitCode !== null, UP_WITHIN_MS), output);
    assert.equal(demo.exitCode, null, output);
    const ports = Array.from({ length: count }, (_, at) => first + at);
    const [auctions, timelines] = [4, 5].map((at) => `http://127.0.0.1:${first + at}`);
    await use({ pid: demo.pid, exited, output: () => output, ports, auctions, timelines, folder });
  } finally {
    killGroup(demo.pid);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {number[]} ports */
export const allFree = async (ports) => !(await Promise.all(ports.map(isTaken))).includes(true);

/** The process of a gateway of this demo, by the gRPC port of one of them. */
export const gatewayAt = (port, shard) => processWith([`--shard\x00${shard}`, `127.0.0.1:${port}`]);
