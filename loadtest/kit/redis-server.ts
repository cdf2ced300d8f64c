// A redis-server for a benchmark, on a free port and in its own folder, without persistence by default. It runs during the work,
// and is stopped however the work ends.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../scripts/run/ports.js';

/** `appendfsync` of a server that appends every change to a file; none: no file. */
export type Appending = 'none' | 'always';

export interface RedisServer {
  port: number;
  pid: number;
}

/** The message if it is missing. */
export const HOW_TO_INSTALL = 'redis-server is not installed. On Debian: apt-get install redis-server';

/** Such as 7.0.15; null if it is not installed. */
export function redisVersion(): string | null {
  const { error, stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  return error === undefined ? (/v=(\S+)/.exec(stdout)?.[1] ?? 'unknown') : null;
}

export async function withRedis(work: (redis: RedisServer) => Promise<void>, appending: Appending = 'none'): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'claret-redis-'));
  const [port] = await freePorts(1);
  const flags = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--daemonize',
    'no',
    ...(appending === 'none' ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', appending]),
  ];
  const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'pipe'] });
  const leave = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', leave);
  try {
    await ready(child);
    await work({ port: port!, pid: child.pid! });
  } finally {
    process.off('exit', leave);
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (text: Buffer) => {
      said += text;
      if (said.includes('Ready to accept connections')) resolve();
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`redis-server did not come up:\n${said}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}
