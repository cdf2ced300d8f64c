// The built dashboard beside the API: which paths are pages, files, or neither.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';

const PAGE = '<!doctype html><title>Claret</title><style>p{}</style><script>1</script>';
let folder: string;
let cluster: TestCluster;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claret-dashboard-'));
  mkdirSync(join(folder, 'built', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'built', 'index.html'), PAGE);
  writeFileSync(join(folder, 'built', 'recording.gz'), 'recorded');
  writeFileSync(join(folder, 'built', 'assets', 'index-abc123.js'), 'export {};');
  writeFileSync(join(folder, 'built', 'assets', 'index-abc123.js.br'), brotliCompressSync('export {};'));
  writeFileSync(join(folder, 'built', 'index.html.gz'), gzipSync(PAGE));
  cluster = await startCluster(1, { dashboardDir: join(folder, 'built') });
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') => cluster.gateways[0]!.rest.inject({ method, url });

test.each(['/', '/types', '/recording', '/types?theme=dark', '/nowhere/at/all'])(
  '%s serves the page, uncached, with a strict content security policy',
  async (url) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.body]).toEqual([200, PAGE]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    const policy = answer.headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect((await get(url, 'HEAD')).statusCode).toBe(200);
  },
);

test('inline scripts and styles are allowed by their hashes', async () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('base64');
  const { headers } = await get('/types');
  expect(headers['content-security-policy']).toContain(
    `script-src 'self' 'sha256-${hash('1')}'; style-src 'self' 'sha256-${hash('p{}')}';`,
  );
});

test('compressed files are sent to browsers that accept them', async () => {
  const { rest } = cluster.gateways[0]!;
  for (const [url, encoding, text, decode] of [
    ['/types', 'gzip', PAGE, gunzipSync],
    ['/assets/index-abc123.js', 'br', 'export {};', brotliDecompressSync],
  ] as const) {
    const answer = await rest.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(decode(answer.rawPayload).toString()).toBe(text);
  }
});

test('files with a hash in their name are cached permanently, others are revalidated', async () => {
  const asset = await get('/assets/index-abc123.js');
  expect([asset.statusCode, asset.body, asset.headers['cache-control']]).toEqual([
    200,
    'export {};',
    'public, max-age=31536000, immutable',
  ]);
  expect(asset.headers['content-type']).toMatch(/javascript/);
  const recording = await get('/recording.gz');
  expect([recording.statusCode, recording.body, recording.headers['cache-control']]).toEqual([200, 'recorded', 'no-cache']);
  expect(recording.headers['content-security-policy']).toBeDefined();
});

test.each([
  '/v1/nothing',
  '/v1',
  '/v1/',
  '/v1/admin/nothing',
  '/assets/gone.js',
  '/assets/gone',
  '/favicon.ico',
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/.%00/secret.txt',
])('%s is not a page', async (url) => {
  const answer = await get(url);
  expect([404, 403, 400]).toContain(answer.statusCode);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.body).not.toContain('secret\n');
});

test('only GET and HEAD are answered with the page', async () => {
  const answer = await get('/types', 'POST');
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'route_not_found']);
});

test('the API, its documentation and the probes keep their paths', async () => {
  expect((await get('/v1/topology')).json().shards).toHaveLength(1);
  expect((await get('/docs')).body).toContain('swagger');
  expect((await get('/livez')).json()).toEqual({ status: 'ok' });
  expect((await get('/metrics')).headers['content-type']).toContain('text/plain');
  expect(Object.keys((await get('/openapi.json')).json().paths).filter((path) => !path.startsWith('/v1/'))).toEqual([
    '/livez',
    '/readyz',
    '/healthz',
    '/metrics',
  ]);
});

describe('without a built dashboard', () => {
  test.each(['', 'not-there', '.'])('(%j), / redirects to the documentation, and there are no pages', async (dir) => {
    const other = await startCluster(1, { dashboardDir: dir && join(folder, dir) });
    const ask = (url: string) => other.gateways[0]!.rest.inject(url);
    expect((await ask('/')).headers.location).toBe('/docs');
    expect([(await ask('/types')).statusCode, (await ask('/secret.txt')).statusCode]).toEqual([404, 404]);
    await other.close();
  });
});
