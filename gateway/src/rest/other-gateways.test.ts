// Which pages of other origins may read the telemetry, and where a page may connect, in front of a real server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDashboard } from './dashboard.ts';
import { openToPagesOf } from './other-gateways.ts';
import type { RestServer } from './rest-server.ts';

const serving = new Set(['10.0.0.1:7400', 'db2.example:7400', '[fd00::1]:7400']);
const known = ['127.0.0.1:7400', '10.0.0.9:7400', ...serving];
const others = { serving: () => [...serving], known: () => known };

let folder: string;
let app: RestServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claret-pages-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Claret</title>');
  app = Fastify().setValidatorCompiler(TypeBoxValidatorCompiler) as unknown as RestServer;
  const opened = { onRequest: openToPagesOf(others) };
  app.get('/answer', opened, () => ({ ok: true }));
  app.get('/stream', opened, (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.raw.end('data: one\n\n');
  });
  await addDashboard(app, folder, () => [], others);
  await app.ready();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const permitted = async (url: string, origin?: string) => {
  const { headers } = await app.inject({ url, headers: origin === undefined ? {} : { origin } });
  expect(headers.vary).toBe('origin');
  return headers['access-control-allow-origin'];
};

test.each([
  'http://10.0.0.1:7400',
  'http://10.0.0.9:7400',
  'http://db2.example:7400',
  'http://[fd00::1]:7400',
  'http://127.0.0.1:7400',
  'http://localhost:7400',
  'http://[::1]:7400',
])('a page of %s may read answers and streams', async (origin) => {
  expect(await permitted('/answer', origin)).toBe(origin);
  expect(await permitted('/stream', origin)).toBe(origin);
});

test.each([
  undefined,
  'null',
  '',
  'http://10.0.0.1',
  'https://10.0.0.1:7400',
  'http://10.0.0.1:74001',
  'http://10.0.0.2:7400',
  'http://localhost:7401',
  'http://localhost.evil.example:7400',
  'http://loopback:7400',
  'http://evil.example:7400',
])('a page of %j may not', async (origin) => {
  expect(await permitted('/answer', origin)).toBeUndefined();
  expect(await permitted('/stream', origin)).toBeUndefined();
});

test('the dashboard may connect to the gateways that serve when it is opened', async () => {
  const policy = async () => (await app.inject('/')).headers['content-security-policy'] as string;
  expect(await policy()).toMatch(/; connect-src 'self' http:\/\/10\.0\.0\.1:7400 http:\/\/db2\.example:7400$/);
  serving.add("10.0.0.3:7400; script-src 'unsafe-inline'");
  serving.add('10.0.0.4:7400');
  expect(await policy()).toMatch(/http:\/\/db2\.example:7400 http:\/\/10\.0\.0\.4:7400$/);
  expect(await policy()).not.toContain('unsafe');
});
