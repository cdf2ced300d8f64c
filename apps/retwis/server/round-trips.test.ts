// What each request of the timelines site costs between its app server and the shards, as a page sends it: round trips until the answer, and
// frames both ways. The server has met whom the paths name. A change that makes a request dearer has to change this table.
import type { Claret } from '@claret/client';
import { asked, FarSite, type Asked, type Costs } from '@claret/site/testing/round-trips.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { post as publish } from './actions/post.ts';
import { buildApp } from './app.ts';
import { Visitor } from './testing/visitor.ts';

const FOLLOWERS = 10;

let site: FarSite;
let author: Visitor;
let fan: Visitor;
let post = '';

const as = (visitor: Visitor, method: Asked['method'], url: string, payload?: object): Asked =>
  asked(visitor, method, url.replace('POST', post), payload);

const ASKED = {
  'post to 10 followers': () => as(author, 'POST', '/api/posts', { text: 'Good morning #lamp' }),
  repost: () => as(fan, 'POST', '/api/posts/POST/repost'),
  'undo the repost': () => as(fan, 'DELETE', '/api/posts/POST/repost'),
  unfollow: () => as(fan, 'DELETE', '/api/users/author/follow'),
  follow: () => as(fan, 'POST', '/api/users/author/follow'),
  'timeline page: timeline': () => as(fan, 'GET', '/api/timeline'),
  'timeline page: trending': () => as(fan, 'GET', '/api/trending'),
  'timeline page: people': () => as(fan, 'GET', '/api/people'),
  "a post's page": () => as(fan, 'GET', '/api/posts/POST'),
  "a person's page": () => as(fan, 'GET', '/api/users/author'),
};

const COSTS: Costs<keyof typeof ASKED> = {
  'post to 10 followers': { 1: [2, 4], 2: [2, 12] },
  repost: { 1: [2, 4], 2: [2, 14] },
  'undo the repost': { 1: [2, 4], 2: [2, 12] },
  unfollow: { 1: [2, 4], 2: [2, 10] },
  follow: { 1: [3, 6], 2: [3, 20] },
  'timeline page: timeline': { 1: [3, 6], 2: [3, 10] },
  'timeline page: trending': { 1: [3, 6], 2: [3, 6] },
  'timeline page: people': { 1: [3, 7], 2: [3, 10] },
  "a post's page": { 1: [2, 4], 2: [2, 4] },
  "a person's page": { 1: [2, 4], 2: [2, 4] },
};

describe.each([1, 2] as const)('over %i shards', (shards) => {
  beforeAll(async () => {
    let store: Claret | undefined;
    site = await FarSite.start(shards, (claret) => buildApp({ claret: (store = claret), password_cost: TEST_COST }));
    author = await new Visitor(site.app).register('author');
    for (let n = 1; n < FOLLOWERS; n++) await (await new Visitor(site.app).register(`follower${n}`)).follow('author');
    fan = await new Visitor(site.app).register('fan');
    await fan.follow('author');
    // Its id is drawn, and so it lies on the same shard every time.
    const first = { author: { id: author.id, username: 'author' }, text: 'The first.', posted_at_ms: store!.clock.nowMs() };
    post = (await publish(store!, first)).post_id;
  });
  afterAll(() => site.stop());

  test.each(Object.keys(ASKED) as (keyof typeof ASKED)[])('%s', async (what) => {
    const { status, round_trips, frames } = await site.cost(ASKED[what]());
    const [trips, framesMax] = COSTS[what][shards];
    expect([200, 201]).toContain(status);
    expect(round_trips).toBe(trips);
    expect(frames).toBeLessThanOrEqual(framesMax);
  });
});
