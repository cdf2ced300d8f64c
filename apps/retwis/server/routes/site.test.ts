// The site as its visitors use it, over two app servers on one cluster.

import { beginDataset, finishDataset } from '@claret/site/data/dataset.ts';
import type { App } from '@claret/site/http.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newUser } from '../actions/new-user.ts';
import { LIMITS, type PersonCard } from '../api.ts';
import { buildApp } from '../app.ts';
import { key } from '../model.ts';
import { PASSWORD, Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
let first: App;
let second: App;

beforeAll(async () => {
  world = await startWorld();
  first = await buildApp({ claret: world.claret, password_cost: TEST_COST, dashboard_url: 'http://127.0.0.1:1/' });
  second = await buildApp({ claret: world.other, password_cost: TEST_COST });
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await world.stop();
});

/** Posts of the same millisecond have no defined order. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 2));

async function writeAll(visitor: Visitor, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await visitor.write(text);
    await soon();
  }
}

describe('Two app servers', () => {
  test('show the same: a change at one is visible at the other', async () => {
    const ann = await new Visitor(first).register('ann');
    const ben = await new Visitor(second).register('ben');
    const before = await ben.write('before you came');
    await ann.follow('BEN');
    await soon();
    const post_id = await ben.write('hello from the other server');
    for (const app of [first, second]) {
      const { entries, texts } = await ann.at(app).entries();
      expect(texts).toEqual(['hello from the other server', 'before you came']);
      expect(entries[0]).toMatchObject({
        id: post_id,
        reposted_by: null,
        post: { id: post_id, author: { id: ben.id, username: 'ben' }, reposts: 0, reposted: false },
      });
    }
    await ann.at(second).repost(before);
    for (const app of [first, second]) {
      const page = await ann.at(app).get(`/api/posts/${before}`);
      expect(page.body['post']).toMatchObject({ reposts: 1, reposted: true, text: 'before you came' });
      expect((await new Visitor(app).get(`/api/posts/${before}`)).body['post']).toMatchObject({ reposts: 1, reposted: false });
      const profile = await ann.at(app).get('/api/users/ben');
      expect(profile.body).toMatchObject({
        user: { username: 'ben' },
        posts: 2,
        followers: 1,
        following: 0,
        viewer: { follows: true, followed_by: false },
      });
      expect((await ben.at(app).get('/api/users/ann')).body).toMatchObject({
        posts: 1,
        following: 1,
        viewer: { follows: false, followed_by: true },
      });
      expect((await ann.at(app).get('/api/users/ann')).body['viewer']).toBeNull();
      expect((await new Visitor(app).get('/api/users/ann')).body['viewer']).toBeNull();
      const { entries } = await new Visitor(app).entries('/api/users/ann/posts');
      expect(entries).toMatchObject([{ id: `${before}~${ann.id}`, reposted_by: { username: 'ann' }, post: { id: before, reposts: 1 } }]);
      const trending = await new Visitor(app).get('/api/trending');
      expect(trending.body['posts']).toMatchObject([{ id: before, reposts: 1 }]);
    }
  });

  test('share sessions: a login at one is valid at the other, a logout at one ends it at both', async () => {
    const visitor = await new Visitor(first).register('carla');
    await visitor.post('/api/logout');
    expect((await visitor.get('/api/session')).body).toMatchObject({ user: null, dashboard_url: 'http://127.0.0.1:1/' });
    const logged = await visitor.post('/api/login', { username: 'CARLA', password: PASSWORD });
    expect(logged.body).toMatchObject({ user: { id: visitor.id, username: 'carla' } });
    expect(logged.raw.headers['set-cookie']).toMatch(/^claret_timelines=.*HttpOnly.*SameSite=Strict/);
    const { cookie } = visitor;
    expect((await visitor.at(second).get('/api/session')).body).toMatchObject({ user: { username: 'carla' }, dashboard_url: null });
    await visitor.post('/api/logout');
    visitor.cookie = cookie;
    expect((await visitor.at(first).get('/api/timeline')).body.code).toBe('not_logged_in');
  });

  test('can be added: a new one knows sessions and posts', async () => {
    const passing = await buildApp({ claret: world.other, password_cost: TEST_COST });
    const dora = await new Visitor(passing).register('dora');
    await dora.write('still here?');
    await passing.close();
    const fresh = await buildApp({ claret: world.claret, password_cost: TEST_COST });
    expect((await dora.at(fresh).get('/api/session')).body['user']).toEqual({ id: dora.id, username: 'dora' });
    expect((await dora.entries()).texts).toEqual(['still here?']);
    await fresh.close();
  });
});

describe('Reposting and following', () => {
  test('can be undone', async () => {
    const star = await new Visitor(first).register('star');
    const fan = await new Visitor(second).register('fan');
    const friend = await new Visitor(first).register('friend');
    await friend.follow('fan');
    const post_id = await star.write('pass it on');
    const done = await fan.post(`/api/posts/${post_id}/repost`);
    expect([done.status, done.body]).toMatchObject([201, { post_id, reached: 1 }]);
    const { entries } = await friend.entries();
    expect(entries).toMatchObject([{ reposted_by: { id: fan.id, username: 'fan' }, post: { id: post_id, reposts: 1, reposted: false } }]);
    const reposters = await friend.get(`/api/posts/${post_id}/reposters`);
    expect(reposters.body).toMatchObject({ people: [{ username: 'fan', followers: 1, followed: true }], next_cursor: null });
    const undone = await fan.delete(`/api/posts/${post_id}/repost`);
    expect([undone.status, undone.body]).toMatchObject([200, { post_id, reached: 1 }]);
    expect((await friend.entries()).texts).toEqual([]);

    await fan.follow('star');
    expect((await fan.entries()).texts).toEqual(['pass it on']);
    const left = await fan.delete('/api/users/star/follow');
    expect([left.status, left.body]).toMatchObject([200, { user: { id: star.id, username: 'star' } }]);
    await star.write('not for you');
    expect((await fan.entries()).texts).toEqual(['pass it on']);
  });
});

describe('A cursor', () => {
  test('stays at its position while others post, at either server', async () => {
    const writer = await new Visitor(first).register('writer');
    const reader = await new Visitor(second).register('reader');
    await reader.follow('writer');
    const texts = Array.from({ length: 2 * LIMITS.page_size + 5 }, (_, i) => `post ${i}`);
    await writeAll(writer, texts);
    const seen: string[] = [];
    let url: string | null = '/api/timeline';
    for (let page = 0; url !== null; page++) {
      const shown = await reader.at(page % 2 === 0 ? first : second).entries(url);
      seen.push(...shown.texts);
      url = shown.next === null ? null : `/api/timeline?cursor=${encodeURIComponent(shown.next)}`;
      await writeAll(writer, [`meanwhile ${page}`]);
    }
    expect(seen).toEqual(texts.toReversed());
    expect((await reader.entries()).texts[0]).toBe('meanwhile 2');
  });

  test('goes through the newest posts of all people, and through all followers of a person', async () => {
    const idol = await new Visitor(first).register('idol');
    const names = Array.from({ length: LIMITS.people_page_size + 3 }, (_, i) => `crowd_${i}`);
    for (const name of names) await world.follows(await world.person(name), { id: idol.id, username: 'idol' });
    const people: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await idol.get(`/api/users/idol/followers${cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`}`);
      people.push(...(body['people'] as PersonCard[]).map(({ username }) => username));
      cursor = body['next_cursor'] as string | null;
    }
    expect(people.toSorted()).toEqual(names.toSorted());

    const news = Array.from({ length: LIMITS.page_size + 2 }, (_, i) => `news ${i}`);
    await writeAll(idol, news);
    const newest = await idol.entries('/api/latest');
    await idol.write('newer');
    const behind = await idol.entries(`/api/latest?cursor=${encodeURIComponent(newest.next ?? '')}`);
    expect([...newest.texts, ...behind.texts].slice(0, news.length)).toEqual(news.toReversed());
    await new Visitor(first).register('latecomer');
    const { body } = await new Visitor(second).get('/api/people');
    expect((body['people'] as PersonCard[])[0]).toMatchObject({ username: 'latecomer', followers: 0, followed: null });
  });
});

test('Demo accounts are listed once the data set is loaded', async () => {
  const visitor = new Visitor(first);
  expect((await visitor.get('/api/demo')).body['accounts']).toEqual([]);
  await beginDataset(world.claret, key.dataset, { name: 'small', seed: 1 });
  expect((await visitor.get('/api/demo')).body['accounts']).toEqual([]);
  await finishDataset(world.claret, key.dataset);
  expect((await visitor.get('/api/demo')).body['accounts']).toContainEqual({ username: 'demo1', password: 'claret-demo' });
});

describe('Logging in', () => {
  test('says the same for a wrong password, an unknown username, and a person without a password', async () => {
    await new Visitor(first).register('fritz');
    await newUser(world.claret, { username: 'seeded', credentials: null, joined_at_ms: Date.now() });
    const answers = await Promise.all(
      ['fritz', 'unknown_one', 'seeded', '}{', '__proto__', '\ud800'].map((username) =>
        new Visitor(first).post('/api/login', { username, password: 'wrong' }),
      ),
    );
    for (const answer of answers) expect(answer.raw.body).toBe(answers[0]?.raw.body);
    expect(answers[0]?.body.code).toBe('wrong_credentials');
  });

  test('is limited after ten failures, also with the right password', async () => {
    const visitor = await new Visitor(first).register('gerda');
    const tries = await Promise.all(Array.from({ length: 15 }, () => visitor.post('/api/login', { username: 'Gerda', password: 'wrong' })));
    expect(tries.filter((one) => one.body.code === 'wrong_credentials')).toHaveLength(10);
    const answer = await visitor.post('/api/login', { username: 'gerda', password: PASSWORD });
    expect(answer.body.code).toBe('too_many_attempts');
    expect(Number(answer.raw.headers['retry-after'])).toBeGreaterThan(0);
  });
});

test('An answer reports the cost of its transactions', async () => {
  const { raw } = await new Visitor(first).get('/api/trending');
  expect(JSON.parse(String(raw.headers['claret-cost']))).toContainEqual(
    expect.objectContaining({ label: 'Trending', count: 1, operations: 1 }),
  );
});

test('The site reports how the cluster’s conditions differ from the normal mode', async () => {
  await first.inject('/api/trending');
  const { body } = await new Visitor(first).get('/api/conditions');
  expect(body['unusual']).toBeNull();
});
