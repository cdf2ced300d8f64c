// Every answer of a site, from a page to the refusal of an overloaded server, carries what protects its visitor.
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
import { GATE_LIMITS } from '../../overload/limits.ts';
import { PASSWORD, type SecuredSite } from './site.ts';

const json = { [CSRF_HEADER]: '1', 'content-type': 'application/json' };

type Answer = { status: number; headers: IncomingHttpHeaders };

/** Over a real connection; the body is not waited for. */
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
    full = await site.build({ web_root, gate_limits: { ...GATE_LIMITS, at_work_first: 0, at_work_least: 0 } });
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
      ['a file that is not there', 404, 'GET', '/assets/site-old.js'],
      [
        'a file that the browser has',
        304,
        'GET',
        '/assets/site-abc123.js',
        { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() },
      ],
      ['an answer of the API', 200, 'GET', '/api/session'],
      ['its head alone', 200, 'HEAD', '/api/session'],
      ['a live stream', 200, 'GET', '/api/live'],
      [
        'a page of another site that asks first',
        404,
        'OPTIONS',
        '/api/session',
        { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      ],
      ['nobody logged in', 401, 'POST', '/api/login', json, login],
      ['a change from elsewhere', 403, 'POST', '/api/login', { 'content-type': 'application/json' }, login],
      ['a read from elsewhere', 403, 'GET', '/api/session', { 'sec-fetch-site': 'cross-site' }],
      [
        'a live stream from elsewhere',
        403,
        'GET',
        '/api/live',
        { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      ],
      ['no such route', 404, 'GET', '/api/nothing'],
      ['no such change', 404, 'DELETE', '/', { [CSRF_HEADER]: '1' }],
      ['no JSON', 400, 'POST', '/api/login', json, '{'],
      ['not JSON', 415, 'POST', '/api/login', { ...json, 'content-type': 'text/plain' }, 'x'],
      ['too much', 413, 'POST', '/api/login', json, JSON.stringify('x'.repeat(70_000))],
      ['an address that cannot be read', 400, 'GET', '/api/%ff'],
      ['an address too long', 404, 'GET', `/api/users/${'x'.repeat(300)}`],
      ['something that broke', 500, 'GET', '/api/breaks'],
      ['a probe', 200, 'GET', '/livez'],
      ['another', 200, 'GET', '/readyz'],
    ];
    test.each(answers)('%s', async (_what, status, method, path, headers = {}, body) => {
      const answer = await ask(app, method, path, headers, body);
      expect(answer.status).toBe(status);
      expectProtection(answer);
    });

    test('the refusal of a server that has too much to do', async () => {
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

  test('What is answered may be kept by nobody, but for files', async () => {
    const cacheOf = async (path: string) => (await ask(app, 'GET', path)).headers['cache-control'];
    for (const path of ['/api/session', '/api/nothing', '/api/live', '/api/%ff', '/assets/site-old.js', '/readyz']) {
      expect([path, await cacheOf(path)]).toEqual([path, 'no-store']);
    }
    expect(await cacheOf('/some/page')).toBe('no-cache');
    expect(await cacheOf('/assets/site-abc123.js')).toContain('immutable');
  });

  test('Nothing leads elsewhere or repeats the host that a request names', async () => {
    for (const path of ['/', '//evil.example/..', '/assets', '/some/page?next=https://evil.example', '/api/nothing', '/%5cevil.example']) {
      const answer = await app.inject({ url: path, headers: { host: 'evil.example' } });
      expect([path, answer.headers['location'], answer.statusCode >= 300 && answer.statusCode < 400]).toEqual([path, undefined, false]);
      expect(JSON.stringify(answer.headers) + answer.body).not.toContain('evil');
    }
  });

  test('Files are those of the built site, and no others', async () => {
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

  test('What broke is told to operators, not to visitors', async () => {
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

  test('A request that names no host is refused', async () => {
    for (const path of ['/', '/api/session', '/api/nothing']) {
      const answer = await ask(app, 'GET', path, {}, undefined, { setHost: false });
      expect([path, answer.status]).toEqual([path, 400]);
      expectProtection(answer);
    }
  });

  test('Passwords, tokens and cookies stand in no line of the log, whatever goes wrong', async () => {
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
