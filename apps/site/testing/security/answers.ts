// Every answer of a site, from a page to the refusal of an overloaded server, carries the security headers.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CONNECTION_LIMITS } from '../../connections.ts';
import { SECURITY_HEADERS } from '../../headers.ts';
import type { App } from '../../http.ts';
import { ADMISSION_LIMITS } from '../../overload/limits.ts';
import { PASSWORD, type SecuredSite } from './site.ts';

const json = { [CSRF_HEADER]: '1', 'content-type': 'application/json' };

type Answer = { status: number; headers: IncomingHttpHeaders };

/** Over a real connection; the body is not awaited. */
function ask(
  app: App,
  method: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
  body?: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const { port } = app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, connection: 'close' }, ...options },
      (response) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
        response.destroy();
      },
    );
    asked.on('error', reject).end(body);
  });
}

export function answersAreProtected(site: SecuredSite): void {
  let web_root: string;
  let app: App;
  let full: App;

  beforeAll(async () => {
    web_root = await mkdtemp(join(tmpdir(), 'site-'));
    await mkdir(join(web_root, 'assets'));
    await writeFile(join(web_root, 'index.html'), '<!doctype html><title>Site</title>');
    await writeFile(join(web_root, '.secret'), 'not for visitors');
    await writeFile(join(web_root, 'assets', 'site-abc123.js'), '1');
    await writeFile(join(web_root, '..', `${web_root.split('/').at(-1)}-outside`), 'not for visitors');
    app = await site.build({ web_root });
    app.get('/api/breaks', async () => {
      throw new Error('not for visitors');
    });
    full = await site.build({ web_root, admission_limits: { ...ADMISSION_LIMITS, at_work_first: 0, at_work_least: 0 } });
    await Promise.all([app.listen({ host: '127.0.0.1', port: 0 }), full.listen({ host: '127.0.0.1', port: 0 })]);
  });
  afterAll(async () => {
    await Promise.all([app.close(), full.close()]);
    await rm(`${web_root}-outside`);
    await rm(web_root, { recursive: true });
  });

  describe('Every answer is protected:', () => {
    const login = JSON.stringify(site.login('nobody_here', 'wrong'));
    const answers: [what: string, status: number, method: string, path: string, headers?: OutgoingHttpHeaders, body?: string][] = [
      ['a page', 200, 'GET', '/'],
      ['a page that the site routes itself', 200, 'GET', '/some/page?next=//evil.example'],
      ['a file', 200, 'GET', '/assets/site-abc123.js'],
      ['a missing file', 404, 'GET', '/assets/site-old.js'],
      ['an unchanged file', 304, 'GET', '/assets/site-abc123.js', { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() }],
      ['an answer of the API', 200, 'GET', '/api/session'],
      ['a HEAD request to the API', 200, 'HEAD', '/api/session'],
      ['a live stream', 200, 'GET', '/api/live'],
      [
        'a CORS preflight of another site',
        404,
        'OPTIONS',
        '/api/session',
        { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      ],
      ['a failed login', 401, 'POST', '/api/login', json, login],
      ['a change from another site', 403, 'POST', '/api/login', { 'content-type': 'application/json' }, login],
      ['a read from another site', 403, 'GET', '/api/session', { 'sec-fetch-site': 'cross-site' }],
      [
        'a live stream for another site',
        403,
        'GET',
        '/api/live',
        { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      ],
      ['an unknown route', 404, 'GET', '/api/nothing'],
      ['an unknown route for a change', 404, 'DELETE', '/', { [CSRF_HEADER]: '1' }],
      ['malformed JSON', 400, 'POST', '/api/login', json, '{'],
      ['another content type', 415, 'POST', '/api/login', { ...json, 'content-type': 'text/plain' }, 'x'],
      ['a body too large', 413, 'POST', '/api/login', json, JSON.stringify('x'.repeat(70_000))],
      ['a malformed URL', 400, 'GET', '/api/%ff'],
      ['an overlong path parameter', 404, 'GET', `/api/users/${'x'.repeat(300)}`],
      ['an internal error', 500, 'GET', '/api/breaks'],
      ['a probe', 200, 'GET', '/livez'],
      ['the readiness probe', 200, 'GET', '/readyz'],
    ];
    test.each(answers)('%s', async (_what, status, method, path, headers = {}, body) => {
      const answer = await ask(app, method, path, headers, body);
      expect(answer.status).toBe(status);
      expectProtection(answer);
    });

    test('the refusal of an overloaded server', async () => {
      for (const [method, path] of [
        ['GET', '/api/session'],
        ['POST', '/api/login'],
        ['GET', '/api/live'],
      ] as const) {
        const answer = await ask(full, method, path);
        expect([path, answer.status]).toEqual([path, 503]);
        expectProtection(answer);
      }
    });
  });

  test('No answer but a file may be cached', async () => {
    const cacheOf = async (path: string) => (await ask(app, 'GET', path)).headers['cache-control'];
    for (const path of ['/api/session', '/api/nothing', '/api/live', '/api/%ff', '/assets/site-old.js', '/readyz']) {
      expect([path, await cacheOf(path)]).toEqual([path, 'no-store']);
    }
    expect(await cacheOf('/some/page')).toBe('no-cache');
    expect(await cacheOf('/assets/site-abc123.js')).toContain('immutable');
  });

  test('No answer redirects elsewhere or repeats the host that a request names', async () => {
    for (const path of ['/', '//evil.example/..', '/assets', '/some/page?next=https://evil.example', '/api/nothing', '/%5cevil.example']) {
      const answer = await app.inject({ url: path, headers: { host: 'evil.example' } });
      expect([path, answer.headers['location'], answer.statusCode >= 300 && answer.statusCode < 400]).toEqual([path, undefined, false]);
      expect(JSON.stringify(answer.headers) + answer.body).not.toContain('evil');
    }
  });

  test('Only the files of the built site are served', async () => {
    const outside = `${web_root.split('/').at(-1)}-outside`;
    const paths = [
      `../${outside}`,
      `%2e%2e/${outside}`,
      `..%2f${outside}`,
      `assets/..%2f..%2f${outside}`,
      `..%5c${outside}`,
      `%00/../../${outside}`,
      '.secret',
      '%2esecret',
    ];
    for (const path of paths)
      expect([path, (await app.inject(`/${path}`)).body]).toEqual([path, expect.not.stringContaining('not for visitors')]);
  });

  test('Internal errors are reported to operators, not to visitors', async () => {
    expect((await app.inject('/api/breaks')).body).not.toContain('not for visitors');
  });

  test('A visitor’s connection has the limits that connections.ts sets', () => {
    const { headers_timeout_ms, request_timeout_ms, silent_timeout_ms } = CONNECTION_LIMITS;
    const { headersTimeout, requestTimeout, timeout } = app.server;
    expect({ headersTimeout, requestTimeout, timeout }).toEqual({
      headersTimeout: headers_timeout_ms,
      requestTimeout: request_timeout_ms,
      timeout: silent_timeout_ms,
    });
  });

  test('A request without a host is refused', async () => {
    for (const path of ['/', '/api/session', '/api/nothing']) {
      const answer = await ask(app, 'GET', path, {}, undefined, { setHost: false });
      expect([path, answer.status]).toEqual([path, 400]);
      expectProtection(answer);
    }
  });

  test('Passwords, tokens and cookies never appear in the log, whatever fails', async () => {
    const lines: string[] = [];
    const logged = await site.build({ logger: { level: 'trace', stream: { write: (line) => void lines.push(line) } } });
    logged.get('/api/breaks', async (asked) => {
      throw Object.assign(new Error('broken'), { request: asked.id });
    });
    const registered = await logged.inject({ method: 'POST', url: '/api/register', headers: json, payload: site.registration('logged') });
    const [cookie = ''] = String(registered.headers['set-cookie']).split(';');
    for (const [url, payload] of [
      ['/api/login', site.login('logged', PASSWORD)],
      ['/api/login', site.login('logged', 'not it at all')],
      ['/api/login', '{"password":"half of it'],
      ['/api/breaks', {}],
    ] as const) {
      await logged.inject({ method: url === '/api/breaks' ? 'GET' : 'POST', url, headers: { ...json, cookie }, payload });
    }
    await logged.close();
    const log = lines.join('');
    expect(log).toContain('broken');
    for (const secret of [PASSWORD, 'not it at all', 'half of it', cookie.split('=')[1]!, 'scrypt$']) expect(log).not.toContain(secret);
  });
}

function expectProtection({ headers }: Answer): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect([name, headers[name]]).toEqual([name, value]);
  const told = Object.keys(headers);
  expect(told.filter((name) => name.startsWith('access-control-') || name === 'server' || name === 'x-powered-by')).toEqual([]);
}
