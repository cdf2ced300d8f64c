// The built site as browsers get it: compressed as they accept it, cached as long as allowed, under a policy that allows the inline
// elements of the page.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { compressFile } from '@claret/ui/kit/precompress.ts';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { COMPRESSED_FROM_BYTES, compressAnswers } from './compression.ts';
import type { App } from './http.ts';
import { servePages } from './pages.ts';
import type { Problems } from './problem.ts';

const STYLE = 'body { color: red }';
const SCRIPT = 'document.title = "Claret";';
const PAGE = `<!doctype html><head><style>${STYLE}</style><script>${SCRIPT}</script></head>${'<p>Claret</p>'.repeat(200)}`;
const CODE = 'export const claret = 1;\n'.repeat(200);
const decoded = { br: brotliDecompressSync, gzip: gunzipSync };

let root: string;
let app: App;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'claret-pages-'));
  mkdirSync(join(root, 'assets'));
  const files = { 'index.html': PAGE, 'assets/index-abc123.js': CODE, 'assets/small-abc123.js': 'export {};' };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, name), text);
    compressFile(join(root, name));
  }
  app = Fastify();
  await servePages(app, { send: () => expect.unreachable() } as unknown as Problems<string>, root);
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const get = (url: string, accepted?: string) => app.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });

describe('A file', () => {
  test.each([
    ['br', 'gzip, deflate, br, zstd'],
    ['gzip', 'gzip, deflate'],
  ] as const)('goes as %s to a browser that reads %s', async (encoding, accepted) => {
    for (const [url, text] of [
      ['/', PAGE],
      ['/some/page', PAGE],
      ['/assets/index-abc123.js', CODE],
    ] as const) {
      const answer = await get(url, accepted);
      expect([answer.statusCode, answer.headers['content-encoding'], answer.headers['vary']]).toEqual([200, encoding, 'accept-encoding']);
      expect(answer.rawPayload.length).toBeLessThan(text.length / 2);
      expect(decoded[encoding](answer.rawPayload).toString()).toBe(text);
    }
    expect((await get('/assets/index-abc123.js', accepted)).headers).toMatchObject({
      'content-type': expect.stringContaining('/javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test('is sent uncompressed if compression saves nothing, or the browser accepts none', async () => {
    for (const [url, accepted, text] of [
      ['/assets/small-abc123.js', 'br', 'export {};'],
      ['/assets/index-abc123.js', undefined, CODE],
    ] as const) {
      const answer = await get(url, accepted);
      expect([answer.statusCode, answer.headers['content-encoding'], answer.body]).toEqual([200, undefined, text]);
    }
  });
});

test('The page is requested again each time, and sent again only if it has changed', async () => {
  const { headers } = await get('/some/page', 'br');
  expect(headers['cache-control']).toBe('no-cache');
  const again = await app.inject({ url: '/some/page', headers: { 'accept-encoding': 'br', 'if-none-match': headers['etag']! } });
  expect(again.statusCode).toBe(304);
});

test('The page’s policy, and no other, allows the page’s inline elements', async () => {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  for (const accepted of ['br', 'gzip', undefined]) {
    const policy = (await get('/some/page', accepted)).headers['content-security-policy'];
    expect(policy).toContain(`script-src 'self' ${hash(SCRIPT)};`);
    expect(policy).toContain(`style-src 'self' ${hash(STYLE)};`);
    expect(policy).not.toMatch(/unsafe/);
  }
  expect((await get('/assets/index-abc123.js', 'br')).headers['content-security-policy']).toBeUndefined();
});

describe('An answer of the API', () => {
  const posts = (bytes: number) => ({ text: 'a post '.repeat(bytes / 7) });
  let api: App;
  beforeAll(async () => {
    api = Fastify();
    await compressAnswers(api);
    api.get('/large', async () => posts(2 * COMPRESSED_FROM_BYTES));
    api.get('/small', async () => posts(COMPRESSED_FROM_BYTES / 2));
    api.get('/live', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
      reply.raw.end('data: {}\n\n'.repeat(1_000));
    });
  });
  afterAll(() => api.close());
  const ask = (url: string, accepted: string) => api.inject({ url, headers: { 'accept-encoding': accepted } });

  test('is compressed if it is large', async () => {
    const answer = await ask('/large', 'gzip, deflate, br');
    expect(answer.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(JSON.parse(gunzipSync(answer.rawPayload).toString())).toEqual(posts(2 * COMPRESSED_FROM_BYTES));
  });

  test.each([
    ['where it is small', '/small', 'gzip'],
    ['where it is a live stream', '/live', 'gzip'],
    ['where the browser does not read it', '/large', 'identity'],
  ])('travels as it is %s', async (_where, url, accepted) => {
    expect((await ask(url, accepted)).headers['content-encoding']).toBeUndefined();
  });
});
