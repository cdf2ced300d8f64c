// More connections than the process's limit of open files: the gateway survives, its log continues, and no acknowledged write is lost.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionsPerServer } from './descriptors.ts';
import { freePorts } from '../../scripts/run/ports.js';
import { startProcess, untilReady } from './testing/process.ts';
import type { Run } from './testing/process.ts';

const OPEN_FILES = 300;
const CONNECTIONS = 400;

let folder: string;
let run: Run | undefined;
const sockets: Socket[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claret-descriptors-'));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  run?.child.kill('SIGKILL');
  await run?.ended;
  rmSync(folder, { recursive: true });
});

/** Opens idle connections, and waits until at most so many of them are open. */
async function crowd(port: number, openMax: number): Promise<void> {
  const opened = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => {});
    sockets.push(socket);
    return socket;
  });
  await expect.poll(() => opened.filter((socket) => !socket.destroyed && !socket.readableEnded).length).toBeLessThanOrEqual(openMax);
}

test('REST and gRPC connections stay within their limits, and the log can open new files', async () => {
  const [grpc, rest] = (await freePorts(2)) as [number, number];
  const args = ['--cluster', `127.0.0.1:${grpc}/127.0.0.1:${rest}`, '--data-dir', folder];
  run = startProcess(args, {}, OPEN_FILES);
  await untilReady(run);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 }); // keeps its connection, since no other one can be opened later
  const post = (n: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const call = request({
        agent,
        port: rest,
        path: '/v1/transactions',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      call.on('error', reject).on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode!)));
      const operations = [{ key: `k${n % 4}`, type: 'register', operation: 'set', arguments: [`${n} `.padEnd(60_000, 'x')] }];
      call.end(JSON.stringify({ operations }));
    });
  expect(await post(0)).toBe(200);
  const each = connectionsPerServer(OPEN_FILES, 1);
  await crowd(grpc, each);
  await crowd(rest, each);
  await expect.poll(run.output).toMatch(/gRPC: \d+ connections are open, as many as fit .*: \d+ closed as they came/);
  await expect.poll(run.output).toMatch(/REST: \d+ connections are open/);
  const files = () => readdirSync(join(folder, 'log', 'store')).filter((name) => name.endsWith('.log') || name.endsWith('.ldb'));
  const before = files();
  for (let n = 1; n <= 320; n++) expect(await post(n)).toBe(200);
  expect(files().filter((name) => !before.includes(name)).length, 'of 8 MiB each').toBeGreaterThan(1);
  expect(run.child.exitCode).toBeNull();
  agent.destroy();
});

test('a limit that leaves too few connections is refused, with advice', async () => {
  const [grpc, rest] = await freePorts(2);
  run = startProcess(['--cluster', `127.0.0.1:${grpc}/127.0.0.1:${rest}`, '--data-dir', folder], {}, 100);
  expect(await run.ended).toBe(2);
  expect(run.output()).toBe(
    'this process may have 100 files open, and a gateway in a cluster of 1 needs at least 164: raise the limit (ulimit -n, LimitNOFILE)\n',
  );
});
