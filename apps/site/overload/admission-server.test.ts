// The server with admission control, over real connections: the answers to shed requests, and their effect on connections.
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';

import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';

import { Problems } from '../problem.ts';
import { AdmissionServer } from './admission-server.ts';
import { laneOf } from './lanes.ts';
import { ADMISSION_LIMITS, RETRY_AFTER_S } from './limits.ts';
import { Refusal } from './refusal.ts';

const BODY_BYTES_MAX = 1_000;
const problems = new Problems<string>({
  status: { overloaded: 503 } as Record<string, number>,
  details: { overloaded: 'Very busy.' } as Record<string, string>,
  field_details: {},
  field_codes: {},
  param_codes: {},
});

type Answer = { status: number; headers: IncomingMessage['headers']; body: string; socket: unknown };

let app: FastifyInstance;
let agent: Agent;
afterEach(async () => {
  agent.destroy();
  await app.close();
});

/** A site whose API answers on command; two requests may be in flight. */
async function site() {
  const warn = vi.fn();
  const server = new AdmissionServer({
    claret: { load: { shards: [], running: 0, waiting: 0 } },
    limits: { ...ADMISSION_LIMITS, at_work_first: 2, at_work_least: 2, kind_share_max: 1 },
    refusal: new Refusal(problems.problem('overloaded'), { 'x-content-type-options': 'nosniff' }, BODY_BYTES_MAX),
    warn,
  });
  const waiting: (() => void)[] = [];
  const arrived = vi.fn();
  app = Fastify({ serverFactory: server.serverFactory });
  app.all('/api/work', async (received) => {
    arrived(received.body);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return 'done';
  });
  app.get('/page', async () => 'page');
  app.get('/readyz', async () => 'ready');
  await app.listen({ host: '127.0.0.1', port: 0 });
  agent = new Agent({ keepAlive: true });
  return { server, warn, arrived, answer: () => waiting.splice(0).forEach((go) => go()) };
}

function ask(path: string, options: RequestOptions = {}, body = ''): Promise<Answer> {
  const { port } = app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, agent, ...options }, (response) => {
      let text = '';
      const { socket } = response;
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text, socket }));
    });
    asked.on('error', reject).end(body);
  });
}

async function full() {
  const one = await site();
  const inside = [ask('/api/work'), ask('/api/work')];
  for (const answer of inside) answer.catch(() => undefined); // for tests that do not await the answers
  await vi.waitFor(() => expect(one.arrived).toHaveBeenCalledTimes(2));
  return { ...one, inside };
}

test('A shed request is answered in the site’s own words, with the headers of every answer and a Retry-After', async () => {
  const { server, answer, inside, arrived } = await full();
  for (const method of ['GET', 'POST', 'HEAD']) {
    const { status, headers, body } = await ask('/api/work', { method });
    expect([status, headers['x-content-type-options'], headers['cache-control']]).toEqual([503, 'nosniff', 'no-store']);
    expect(headers['content-type']).toContain('application/problem+json');
    const seconds = Number(headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(RETRY_AFTER_S.least);
    expect(seconds).toBeLessThanOrEqual(RETRY_AFTER_S.most);
    if (method === 'HEAD') continue;
    expect(JSON.parse(body)).toEqual({ ...problems.problem('overloaded'), retry_after_s: seconds });
  }
  expect(server.state).toMatchObject({ at_work: { read: 2, write: 0 }, refused: { at_work: 3 } });
  answer();
  expect((await Promise.all(inside)).map(({ body }) => body)).toEqual(['done', 'done']);
  expect(arrived).toHaveBeenCalledTimes(2);
});

test('Retry-After varies between refusals', async () => {
  const { answer } = await full();
  const times = new Set<unknown>();
  await vi.waitFor(
    async () => {
      times.add((await ask('/api/work')).headers['retry-after']);
      expect(times.size).toBe(RETRY_AFTER_S.most - RETRY_AFTER_S.least + 1);
    },
    { interval: 0 },
  );
  answer();
});

test('A freed slot goes to the next request, also if a visitor left before the answer', async () => {
  const { server, answer } = await full();
  answer();
  await vi.waitFor(() => expect(server.state.at_work.read).toBe(0));
  const { port } = app.server.address() as AddressInfo;
  const impatient = request({ host: '127.0.0.1', port, path: '/api/work' }).on('error', () => undefined);
  impatient.end();
  await vi.waitFor(() => expect(server.state.at_work.read).toBe(1));
  impatient.destroy();
  answer();
  await vi.waitFor(() => expect(server.state.at_work.read).toBe(0));
});

test('Files and probes are served while the API is full', async () => {
  const { answer } = await full();
  expect((await ask('/page')).body).toBe('page');
  expect((await ask('/readyz')).body).toBe('ready');
  expect((await ask('/api/work')).status).toBe(503);
  answer();
});

test('A connection stays usable after a refusal, with a body or without', async () => {
  const { server, answer } = await full();
  const own = new Agent({ keepAlive: true, maxSockets: 1 });
  const json = { 'content-type': 'application/json' };
  const asked = await Promise.all([
    ask('/api/work', { agent: own }),
    ask('/api/work', { agent: own, method: 'POST', headers: json }, JSON.stringify('x'.repeat(900))),
    ask('/page', { agent: own }),
  ]);
  own.destroy();
  expect(asked.map(({ status }) => status)).toEqual([503, 503, 200]);
  expect(new Set(asked.map(({ socket }) => socket)).size).toBe(1);
  expect(server.state.sockets).toBe(3);
  answer();
});

test('A refused connection is closed if its body is too long or of unknown length', async () => {
  const { answer } = await full();
  const long = await ask(
    '/api/work',
    { method: 'POST', headers: { 'content-length': BODY_BYTES_MAX + 1 } },
    'x'.repeat(BODY_BYTES_MAX + 1),
  );
  const endless = await ask('/api/work', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } }, 'x');
  expect([long.status, long.headers.connection]).toEqual([503, 'close']);
  expect([endless.status, endless.headers.connection]).toEqual([503, 'close']);
  answer();
});

test('The operator reads one line with a count, not one for each refusal', async () => {
  const { warn, answer } = await full();
  const startMs = performance.now();
  await Promise.all(Array.from({ length: 50 }, () => ask('/api/work')));
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  const told = warn.mock.calls.map(([facts]) => (facts as { refused: { at_work: number } }).refused.at_work);
  expect(told.length, 'one a second').toBeLessThanOrEqual(2 + (performance.now() - startMs) / 1_000);
  answer();
});

test.each([
  ['GET', '/api/items', 'read'],
  ['HEAD', '/api/items?x=1', 'read'],
  ['POST', '/api/items', 'write'],
  ['DELETE', '/api/items', 'write'],
  ['GET', '/', 'page'],
  ['GET', '/items/7?from=/api/', 'page'],
  ['GET', '/assets/x.js', 'page'],
  ['GET', '/livez', 'probe'],
  ['GET', '/livez/more', 'page'],
  // the router decodes these as API paths
  ['GET', '/%61pi/items', 'read'],
  ['POST', 'http://site.example/api/items', 'write'],
])('%s %s is in the lane %s', (method, url, lane) => expect(laneOf(method, url)).toBe(lane));
