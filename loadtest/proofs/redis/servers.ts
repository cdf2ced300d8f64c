// The redis-server of the machine, for tests that compare with it.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { becomes } from '../../../scripts/testing.js';
import { freePorts, isTaken } from '../../../scripts/run/ports.js';

/** A server to compare with, until it is stopped. */
export interface Server {
  /** host:port */
  address: string;
  stop: () => Promise<void>;
}

/** Its path. Undefined if the machine has none; then there is nothing to compare with. */
export const redisServer = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'redis-server'))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** An empty one that keeps nothing. REQUIRES: the machine has one. */
export async function startRedis(): Promise<Server> {
  const [port] = await freePorts(1);
  const folder = mkdtempSync(join(tmpdir(), 'claret-redis-'));
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const server = spawn(redisServer!, flags, { stdio: 'ignore' });
  if (!(await becomes(() => isTaken(port!)))) throw new Error('redis-server did not start');
  return { address: `127.0.0.1:${port}`, stop: () => end(server, folder) };
}

async function end(server: ChildProcess, folder: string): Promise<void> {
  const exited = once(server, 'exit');
  if (server.kill()) await exited;
  rmSync(folder, { recursive: true, force: true });
}
