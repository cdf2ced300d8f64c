// Live streams over real connections, from two app servers on one cluster.
import { inProcessCluster } from '@claret/client/testing';
import type { App } from '@claret/site/http.ts';
import { EventReader } from '@claret/site/testing/event-reader.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { repostEntry } from '../model.ts';
import type { LiveEntries, LiveEvents } from '../api.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
let first: App;
let second: App;
const readers: EventReader<LiveEvents>[] = [];

const listening = async (claret: World['claret']): Promise<App> => {
  const app = await buildApp({ claret, password_cost: TEST_COST });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
};

beforeAll(async () => {
  world = await startWorld();
  [first, second] = [await listening(world.claret), await listening(world.other)];
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await world.stop();
});

function read(app: App, query: string, visitor?: Visitor, last_event_id?: string): EventReader<LiveEvents> {
  const reader = new EventReader<LiveEvents>(app, `/api/live${query}`, {
    ...(visitor?.cookie ? { cookie: visitor.cookie } : {}),
    ...(last_event_id === undefined ? {} : { 'last-event-id': last_event_id }),
  });
  readers.push(reader);
  return reader;
}

const ids = (event: LiveEntries | undefined) => event?.entries.map(({ id }) => id);
/** Posts of the same millisecond have no defined order. */
const soon = (ms = 2) => new Promise((resolve) => setTimeout(resolve, ms));

describe('A live stream', () => {
  test('carries a post made at another app server: to followers, to the latest posts, and to its author', async () => {
    const [ann, ben] = [await new Visitor(first).register('ann_a'), await new Visitor(second).register('ben_a')];
    await ann.follow('ben_a');
    const [ofAnn, ofBen, ofNobody] = [read(first, '?timeline=1', ann), read(second, '?timeline=1', ben), read(first, '?latest=1')];
    await vi.waitFor(() => expect(ofAnn.last('timeline')?.entries).toEqual([]));
    expect(ofAnn.events[0]).toMatchObject({ event: 'hello', data: { user: { id: ann.id, username: 'ann_a' } } });
    const one = await ben.write('one');
    await vi.waitFor(() => expect(ids(ofAnn.last('timeline'))).toEqual([one]));
    await soon();
    const two = await ben.write('two');
    await vi.waitFor(() => {
      expect(ids(ofAnn.last('timeline'))).toEqual([two, one]);
      expect(ids(ofBen.last('timeline'))).toEqual([two, one]);
      expect(ids(ofNobody.last('latest'))?.slice(0, 2)).toEqual([two, one]);
    });
    const { entries } = await ann.entries();
    expect(ofAnn.last('timeline')?.entries).toEqual(entries.map(({ id, at_ms }) => ({ id, at_ms })));
    expect(ofNobody.of('timeline')).toEqual([]);
  });

  test('carries the number of a post’s reposts, and adds reposts to timelines; undone, they are removed', async () => {
    const [cat, dan, fan] = await Promise.all(['cat_b', 'dan_b', 'fan_b'].map((name) => new Visitor(first).register(name)));
    await fan!.follow('dan_b');
    const post_id = await cat!.write('pass it on');
    const [counts, ofFan] = [read(second, `?posts=${post_id}`), read(second, '?timeline=1', fan)];
    await vi.waitFor(() => expect(counts.last('post')).toMatchObject({ post_id, reposts: 0 }));
    await dan!.repost(post_id);
    await vi.waitFor(() => expect(counts.last('post')).toMatchObject({ reposts: 1 }));
    await vi.waitFor(() => expect(ids(ofFan.last('timeline'))).toEqual([repostEntry(post_id, dan!.id)]));
    expect((await dan!.delete(`/api/posts/${post_id}/repost`)).status).toBe(200);
    await vi.waitFor(() => expect(counts.last('post')).toMatchObject({ reposts: 0 }));
    await vi.waitFor(() => expect(ofFan.last('timeline')?.entries).toEqual([]));
  });

  test('carries the numbers of a person’s followers and followed people', async () => {
    const [eve, gus] = [await new Visitor(first).register('eve_c'), await new Visitor(first).register('gus_c')];
    const reader = read(second, `?users=${eve.id},${gus.id}`);
    const last = (id: string) =>
      reader
        .of('user')
        .filter(({ user_id }) => user_id === id)
        .at(-1);
    await vi.waitFor(() => expect(reader.of('user')).toHaveLength(2));
    await eve.follow('gus_c');
    await vi.waitFor(() => {
      expect(last(eve.id)).toMatchObject({ followers: 0, following: 1 });
      expect(last(gus.id)).toMatchObject({ followers: 1, following: 0 });
    });
    expect((await eve.delete('/api/users/gus_c/follow')).status).toBe(200);
    await vi.waitFor(() => {
      expect(last(eve.id)).toMatchObject({ following: 0 });
      expect(last(gus.id)).toMatchObject({ followers: 0 });
    });
  });

  test('carries the trending posts in the order of the list that a page reads', async () => {
    const author = await world.person('author_d');
    const people = await world.people('reader_d', 5);
    const [low, high] = [await world.writes(author, 'low'), await world.writes(author, 'high')];
    const reader = read(first, '?trending=1');
    await vi.waitFor(() => expect(reader.of('trending')).toHaveLength(1));
    for (const person of people) await world.reposts(person, high);
    for (const person of people.slice(0, 4)) await world.reposts(person, low);
    await vi.waitFor(() => expect(reader.last('trending')?.post_ids.slice(0, 2)).toEqual([high, low]));
    for (const person of people.slice(0, 3)) await world.undoes(person, high);
    await vi.waitFor(() => expect(reader.last('trending')?.post_ids.slice(0, 2)).toEqual([low, high]));
    const list = await new Visitor(second).get('/api/trending');
    expect(reader.last('trending')?.post_ids).toEqual((list.body['posts'] as { id: string }[]).map(({ id }) => id));
  });

  test('has no timeline when logged out, and ignores unknown posts and people', async () => {
    const ida = await world.person('ida_e');
    const post_id = await world.writes(ida, 'here');
    const reader = read(first, `?timeline=1&posts=nothing,${post_id},__proto__&users=nobody,${ida.id}`, undefined);
    await vi.waitFor(() => expect([reader.of('post').length, reader.of('user').length]).toEqual([1, 1]));
    await soon(150);
    expect(reader.events.map(({ event }) => event).toSorted()).toEqual(['connection', 'hello', 'post', 'user']);
    expect(reader.events[0]).toMatchObject({ event: 'hello', data: { user: null } });
  });

  test('is refused for malformed ids, and for too many', async () => {
    const visitor = new Visitor(first);
    const many = Array.from({ length: 241 }, (_, i) => `p${i}`).join();
    for (const query of [
      'posts=%7Bpost%7D',
      'posts=a%20b',
      'users=a%00',
      `posts=${many}`,
      'latest=2',
      'users=a~b',
      `users=${'x'.repeat(65)}`,
      'other=1',
    ]) {
      const { status, body } = await visitor.get(`/api/live?${query}`);
      expect([query, status, body.code]).toEqual([query, 400, 'invalid_input']);
    }
  });

  test('sends every state again after a reconnect, at another app server', async () => {
    const [kim, lou] = [await new Visitor(first).register('kim_f'), await new Visitor(first).register('lou_f')];
    await kim.follow('lou_f');
    const post_id = await lou.write('one');
    const query = `?timeline=1&posts=${post_id}&users=${lou.id}`;
    const before = read(first, query, kim);
    await vi.waitFor(() => expect(ids(before.last('timeline'))).toEqual([post_id]));
    before.close();
    await soon();
    const missed = await lou.write('two');
    await kim.repost(post_id);
    const after = read(second, query, kim, before.lastEventId);
    await vi.waitFor(() => {
      expect(ids(after.last('timeline'))).toEqual([repostEntry(post_id, kim.id), missed, post_id]);
      expect(after.last('post')).toMatchObject({ reposts: 1 });
      expect(after.last('user')).toMatchObject({ followers: 1 });
    });
    expect(Number(after.lastEventId)).toBeGreaterThan(Number(before.lastEventId));
  });

  test('ends when its person logs out elsewhere, and no other stream does', async () => {
    const mia = await new Visitor(first).register('mia_g');
    const again = new Visitor(second);
    expect((await again.post('/api/login', { username: 'mia_g', password: 'correct horse' })).status).toBe(200);
    const [ended, open] = [read(second, '?timeline=1', mia), read(second, '?timeline=1', again)];
    await vi.waitFor(() => expect([ended.of('timeline').length, open.of('timeline').length]).toEqual([1, 1]));
    expect((await mia.post('/api/logout')).status).toBeLessThan(300);
    await ended.end;
    const post_id = await again.write('still here');
    await vi.waitFor(() => expect(ids(open.last('timeline'))).toEqual([post_id]));
  });

  test('of a viral post skips counts, and ends with the newest', async () => {
    const author = await world.person('author_h');
    const post_id = await world.writes(author, 'viral');
    const people = await world.people('crowd_h', 400);
    const viewers = Array.from({ length: 20 }, (_, i) => read(i % 2 ? first : second, `?posts=${post_id}`));
    await vi.waitFor(() => expect(viewers.every((viewer) => viewer.of('post').length === 1)).toBe(true));
    const began = performance.now();
    await Promise.all(people.map(async (person, i) => (await soon(2 * i), world.reposts(person, post_id))));
    await vi.waitFor(() => expect(viewers.every((viewer) => viewer.last('post')?.reposts === 400)).toBe(true));
    const pushes_max = 3 + (performance.now() - began) / 100;
    for (const viewer of viewers) expect(viewer.of('post').length).toBeLessThan(pushes_max);
  });

  test('reports when a shard is lost and when it is back, and goes on', async () => {
    const cluster = await inProcessCluster({ shards: 2 });
    const app = await listening(await cluster.connect());
    try {
      const reader = read(app, '?latest=1');
      await vi.waitFor(() => expect(reader.last('connection')).toMatchObject({ connected: true }));
      await vi.waitFor(() => expect(reader.last('latest')?.entries).toEqual([]));
      for (const shard of [0, 1]) cluster.hosts[shard]?.stop();
      await vi.waitFor(() => expect(reader.last('connection')).toMatchObject({ connected: false }));
      const late = read(app, '?latest=1&posts=some,others&users=somebody');
      await vi.waitFor(() => expect(late.last('connection')).toMatchObject({ connected: false }));
      for (const shard of [0, 1]) cluster.restart(shard);
      await vi.waitFor(() => expect(reader.last('connection')).toMatchObject({ connected: true }));
      const nina = await new Visitor(app).register('nina');
      const post_id = await nina.write('again');
      await vi.waitFor(() => expect([ids(reader.last('latest')), ids(late.last('latest'))]).toEqual([[post_id], [post_id]]));
      expect(late.last('connection')).toMatchObject({ connected: true });
    } finally {
      await app.close();
      await cluster.stop();
    }
  });

  test('ends with its server', async () => {
    const app = await listening(world.claret);
    const reader = read(app, '?latest=1&trending=1');
    expect(await reader.status).toBe(200);
    await app.close();
    await reader.end;
  });
});
