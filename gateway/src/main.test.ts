// The gateway as a process: how it starts, refuses to start, and stops.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildGateway } from './app.ts';
import { DEFAULTS } from './config.ts';
import { freePorts } from '../../scripts/run/ports.js';
import { startProcess as start, untilReady } from './testing/process.ts';
import type { Run } from './testing/process.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'claret-main-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function startReady(env: NodeJS.ProcessEnv = {}, more: string[] = []): Promise<Run & { rest: string; cluster: string }> {
  const [grpc, rest] = await freePorts(2);
  const cluster = `127.0.0.1:${grpc}/127.0.0.1:${rest}`;
  const run = start(['--cluster', cluster, '--data-dir', join(folder, `data-${grpc}`), ...more], env);
  await untilReady(run);
  return { ...run, rest: `http://127.0.0.1:${rest}`, cluster };
}

test('--print-config prints what would be in force, of a token only that there is one, and exits', async () => {
  const run = start(['--print-config', '--idle-ms', '77'], { CLARET_TOKEN: 'nobody-should-read-this' });
  expect(await run.ended).toBe(0);
  const printed = JSON.parse(run.output()) as { pollMicroseconds: number };
  const { pollMicroseconds } = printed;
  expect(printed).toEqual({ ...DEFAULTS, idleMs: 77, dataDir: '.data/shard-0', token: '(set)', pollMicroseconds });
  expect(pollMicroseconds, 'what was chosen, not how').toBeGreaterThanOrEqual(0);
  expect(run.output()).not.toContain('nobody');
});

test('a wrong setting is reported in one line, and the exit code is not zero', async () => {
  const run = start(['--idle-ms', 'soon']);
  expect(await run.ended).toBe(2);
  expect(run.output()).toBe('configuration: --idle-ms: "soon" is not an integer from 10 to 600000\n');
});

test('a taken port is reported with its address, and the exit code is not zero', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  const [free] = await freePorts(1);
  const run = start(['--cluster', `127.0.0.1:${free}/127.0.0.1:${port}`, '--data-dir', join(folder, `taken-${port}`)]);
  expect(await run.ended).toBe(1);
  expect(run.output()).toContain(`cannot listen on 127.0.0.1:${port} (REST)`);

  const cluster = `127.0.0.1:${port}/127.0.0.1:${free}`;
  const gateway = await buildGateway({ ...DEFAULTS, cluster, logLevel: 'silent', durability: 'none', dataDir: join(folder, 'grpc-taken') });
  await expect(gateway.listen()).rejects.toThrow(`cannot listen on 127.0.0.1:${port} (gRPC)`);
  await gateway.close();
  taken.close();
});

test('it serves, on SIGTERM and on SIGINT closes and exits with 0, and each start has a greater incarnation', async () => {
  const addresses = (await freePorts(2)).map((port) => `127.0.0.1:${port}`);
  const rest = `http://${addresses[1]}`;
  const seen: number[] = [];
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const run = start(['--cluster', addresses.join('/'), '--data-dir', join(folder, 'restarted')]);
    await untilReady(run);
    seen.push(Number(/"incarnation":(\d+)/.exec(run.output())![1]));
    expect((await fetch(`${rest}/readyz`)).status).toBe(200);
    run.child.kill(signal);
    expect(await run.ended).toBe(0);
    await expect(fetch(`${rest}/livez`)).rejects.toThrow();
  }
  expect(seen[1]).toBeGreaterThan(seen[0]!);
});

test('with CLARET_EXIT_WITH_PARENT=1 it closes when standard input does', async () => {
  const run = await startReady({ CLARET_EXIT_WITH_PARENT: '1' });
  run.child.stdin.end();
  expect(await run.ended).toBe(0);
});

test('requests in flight during a shutdown get their replies', async () => {
  const run = await startReady({}, ['--idle-ms', '60000', '--interactive-ms', '60000', '--transaction-ms', '60000', '--drain-ms', '60000']);
  const json = { 'content-type': 'application/json' };
  const post = (path: string, body: object) => fetch(`${run.rest}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
  const read = { operations: [{ key: 'held', type: 'counter', operation: 'value' }] };
  const { id } = (await (await post('/v1/transactions/interactive', {})).json()) as { id: string };
  await post(`/v1/transactions/interactive/${id}/operations`, read);
  const waiting = post('/v1/transactions', { operations: [{ key: 'held', type: 'counter', operation: 'add', arguments: [1] }] });
  await expect.poll(async () => await (await fetch(`${run.rest}/metrics`)).text(), { interval: 10 }).toContain('claret_waiting 1');
  run.child.kill('SIGTERM'); // aborts the interactive one, which frees the lock that the other waits for
  expect((await waiting).status).toBe(200);
  expect(await run.ended).toBe(0);
});
