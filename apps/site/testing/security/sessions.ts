// Identity: sessions cannot be planted, kept or guessed, and no answer reveals which accounts exist.
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newToken } from '../../auth/token.ts';
import type { App } from '../../http.ts';
import { problemIn } from '../problem.ts';
import { SiteVisitor, type Answer } from '../visitor.ts';
import { PASSWORD, type SecuredSite } from './site.ts';

const LIMIT = 7;

export function sessionsAreSafe(site: SecuredSite): void {
  let app: App;
  let behindProxy: App;
  let visitor: SiteVisitor;

  beforeAll(async () => {
    app = await site.build();
    behindProxy = await site.build({ proxies: ['127.0.0.1', '10.1.0.0/16'], registrations_per_hour: LIMIT });
    visitor = await new SiteVisitor(app).signUp(site.registration('visitor'));
    await site.withoutPassword('seeded');
  });
  afterAll(() => Promise.all([app.close(), behindProxy.close()]));

  const logIn = (who: SiteVisitor, name: string, password = PASSWORD) => who.post('/api/login', site.login(name, password));
  const userOf = async (cookie: string | null) => {
    const who = new SiteVisitor(app);
    who.cookie = cookie;
    return (await who.get('/api/session')).body['user'];
  };

  describe('A session', () => {
    test('is never one that was planted', async () => {
      const victim = new SiteVisitor(app);
      const planted = `${site.cookie}=${newToken()}`;
      victim.cookie = planted;
      expect((await logIn(victim, 'visitor')).status).toBe(200);
      expect(victim.cookie).not.toBe(planted);
      expect(await userOf(planted)).toBeNull();
      expect(await userOf(victim.cookie)).toMatchObject({ id: visitor.id });
    });

    test('ends when its browser logs in again, as the same person or another, or registers', async () => {
      const browser = await new SiteVisitor(app).signUp(site.registration('first_one'));
      const cookies = [browser.cookie];
      await logIn(browser, 'first_one');
      cookies.push(browser.cookie);
      await logIn(browser, 'visitor');
      cookies.push(browser.cookie);
      await browser.signUp(site.registration('second_one'));
      expect(new Set(cookies).size).toBe(3);
      expect(await Promise.all(cookies.map(userOf))).toEqual([null, null, null]);
      expect(await userOf(browser.cookie)).toMatchObject({ id: browser.id });
      expect(await userOf(visitor.cookie)).toMatchObject({ id: visitor.id });
    });

    test('continues after a failed login', async () => {
      const browser = await new SiteVisitor(app).signUp(site.registration('stays_in'));
      expect(problemIn(site.statuses, await logIn(browser, 'visitor', 'wrong'))).toBe('wrong_credentials');
      expect(await userOf(browser.cookie)).toMatchObject({ id: browser.id });
    });

    test('ends on logout, in every browser that has its cookie, and no other session of that person ends', async () => {
      const [one, other] = [new SiteVisitor(app), new SiteVisitor(app)];
      await Promise.all([logIn(one, 'visitor'), logIn(other, 'visitor')]);
      const { cookie } = one;
      const left = await one.post('/api/logout');
      expect(left.raw.headers['set-cookie']).toMatch(new RegExp(`^${site.cookie}=; .*(Expires=Thu, 01 Jan 1970|Max-Age=0)`));
      expect([await userOf(cookie), await userOf(other.cookie)]).toMatchObject([null, { id: visitor.id }]);
    });
  });

  describe('The cookie', () => {
    const attributesOf = (answer: Answer) => String(answer.raw.headers['set-cookie']).split('; ').toSorted();

    test('is out of reach of scripts and of other sites', async () => {
      const [expected, token] = [['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict'], new RegExp(`^${site.cookie}=[\\w-]{43}$`)];
      expect(attributesOf(await logIn(new SiteVisitor(app), 'visitor'))).toEqual([...expected, expect.stringMatching(token)]);
    });

    test('is sent over TLS only and accepted from this host only, if a trusted proxy says that the visitor came by TLS', async () => {
      const headers = {
        [CSRF_HEADER]: '1',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'site.example',
        origin: 'https://site.example',
      };
      const payload = site.login('visitor', PASSWORD);
      const answer = await behindProxy.inject({ method: 'POST', url: '/api/login', headers, payload });
      const [cookie, ...attributes] = String(answer.headers['set-cookie']).split('; ');
      expect(cookie).toMatch(new RegExp(`^__Host-${site.cookie}=[\\w-]{43}$`));
      expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict', 'Secure']);
      expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
      const asks = async (sent: string) =>
        (await behindProxy.inject({ url: '/api/session', headers: { ...headers, cookie: sent } })).json();
      expect(await asks(cookie!)).toMatchObject({ user: { id: visitor.id } });
      // planted over a plain connection
      expect(await asks(visitor.cookie!)).toMatchObject({ user: null });
    });

    test('is unchanged if an untrusted sender claims TLS', async () => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/login',
        headers: { [CSRF_HEADER]: '1', 'x-forwarded-proto': 'https' },
        payload: site.login('visitor', PASSWORD),
      });
      expect(answer.headers['set-cookie']).toMatch(new RegExp(`^${site.cookie}=`));
      expect(answer.headers['strict-transport-security']).toBeUndefined();
    });
  });

  describe('The existence of an account', () => {
    const guess = (name: string) => logIn(new SiteVisitor(app), name, 'not the password');
    /** The parts of an answer that a visitor sees, except how long it took. */
    const toldBy = (answer: Answer) => {
      const { date: _, 'claret-cost': cost, ...headers } = answer.raw.headers;
      const costs = JSON.parse(String(cost ?? '[]')) as { label: string; count: number; operations: number }[];
      return {
        status: answer.status,
        body: answer.raw.body,
        headers,
        costs: costs.map(({ label, count, operations }) => [label, count, operations]),
      };
    };

    test('is not revealed by logging in: neither by the answer, nor its headers, nor its cost', async () => {
      await new SiteVisitor(app).signUp(site.registration('has_one'));
      const [expected, ...others] = (await Promise.all(['has_one', 'has_none', 'seeded', 'has_none2'].map(guess))).map(toldBy);
      expect(expected).toMatchObject({ status: 401, costs: [['FindAccount', 1, 3]] });
      for (const other of others) expect(other).toEqual(expected);
    });

    test('is not revealed by the limit either, which is the same for all names', async () => {
      await new SiteVisitor(app).signUp(site.registration('limited'));
      const outcomes = await Promise.all(
        ['limited', 'limited_not'].map(async (name) => {
          const answers = [];
          for (let i = 0; i < 12; i++) answers.push((await guess(name)).body.code);
          return answers;
        }),
      );
      expect(outcomes[0]).toEqual([...Array<string>(10).fill('wrong_credentials'), ...Array<string>(2).fill('too_many_attempts')]);
      expect(outcomes[1]).toEqual(outcomes[0]);
    });
  });

  describe('Registering', () => {
    const register = (server: App, name: string, remoteAddress: string, headers: Record<string, string> = {}) =>
      server.inject({
        method: 'POST',
        url: '/api/register',
        headers: { [CSRF_HEADER]: '1', ...headers },
        payload: site.registration(name),
        remoteAddress,
      });
    const limited = () => site.build({ registrations_per_hour: LIMIT });

    test('is limited by address, whether names are free or taken, whatever address a visitor claims', async () => {
      const server = await limited();
      const codes = [];
      for (let i = 0; i < LIMIT; i++)
        codes.push(
          (await register(server, i % 2 === 0 ? `flood_${i}` : 'visitor', '192.0.2.1', { 'x-forwarded-for': `198.51.100.${i}` }))
            .statusCode,
        );
      const answer = await register(server, 'flood_last', '192.0.2.1', { 'x-forwarded-for': '198.51.100.99' });
      expect(codes).toEqual([201, 409, 201, 409, 201, 409, 201]);
      expect([answer.statusCode, answer.json().code, Number(answer.headers['retry-after']) > 0]).toEqual([429, 'too_many_attempts', true]);
      expect((await register(server, 'flood_other', '192.0.2.2')).statusCode).toBe(201);
      await server.close();
    });

    test('is limited by the address that a trusted proxy names, not by the proxy’s own, nor by any address before it', async () => {
      const from = (forwarded: string, name: string) => register(behindProxy, name, '10.1.2.3', { 'x-forwarded-for': forwarded });
      for (let i = 0; i < LIMIT; i++) expect((await from(`203.0.113.${i}, 192.0.2.7`, `proxied_${i}`)).statusCode).toBe(201);
      expect((await from('203.0.113.99, 192.0.2.7', 'proxied_x')).statusCode).toBe(429);
      expect((await from('192.0.2.8', 'proxied_y')).statusCode).toBe(201);
    });

    test('has a default limit', async () => {
      const server = await site.build();
      const answers = [];
      // a name that is taken needs no space in the store
      for (let i = 0; i < 101; i++) answers.push((await register(server, 'visitor', '192.0.2.3')).statusCode);
      expect(answers.slice(-2)).toEqual([409, 429]);
      await server.close();
    });
  });
}
