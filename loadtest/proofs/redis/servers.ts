// The redis-server of the machine, for tests that compare with it.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../../scripts/run/ports.js';
import { pathOf } from './programs.ts';
import { RawClient } from './raw-client.ts';

const START_MS = 120_000;
const ASK_EVERY_MS = 20;

/** A server to compare with, until it is stopped. */
export interface Server {
  /** host:port */
  address: string;
  stop: () => Promise<void>;
}

/** Its path. Undefined if the machine has none; then there is nothing to compare with. */
export const redisServer = pathOf('redis-server');

/** An empty one that keeps nothing. REQUIRES: the machine has one. */
export async function startRedis(): Promise<Server> {
  const [port] = await freePorts(1);
  const address = `127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'claret-redis-'));
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const server = spawn(redisServer!, flags, { stdio: 'ignore' });
  await answers(address);
  return { address, stop: () => end(server, folder) };
}

async function answers(address: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    try {
      (await RawClient.to(address)).close();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(ASK_EVERY_MS);
    }
  }
}

async function end(server: ChildProcess, folder: string): Promise<void> {
  const exited = once(server, 'exit');
  if (server.kill()) await exited;
  rmSync(folder, { recursive: true, force: true });
}
