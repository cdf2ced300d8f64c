// Pages where shards promise results: answered from the server's memory without a message, the same as without promises, and never old.
import type { App } from '@claret/site/http.ts';
import { TEST_COST, type Answer } from '@claret/site/testing/visitor.ts';
import { answerFromMemory, setWarranties } from '@claret/site/testing/warranties.ts';
import type { Claret } from '@claret/client';
import { COST_HEADER, readCost } from '@claret/ui/site/cost.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import type { UserRef } from '../api.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
let site: Claret;
let app: App;
let stranger: Visitor;
let people: UserRef[];
let posts: string[];
let urls: string[];

beforeAll(async () => {
  world = await startWorld();
  site = await world.cluster.connect({ name: 'site' });
  app = await buildApp({ claret: site, password_cost: TEST_COST });
  stranger = new Visitor(app);
  people = await world.people('Person', 4);
  posts = [];
  for (let n = 0; n < 30; n++) posts.push(await world.writes(people[n % 2]!, `post ${n} with a #tag`));
  for (let n = 0; n < 6; n++) for (const user of people.slice(2, 3 + (n % 2))) await world.reposts(user, posts[n]!);
  for (const follower of people.slice(1)) await world.follows(follower, people[0]!);
  urls = [
    '/api/latest',
    '/api/trending',
    '/api/tags/tag/posts',
    '/api/people',
    `/api/posts/${posts[0]}`,
    `/api/posts/${posts[0]}/reposters`,
    ...['', '/posts', '/followers', '/following'].map((list) => `/api/users/pERSON0${list}`),
    '/api/users/person2/posts',
    '/api/posts/none',
    '/api/users/nobody',
  ];
  for (const list of ['/api/latest', '/api/users/person1/posts']) {
    const { next_cursor } = (await stranger.get(list)).body;
    if (typeof next_cursor === 'string') urls.push(`${list}?cursor=${encodeURIComponent(next_cursor)}`);
  }
});
afterAll(async () => {
  await app.close();
  await world.stop();
});

const told = ({ status, body }: Answer) => ({ status, body: { ...body, server_time_ms: null } });

test('A page is told the same, computed, from memory or read from the store, and says what needed no message', async () => {
  await setWarranties(world.cluster, 'off', site);
  const stored = await Promise.all(urls.map(async (url) => told(await stranger.get(url))));
  expect(stored.filter(({ status }) => status === 200)).toHaveLength(urls.length - 2);
  await setWarranties(world.cluster, 'auto', site);
  for (let n = 0; n < 3; n++) {
    for (const [i, url] of urls.entries()) expect(told(await stranger.get(url)), `${url}, ${n}`).toEqual(stored[i]);
  }
  for (const [i, url] of urls.entries()) {
    expect(told(await answerFromMemory(world.cluster, site, () => stranger.get(url))), url).toEqual(stored[i]);
  }
  expect(site.computations.stats.impure).toBe(0);
});

test('The cost of a page from memory names the same transactions and as many operations as that of one that is read', async () => {
  const costOf = async (url: string) => {
    const cost = readCost(String((await stranger.get(url)).raw.headers[COST_HEADER]));
    return cost.map(({ label, operations }) => `${label}: ${operations}`).toSorted();
  };
  await setWarranties(world.cluster, 'off', site);
  await Promise.all(urls.map(costOf)); // now the server has met everybody whom an address names
  const stored = await Promise.all(urls.map(costOf));
  await setWarranties(world.cluster, 'auto', site);
  // A promise that ends while a page is made leaves its reading out of the page's cost, so that page is asked for again.
  const isAsRead = async (i: number) => expect(await costOf(urls[i]!), urls[i]).toEqual(stored[i]);
  for (const i of urls.keys()) for (let n = 0; n < 4; n++) await vi.waitFor(() => isAsRead(i));
});

describe('With pages in memory', () => {
  beforeEach(() => setWarranties(world.cluster, 'auto', site));

  const hot = async (url: string): Promise<Answer> => {
    for (let n = 0; n < 3; n++) await stranger.get(url);
    return stranger.get(url);
  };
  const listed = async (url: string, post_id: string) => {
    const { posts: ranked, entries } = (await hot(url)).body as { posts?: Post[]; entries?: { post: Post }[] };
    return (ranked ?? entries!.map(({ post }) => post)).find(({ id }) => id === post_id);
  };
  type Post = { id: string; reposts: number };

  test('a post, a repost and an undone one are seen by the next request', async () => {
    const lists = ['/api/latest', '/api/tags/news/posts', '/api/users/person3/posts'];
    for (const url of lists) await hot(url);
    const post_id = await world.writes(people[3]!, 'the #news');
    for (const url of lists) expect(await listed(url, post_id), url).toMatchObject({ reposts: 0 });
    for (let n = 1; n <= 3; n++) {
      await world.reposts(people[n - 1]!, post_id);
      for (const url of [...lists, '/api/trending']) expect(await listed(url, post_id), url).toMatchObject({ reposts: n });
      expect((await hot(`/api/posts/${post_id}`)).body['post']).toMatchObject({ reposts: n, reposted: false });
    }
    await world.undoes(people[0]!, post_id);
    for (const url of [...lists, '/api/trending']) expect(await listed(url, post_id), url).toMatchObject({ reposts: 2 });
  });

  test('a follower and a new person are seen by the next request', async () => {
    const [star, fan] = [await world.person('star'), await world.person('fan')];
    expect((await hot('/api/users/star')).body).toMatchObject({ followers: 0, viewer: null });
    expect((await hot('/api/users/late')).status).toBe(404);
    await world.follows(fan, star);
    expect((await hot('/api/users/star')).body).toMatchObject({ followers: 1 });
    expect((await hot('/api/users/star/followers')).body['people']).toMatchObject([{ username: 'fan' }]);
    await world.unfollows(fan, star);
    expect((await hot('/api/users/star/followers')).body['people']).toEqual([]);
    const late = await world.person('late');
    expect((await hot('/api/users/late')).body['user']).toMatchObject({ id: late.id });
    expect(((await hot('/api/people')).body['people'] as { id: string }[])[0]).toMatchObject({ id: late.id });
  });

  test('somebody who is logged in sees what they have reposted and whom they follow, and others do not', async () => {
    const viewer = await new Visitor(app).register('viewer');
    const post_id = posts[7]!;
    expect((await viewer.post(`/api/posts/${post_id}/repost`)).status).toBe(201);
    expect((await viewer.post('/api/users/person0/follow')).status).toBe(201);
    for (let n = 0; n < 4; n++) {
      expect((await viewer.get(`/api/posts/${post_id}`)).body['post']).toMatchObject({ reposts: 1, reposted: true });
      expect((await stranger.get(`/api/posts/${post_id}`)).body['post']).toMatchObject({ reposts: 1, reposted: false });
      expect((await viewer.get('/api/users/person0')).body['viewer']).toEqual({ follows: true, followed_by: false });
      expect((await stranger.get('/api/users/person0')).body['viewer']).toBeNull();
    }
  });
});
