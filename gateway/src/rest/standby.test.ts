// REST at a gateway that owns no shard, in front of real servers in the place of owners.
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { DEFAULTS } from '../config.ts';
import type { Followed } from '../replication/standbys.ts';
import { RestListener } from './listener.ts';
import { buildStandbyApp } from './standby.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server that answers with what it was asked. */
async function owner(port: number): Promise<Server> {
  let refusals = 0;
  const server = createServer((request, response) => {
    if (request.url === '/v1/admin/conditions') {
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ times: ++refusals }));
      return;
    }
    if (request.url === '/v1/telemetry/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n');
      return;
    }
    let body = '';
    request.on('data', (bytes) => (body += bytes));
    request.on('end', () => {
      const { method, url, headers } = request;
      response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json', 'x-of': String(port) });
      response.end(JSON.stringify({ method, url, host: headers.host, token: headers.authorization, type: headers['content-type'], body }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return server;
}

async function standby(owners: string[], follows: Followed[] = [], isWhole = true) {
  const [grpc, port] = await freePorts(2);
  const cluster = `127.0.0.1:${grpc}/127.0.0.1:${port}`;
  const listener = new RestListener({ ...DEFAULTS, cluster, logLevel: 'silent' });
  const app = buildStandbyApp({ owners: () => owners, follows: () => follows, isWhole: () => isWhole }, listener);
  await app.ready();
  listener.handOverTo(app);
  await listener.listen();
  closing.push(async () => {
    listener.closeAll();
    await listener.close();
  });
  return { host: `127.0.0.1:${port}`, at: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init) };
}

test('it answers probes and metrics itself', async () => {
  const follows = [{ shard: 1, position: 9, isReady: true }];
  const whole = await standby([], follows);
  expect((await whole.at('/livez')).status).toBe(200);
  const ready = await whole.at('/readyz');
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ok', phase: 'standby', follows: [{ shard: 1, position: 9, ready: true }] },
  ]);
  const metrics = await (await whole.at('/metrics')).text();
  expect(metrics).toContain('claret_standby_position{shard="1"} 9');
  expect(metrics).toContain('claret_standby_ready{shard="1"} 1');
  expect(metrics).toMatch(/^claret_process_resident_memory_bytes \d+$/m);
  const broken = await standby([], follows, false);
  expect((await broken.at('/readyz')).status).toBe(503);
});

test('it passes everything else on to an owner, with method, body and headers, and the answer back', async () => {
  const [port] = await freePorts(1);
  await owner(port!);
  const { at, host } = await standby([`127.0.0.1:${port}`]);
  const body = '{"a": [1,   2]}';
  const headers = { 'content-type': 'application/json', authorization: 'Bearer secret' };
  const answer = await at('/v1/transactions?x=%2F&y=1', { method: 'POST', body, headers });
  expect(answer.status).toBe(201);
  expect(await answer.json()).toEqual({
    method: 'POST',
    url: '/v1/transactions?x=%2F&y=1',
    host,
    token: 'Bearer secret',
    type: 'application/json',
    body,
  });
  expect((await at('/')).headers.get('x-of')).toBe(String(port));
});

test('it passes a stream of events on as they come', async () => {
  const [port] = await freePorts(1);
  await owner(port!);
  const { at } = await standby([`127.0.0.1:${port}`]);
  const stream = await at('/v1/telemetry/stream');
  const reader = stream.body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('data: one\n\n');
  await reader.cancel();
});

test('it passes a refusal on, and does not ask again by itself', async () => {
  const [port] = await freePorts(1);
  await owner(port!);
  const { at } = await standby([`127.0.0.1:${port}`]);
  for (const times of [1, 2]) {
    const refused = await at('/v1/admin/conditions');
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([503, '1', { times }]);
  }
});

test('where an owner does not answer it says so, and asks another one next', async () => {
  const [dead, port] = await freePorts(2);
  await owner(port!);
  const { at } = await standby([`127.0.0.1:${dead}`, `127.0.0.1:${port}`]);
  const refused = await at('/v1/topology');
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({
    code: 'shard_unavailable',
    detail: `The gateway at 127.0.0.1:${dead} does not answer.`,
    retryable: true,
  });
  // An owner that did not answer is left out for a moment only.
  await expect.poll(async () => (await at('/v1/topology')).status, { interval: 5 }).toBe(200);
});

test('where no shard has an owner it refuses', async () => {
  const { at } = await standby([]);
  const refused = await at('/v1/topology');
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'recovering', retryable: true }]);
});
