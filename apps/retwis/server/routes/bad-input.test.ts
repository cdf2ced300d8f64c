// Invalid input gets a stable code, the right status and a friendly sentence, and changes nothing.
import type { App } from '@claret/site/http.ts';
import { shownTo } from '@claret/site/testing/security/writes.ts';
import { problemIn as problemOf } from '@claret/site/testing/problem.ts';
import { TEST_COST, type Answer } from '@claret/site/testing/visitor.ts';
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ERROR_STATUS, LIMITS, type ErrorCode } from '../api.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

const PAGE = LIMITS.page_size + 1; // more posts of ann than a page holds

let world: World;
let app: App;
let ann: Visitor; // the author
let ben: Visitor; // follows ann and has reposted `post`
let stranger: Visitor;
let post = '';
let unseen = ''; // a post without reposts
let before: unknown;

beforeAll(async () => {
  world = await startWorld();
  app = await buildApp({ claret: world.claret, password_cost: TEST_COST });
  stranger = new Visitor(app);
  ann = await new Visitor(app).register('ann');
  ben = await new Visitor(app).register('ben');
  await ben.follow('ann');
  post = await ann.write('a post');
  for (let i = 1; i < PAGE; i++) unseen = await ann.write(`post ${i}`);
  await ben.repost(post);
  before = await everything();
});
afterAll(async () => {
  await app.close();
  await world.stop();
});

/** Everything that the site shows to ann, to ben and to a logged-out visitor. */
async function everything(): Promise<unknown> {
  const urls = ['/timeline', '/latest', '/trending', '/people', `/posts/${post}`, `/posts/${unseen}`, `/posts/${post}/reposters`];
  for (const name of ['ann', 'ben']) urls.push(...['', '/posts', '/followers', '/following'].map((part) => `/users/${name}${part}`));
  return shownTo([ann, ben, stranger], urls);
}

const problemIn = (answer: Answer): string => problemOf(ERROR_STATUS, answer);

describe('A post', () => {
  const texts: [what: string, text: unknown, code: ErrorCode][] = [
    ['without text', '', 'text_empty'],
    ['of spaces and lines', ' \r\n\t \u00a0', 'text_empty'],
    ['of joiners and direction marks', '\u200d\u200f\ufe0f', 'text_empty'],
    ['of 281 characters', 'x'.repeat(281), 'text_too_long'],
    ['of 281 emoji', '👍🏽'.repeat(281), 'text_too_long'],
    ['of few characters in many bytes', '👨‍👩‍👧‍👦'.repeat(164), 'text_too_long'],
    ['with a NUL', 'a\u0000b', 'text_has_control_characters'],
    ['with an escape sequence', '\u001b[2Jgone', 'text_has_control_characters'],
    ['with a C1 control character', 'a\u0090b', 'text_has_control_characters'],
    ['with an unpaired surrogate', 'a\ud800b', 'invalid_input'],
    ['of a number', 12, 'invalid_input'],
    ['of null', null, 'invalid_input'],
    ['of a list', ['x'], 'invalid_input'],
    ['that is missing', undefined, 'invalid_input'],
  ];
  test.each(texts)('%s is refused', async (_what, text, code) => {
    const answer = await ann.tryPost(text);
    expect(problemIn(answer)).toBe(code);
    expect(answer.body['field']).toBe('text');
  });

  test.each(['', 'short', 'x'.repeat(65), crypto.randomUUID()])('with the idempotency key %j is refused', async (key) => {
    const answer = await ann.tryPost('hello', key);
    expect([problemIn(answer), answer.body['field']]).toEqual(['invalid_input', 'idempotency-key']);
  });

  test('with an unknown field, such as a time or an author, is refused', async () => {
    for (const extra of [{ author: ben.id }, { posted_at_ms: 1 }, { reposts: 99 }, { id: 'mine' }]) {
      const answer = await ann.post('/api/posts', { text: 'hello', ...extra });
      expect([problemIn(answer), answer.body['field']]).toEqual(['invalid_input', Object.keys(extra)[0]]);
    }
  });

  test('too large for a request, or not JSON, is refused', async () => {
    expect(problemIn(await ann.tryPost('x'.repeat(70_000)))).toBe('body_too_large');
    const json = { [CSRF_HEADER]: '1', 'content-type': 'application/json' };
    expect(problemIn(await ann.send('POST', '/api/posts', '{"text":', json))).toBe('invalid_input');
    expect(problemIn(await ann.send('POST', '/api/posts', '[]', json))).toBe('invalid_input');
    expect(problemIn(await ann.send('POST', '/api/posts', '{"__proto__":{"x":1}}', json))).toBe('invalid_input');
    expect(problemIn(await ann.send('POST', '/api/posts', 'text=hello', { ...json, 'content-type': 'text/plain' }))).toBe(
      'unsupported_media_type',
    );
  });
});

describe('A repost', () => {
  test('of a post that one has reposted is refused, also when sent twice at once', async () => {
    const twice = await Promise.all([1, 2].map(() => ben.post(`/api/posts/${post}/repost`)));
    expect(twice.map(problemIn)).toEqual(['already_reposted', 'already_reposted']);
  });

  test('of a repost is refused and names the post', async () => {
    for (const visitor of [ann, ben]) {
      const answer = await visitor.post(`/api/posts/${post}~${ben.id}/repost`);
      expect(problemIn(answer)).toBe('repost_of_repost');
      expect(answer.body['post_id']).toBe(post);
    }
    expect(problemIn(await ann.post(`/api/posts/nothing~${ben.id}/repost`))).toBe('unknown_post');
  });

  test('of an unknown post is refused, and so is undoing a repost that does not exist', async () => {
    for (const id of ['nothing', '0', `${post}0`, '__proto__', '%7Bpost%7D', '%00', 'x'.repeat(129), '~', encodeURIComponent('né')]) {
      expect([id, problemIn(await ann.post(`/api/posts/${id}/repost`))]).toEqual([id, 'unknown_post']);
    }
    expect(problemIn(await ann.delete(`/api/posts/${post}/repost`))).toBe('not_reposted');
    expect(problemIn(await ben.delete(`/api/posts/${unseen}/repost`))).toBe('not_reposted');
    expect(problemIn(await ben.delete('/api/posts/nothing/repost'))).toBe('not_reposted');
    expect(problemIn(await ben.delete(`/api/posts/${post}~${ben.id}/repost`))).toBe('not_reposted');
  });
});

describe('Following', () => {
  test('oneself is refused, in any case of the name', async () => {
    expect(problemIn(await ann.post('/api/users/ann/follow'))).toBe('own_account');
    expect(problemIn(await ann.post('/api/users/ANN/follow'))).toBe('own_account');
  });

  test('twice is refused, also when sent twice at once', async () => {
    const twice = await Promise.all(['ann', 'Ann'].map((name) => ben.post(`/api/users/${name}/follow`)));
    expect(twice.map(problemIn)).toEqual(['already_following', 'already_following']);
  });

  test('ends only if it had begun', async () => {
    expect(problemIn(await ann.delete('/api/users/ben/follow'))).toBe('not_following');
    expect(problemIn(await ann.delete('/api/users/ann/follow'))).toBe('not_following');
  });

  test('an unknown person is refused', async () => {
    for (const name of [
      'nobody',
      'x',
      '1-1',
      '__proto__',
      '%7Bann%7D',
      'ann%00',
      '%20ann',
      'x'.repeat(129),
      encodeURIComponent('ännchen'),
    ]) {
      expect([name, problemIn(await ben.post(`/api/users/${name}/follow`))]).toEqual([name, 'unknown_user']);
      expect([name, problemIn(await ben.delete(`/api/users/${name}/follow`))]).toEqual([name, 'unknown_user']);
    }
  });
});

describe('A visitor', () => {
  const changes: ['POST' | 'DELETE', () => string, unknown?][] = [
    ['POST', () => '/api/posts', { text: 'hello' }],
    ['POST', () => `/api/posts/${unseen}/repost`],
    ['DELETE', () => `/api/posts/${post}/repost`],
    ['POST', () => '/api/users/ben/follow'],
    ['DELETE', () => '/api/users/ann/follow'],
  ];
  const forged = [
    null,
    'claret_timelines=',
    'claret_timelines=abc',
    `claret_timelines=${'A'.repeat(43)}`,
    'claret_timelines=%00%ff',
    'claret_timelines=__proto__',
    `other=${'x'.repeat(3_000)}`,
  ];
  test.each(forged)('is logged out with the cookie %s', async (cookie) => {
    const forger = new Visitor(app);
    for (const [method, url, payload] of changes) {
      forger.cookie = cookie;
      expect([url(), problemIn(await forger.send(method, url(), payload, { [CSRF_HEADER]: '1' }))]).toEqual([url(), 'not_logged_in']);
    }
    expect(problemIn(await forger.get('/api/timeline'))).toBe('not_logged_in');
    expect((await forger.get('/api/session')).body['user']).toBeNull();
  });

  test('is logged out with an altered cookie, or one of another site', async () => {
    const token = ben.cookie!.split('=')[1]!;
    const forger = new Visitor(app);
    const changed = `${token.slice(0, 10)}${token[10] === 'A' ? 'B' : 'A'}${token.slice(11)}`;
    for (const cookie of [`claret_timelines=${changed}`, `claret_auctions=${token}`, `claret_session=${token}`]) {
      forger.cookie = cookie;
      expect(problemIn(await forger.get('/api/timeline'))).toBe('not_logged_in');
    }
    forger.cookie = `claret_timelines=${token}`;
    expect((await forger.get('/api/session')).body['user']).toMatchObject({ username: 'ben' });
  });

  const origins: [what: string, headers: Record<string, string>][] = [
    ['without the header', {}],
    ['from another site, by Sec-Fetch-Site', { [CSRF_HEADER]: '1', 'sec-fetch-site': 'cross-site' }],
    ['from another port of the same host', { [CSRF_HEADER]: '1', 'sec-fetch-site': 'same-site' }],
    ['from another origin', { [CSRF_HEADER]: '1', origin: 'https://evil.example' }],
    ['from a page without an origin', { [CSRF_HEADER]: '1', origin: 'null' }],
  ];
  test.each(origins)('cannot change anything %s', async (_what, headers) => {
    for (const [method, url, payload] of changes) {
      expect([url(), problemIn(await ben.send(method, url(), payload, headers))]).toEqual([url(), 'csrf_missing']);
    }
    expect(problemIn(await ben.send('POST', '/api/logout', undefined, headers))).toBe('csrf_missing');
    expect(problemIn(await stranger.send('POST', '/api/register', { username: 'newcomer', password: 'long enough' }, headers))).toBe(
      'csrf_missing',
    );
  });
});

describe('Signing up', () => {
  const forms: [what: string, fields: Record<string, unknown>, code: ErrorCode, field: string][] = [
    ['a short username', { username: 'ab' }, 'invalid_input', 'username'],
    ['a long username', { username: 'x'.repeat(21) }, 'invalid_input', 'username'],
    ['a username with forbidden characters', { username: 'a:b}c' }, 'invalid_input', 'username'],
    ['a username in a look-alike alphabet', { username: 'аnnа' }, 'invalid_input', 'username'],
    ['the username __proto__', { username: '__proto__' }, 'invalid_input', 'username'],
    ['a username that is taken, in another case', { username: 'ANN' }, 'username_taken', 'username'],
    ['a short password', { password: '1234567' }, 'invalid_input', 'password'],
    ['a long password', { password: 'x'.repeat(129) }, 'invalid_input', 'password'],
    ['a password of a number', { password: 12345678 }, 'invalid_input', 'password'],
    ['a field that does not exist', { admin: true }, 'invalid_input', 'admin'],
  ];
  test.each(forms)('with %s is refused', async (_what, fields, code, field) => {
    const visitor = new Visitor(app);
    const answer = await visitor.post('/api/register', { username: 'newcomer', password: 'long enough', ...fields });
    expect([problemIn(answer), answer.body['field']]).toEqual([code, field]);
    expect(visitor.cookie).toBeNull();
  });
});

describe('An invalid cursor', () => {
  const urls = ['/latest', '/timeline', '/users/ann/posts', '/users/ann/followers', '/users/ann/following', '/posts/POST/reposters'];
  test.each(urls)('is refused by %s', async (url) => {
    const page = (cursor: string) => `/api${url.replace('POST', post)}?cursor=${encodeURIComponent(cursor)}`;
    for (const cursor of ['', '0', '~', 'xyz', '__proto__', '\u0000', 'é', post, `mh6f2k1x.${post}`, 'x'.repeat(201)]) {
      expect([cursor, problemIn(await ben.get(page(cursor)))]).toEqual([cursor, 'invalid_cursor']);
    }
    expect(problemIn(await ben.get(`${page('a')}&cursor=b`))).toBe('invalid_cursor');
  });

  test('may also belong to another list or another person, or be truncated', async () => {
    const { next } = await ben.entries('/api/users/ann/posts');
    const at = (url: string, cursor: string) => `${url}?cursor=${encodeURIComponent(cursor)}`;
    expect((await ben.entries(at('/api/users/ANN/posts', next!))).entries).toHaveLength(1);
    for (const url of ['/api/users/ben/posts', '/api/timeline', '/api/latest', '/api/users/ann/followers']) {
      expect([url, problemIn(await ben.get(at(url, next!)))]).toEqual([url, 'invalid_cursor']);
    }
    expect(problemIn(await ben.get(at('/api/users/ann/posts', next!.slice(0, -1))))).toBe('invalid_cursor');
    const own = await ben.entries();
    expect(problemIn(await ann.get(at('/api/timeline', own.next!)))).toBe('invalid_cursor');
  });
});

describe('Addresses', () => {
  const urls: [url: string, code: ErrorCode][] = [
    ['/api/posts/unknown', 'unknown_post'],
    ['/api/posts/unknown/reposters', 'unknown_post'],
    [`/api/posts/${'x'.repeat(129)}`, 'unknown_post'],
    ['/api/users/unknown', 'unknown_user'],
    ['/api/users/unknown/posts', 'unknown_user'],
    ['/api/users/unknown/followers', 'unknown_user'],
    ['/api/users/unknown/following', 'unknown_user'],
    [`/api/users/${'x'.repeat(129)}`, 'unknown_user'],
    ['/api/latest?limit=1000000', 'invalid_input'],
    ['/api/live?posts=a%7Db', 'invalid_input'],
    [`/api/live?posts=${Array.from({ length: LIMITS.live_posts_max + 1 }, (_, i) => `x${i}`).join(',')}`, 'invalid_input'],
    [`/api/live?users=${Array.from({ length: LIMITS.live_users_max + 1 }, (_, i) => `x${i}`).join(',')}`, 'invalid_input'],
    ['/api/live?timeline=yes', 'invalid_input'],
    ['/api/nothing', 'unknown_route'],
    ['/api/posts', 'unknown_route'],
    [`/api/users/${'x'.repeat(300)}`, 'unknown_route'],
    ['/api/users/%ff', 'invalid_input'],
  ];
  test.each(urls)('%s is answered with %s', async (url, code) => {
    expect(problemIn(await stranger.get(url))).toBe(code);
  });
});

test('None of all these refused requests has changed anything', async () => {
  expect(await everything()).toEqual(before);
});
