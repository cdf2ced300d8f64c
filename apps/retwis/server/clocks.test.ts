// Two app servers whose clocks are 30 s apart: the time of a post is the cluster's.
import type { App } from '@claret/site/http.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { wrongClock } from '@claret/site/testing/wrong-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { buildApp } from './app.ts';
import { Visitor } from './testing/visitor.ts';
import { startWorld, type World } from './testing/world.ts';

let world: World;
let apps: App[];
beforeAll(async () => {
  world = await startWorld();
  const clients = await Promise.all([-15_000, 15_000].map((ahead_ms) => world.cluster.connect({ environment: wrongClock(ahead_ms) })));
  apps = await Promise.all(clients.map((claret) => buildApp({ claret, password_cost: TEST_COST })));
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await world.stop();
});

// The process has one Date for both servers, so it shows a third time: none of them may use it.
const realNow = Date.now;
const wall = () => performance.timeOrigin + performance.now();
beforeEach(() => void vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 90_000));
afterEach(() => void vi.restoreAllMocks());

type Entry = { at_ms: number; post: { text: string; posted_at_ms: number } };

test('posts and reposts have the time at which they were made, and stand in that order, whichever servers took them', async () => {
  const author = await new Visitor(apps[0]!).register('clock_author');
  const fan = await new Visitor(apps[0]!).register('clock_fan');
  const texts = ['first', 'second', 'third', 'fourth'];
  const ids: string[] = [];
  for (const [i, text] of texts.entries()) {
    const before_ms = wall();
    const { body } = await author.at(apps[(i + 1) % 2]!).post('/api/posts', { text });
    const entry = body['entry'] as Entry & { id: string };
    for (const at_ms of [entry.at_ms, entry.post.posted_at_ms, body['server_time_ms'] as number]) {
      expect(at_ms).toBeGreaterThan(before_ms - 1_000);
      expect(at_ms).toBeLessThanOrEqual(wall());
    }
    ids.push(entry.id);
    await vi.waitFor(() => expect(wall()).toBeGreaterThan(before_ms + 2)); // another millisecond
  }
  for (const app of apps) {
    const { body } = await fan.at(app).get('/api/users/clock_author/posts');
    expect((body['entries'] as Entry[]).map(({ post }) => post.text)).toEqual(texts.toReversed());
    expect(Math.abs((body['server_time_ms'] as number) - wall())).toBeLessThan(5_000);
  }
  for (const [i, app] of apps.entries()) expect((await fan.at(app).post(`/api/posts/${ids[i]}/repost`)).status).toBe(201);
  const { body } = await fan.get('/api/users/clock_fan/posts');
  for (const { at_ms } of body['entries'] as Entry[]) expect(Math.abs(at_ms - wall())).toBeLessThan(5_000);
});
