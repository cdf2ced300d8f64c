// Hostile input: names of properties that every object has, bodies built to be costly, requests of other origins.
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { App } from '../../http.ts';
import { SiteVisitor } from '../visitor.ts';
import type { SecuredSite } from './site.ts';

const json = { [CSRF_HEADER]: '1', 'content-type': 'application/json' };

export function inputIsHarmless(site: SecuredSite): void {
  let app: App;
  beforeAll(async () => void (app = await site.build()));
  afterAll(() => app.close());

  describe('A name of a built-in property', () => {
    afterEach(() => expect(({} as Record<string, unknown>)['polluted']).toBeUndefined());

    const bodies = [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"password":{"__proto__":{"polluted":1}}}',
      '{"\\u005f_proto__":{"polluted":1}}',
    ];
    test.each(bodies)('is refused in a body: %s', async (payload) => {
      for (const url of ['/api/login', '/api/register']) {
        const answer = await app.inject({ method: 'POST', url, headers: json, payload });
        expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_input']);
      }
    });

    test.each(['__proto__[polluted]=1', '__proto__.polluted=1', 'constructor[prototype][polluted]=1', '__proto__=1', 'toString=1'])(
      'changes nothing in a URL: %s',
      async (query) => {
        for (const path of ['/api/session', '/', '/api/nothing']) {
          expect([path, (await app.inject(`${path}?${query}`)).statusCode < 500]).toEqual([path, true]);
        }
      },
    );

    test.each(['__proto__=1', 'constructor=1; __proto__=2', `${'a=1; '.repeat(500)}`, ';;;=;=', '%=%'])(
      'is no session cookie: %s',
      async (cookie) => {
        const answer = await app.inject({ url: '/api/session', headers: { cookie } });
        expect([answer.statusCode, answer.json().user]).toEqual([200, null]);
      },
    );

    test('is not the name of any person or thing', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        expect([
          name,
          (await app.inject({ method: 'POST', url: '/api/login', headers: json, payload: site.login(name, 'x') })).json().code,
        ]).toEqual([name, 'wrong_credentials']);
      }
    });
  });

  describe('A body', () => {
    test.each([
      ['of many brackets', '['.repeat(30_000) + ']'.repeat(30_000)],
      ['of many objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
      ['of many members', JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`m${i}`, 1])))],
      ['of a number without end', `{"password":1${'0'.repeat(60_000)}}`],
      ['of another encoding', Buffer.from('{"a":1}', 'utf16le')],
    ])('%s is refused', async (_what, payload) => {
      const answer = await app.inject({ method: 'POST', url: '/api/login', headers: json, payload });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_input']);
    });

    test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/html', 'application/xml', ''])(
      'that a form could send is refused: %s',
      async (type) => {
        const headers = { [CSRF_HEADER]: '1', 'content-type': type };
        const answer = await app.inject({ method: 'POST', url: '/api/login', headers, payload: 'a=b' });
        expect([answer.statusCode, answer.json().code]).toEqual([415, 'unsupported_media_type']);
      },
    );

    test('whose length is wrong or above the limit is refused', async () => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/login',
        headers: { ...json, 'content-length': '70000' },
        payload: '{}',
      });
      expect(answer.statusCode).toBe(413);
    });
  });

  describe('A page of another origin', () => {
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

    test('gets no answer from the API or a live stream, and no CORS permission', async () => {
      const visitor = await new SiteVisitor(app).signUp(site.registration('watched'));
      for (const [url, code] of [
        ['/api/session', 'csrf_missing'],
        ['/api/live', 'csrf_missing'],
        ['/api/nothing', 'unknown_route'],
      ]) {
        for (const site_of of ['cross-site', 'same-site']) {
          const answer = await visitor.send('GET', url!, undefined, { ...foreign, 'sec-fetch-site': site_of });
          expect([url, answer.body.code]).toEqual([url, code]);
          expect(Object.keys(answer.raw.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        }
      }
      // The same request is answered if it comes from the site's own page.
      expect((await visitor.send('GET', '/api/session', undefined, { 'sec-fetch-site': 'same-origin' })).body['user']).toMatchObject({
        id: visitor.id,
      });
    });

    test('can neither log anyone in or out, nor register them', async () => {
      const visitor = await new SiteVisitor(app).signUp(site.registration('watched2'));
      const { cookie } = visitor;
      for (const [url, payload] of [
        ['/api/login', site.login('watched', 'correct horse')],
        ['/api/logout', undefined],
        ['/api/register', site.registration('forced')],
      ] as const) {
        for (const headers of [{ ...foreign, [CSRF_HEADER]: '1' }, {}, { [CSRF_HEADER]: '1', origin: 'null' }]) {
          const answer = await visitor.send('POST', url, payload, headers as Record<string, string>);
          expect([url, answer.body.code, answer.raw.headers['set-cookie']]).toEqual([url, 'csrf_missing', undefined]);
        }
      }
      visitor.cookie = cookie;
      expect((await visitor.get('/api/session')).body['user']).toMatchObject({ id: visitor.id });
    });
  });
}
