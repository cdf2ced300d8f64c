// Public resources of the timelines, with a real cluster: what caches are told, and that it is true.
import { systemEnvironment } from '@claret/client';
import type { App } from '@claret/site/http.ts';
import { setWarranties } from '@claret/site/testing/warranties.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { PublicPerson, PublicTrending, UserRef } from './api.ts';
import { buildApp } from './app.ts';
import { startWorld, type World } from './testing/world.ts';

let world: World;
let app: App;
let people: UserRef[];

beforeEach(async () => {
  // Caches have clocks of their own, which go on while this process stands still.
  world = await startWorld({ environment: systemEnvironment, shardOptions: { warrantyFirmMsMax: 3_000 } });
  await setWarranties(world.cluster, 'auto', world.claret);
  people = await world.people('Person', 3);
  app = await buildApp({ claret: await world.cluster.connect({ name: 'site' }) });
});
afterEach(async () => {
  await app.close();
  await world.stop();
});

const KEPT = 'public, max-age=1, must-revalidate';
const get = (path: string) => app.inject(`/public${path}`);
/** What caches may keep, and when it was asked for. */
const getKept = (path: string) =>
  vi.waitFor(async () => {
    const fromMs = performance.now();
    const answer = await get(path);
    expect(answer.headers['cache-control']).toBe(KEPT);
    return { body: answer.body, fromMs };
  });
/** How long after it was asked for the change is acknowledged. */
const changedAfterMs = async ({ fromMs }: { fromMs: number }, change: () => Promise<unknown>): Promise<number> => {
  await change();
  return performance.now() - fromMs;
};

test('a post is told without a viewer, until it is reposted', async () => {
  const post_id = await world.writes(people[0]!, 'news');
  const path = `/posts/${post_id}`;
  expect((await get(path)).json()).toMatchObject({ post: { id: post_id, text: 'news', reposts: 0 } });
  const kept = await getKept(path);
  expect(kept.body).not.toMatch(/server_time|viewer|reposted"/);
  expect(await changedAfterMs(kept, () => world.reposts(people[1]!, post_id))).toBeGreaterThan(1_000);
  expect((await get(path)).json()).toMatchObject({ post: { reposts: 1 } });
});

test('trending posts are told hottest first, and caches may keep as many as the site shows', async () => {
  const posts = [];
  for (let n = 0; n < 25; n++) posts.push(await world.writes(people[0]!, `post ${n}`));
  for (const post_id of posts) await world.reposts(people[1]!, post_id);
  for (const post_id of posts.slice(5, 8)) await world.reposts(people[2]!, post_id);
  const shown = (await app.inject('/api/trending')).json<PublicTrending>().posts.map(({ id }) => id);
  expect(shown.slice(0, 3).toSorted()).toEqual(posts.slice(5, 8).toSorted());
  const told = (await get('/trending')).json<PublicTrending>();
  expect(Object.keys(told)).toEqual(['posts']);
  expect(told.posts.map(({ id }) => id)).toEqual(shown);
  // The ranking has just changed: it has to last for a while before it is believed to.
  const kept = await getKept('/trending');
  expect(kept.body).not.toMatch(/reposted"/);
  expect(await changedAfterMs(kept, () => world.reposts(people[2]!, shown.at(-1)!))).toBeGreaterThan(1_000);
  expect((await get('/trending')).json<PublicTrending>().posts.find(({ id }) => id === shown.at(-1))).toMatchObject({ reposts: 2 });
});

test('a person is found by their username in any case, until somebody follows them', async () => {
  const expected: PublicPerson = {
    user: { id: people[0]!.id, username: 'Person0', joined_at_ms: expect.any(Number) },
    posts: 0,
    followers: 0,
    following: 0,
  };
  expect((await get('/people/pERSON0')).json()).toEqual(expected);
  const kept = await getKept('/people/person0');
  expect(await changedAfterMs(kept, () => world.follows(people[1]!, people[0]!))).toBeGreaterThan(1_000);
  expect((await get('/people/person0')).json()).toEqual({ ...expected, followers: 1 });
});

test.each(['/posts/none', '/people/nobody', '/people/no%20name'])('%s is a problem that no cache keeps', async (path) => {
  const answer = await get(path);
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-store']);
});
