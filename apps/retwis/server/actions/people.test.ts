// People: usernames, profiles, lists.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { LIMITS } from '../api.ts';
import { startWorld, type World } from '../testing/world.ts';
import { followersPage, followingPage, newestPeople, repostersPage, type People } from './people.ts';
import { findUser, viewProfile } from './view-person.ts';
import { Usernames } from './usernames.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

const all = async (next: (after: string | null) => Promise<People>) => {
  const pages: People[] = [await next(null)];
  while (pages.at(-1)!.next !== null) pages.push(await next(pages.at(-1)!.next));
  return { sizes: pages.map(({ people }) => people.length), people: pages.flatMap(({ people }) => people) };
};
const names = (people: readonly { username: string }[]) => people.map(({ username }) => username).toSorted();

describe('a username', () => {
  test('finds its person in any case, and shows their own spelling', async () => {
    const ann = await world.person('Ann');
    expect(await findUser(world.claret, { username: 'aNN' })).toEqual(ann);
    expect(await findUser(world.claret, { username: 'nobody' })).toBeNull();
  });

  test('is read once, and again only after too many others were read since', async () => {
    const people = await world.people('named', 4);
    const usernames = new Usernames(3);
    const ids = people.map(({ id }) => id);
    const read = async (wanted: string[]) => {
      const before = world.claret.counters.operations;
      const found = await usernames.of(world.claret, wanted);
      return [[...found.values()].map(({ username }) => username), world.claret.counters.operations - before];
    };
    expect(await read([ids[0]!, ids[1]!, ids[0]!])).toEqual([['named0', 'named1'], 2]);
    expect(await read([ids[1]!, ids[2]!])).toEqual([['named1', 'named2'], 1]);
    expect(await read(['nobody'])).toEqual([[], 1]);
    expect(await read(['nobody', ids[3]!])).toEqual([['named3'], 2]);
    expect(await read([ids[2]!, ids[3]!])).toEqual([['named2', 'named3'], 0]);
    expect(await read([ids[0]!])).toEqual([['named0'], 1]);
  });

  test('names the person in any case as long as they are kept', async () => {
    const people = await world.people('Met', 4);
    const usernames = new Usernames(3);
    expect(usernames.named('met0')).toBeNull();
    for (const person of people) usernames.keep(person);
    expect(['mET0', 'met1', 'MET3', 'met4'].map((name) => usernames.named(name))).toEqual([null, people[1], people[3], null]);
  });
});

describe('a profile', () => {
  test('counts posts, followers and following, and shows its relation to the viewer', async () => {
    const [ben, cat, dan] = [await world.person('ben'), await world.person('cat'), await world.person('dan')];
    await world.follows(ben, cat);
    await world.follows(dan, ben);
    const post_id = await world.writes(cat, 'hello');
    await world.writes(ben, 'hello');
    await world.reposts(ben, post_id);
    const seen = (viewer_id: string | null) => viewProfile(world.claret, { user_id: ben.id, viewer_id });
    const counts = { posts: 2, followers: 1, following: 1 };
    expect(await seen(null)).toMatchObject({ user: ben, ...counts, viewer: null });
    expect(await seen(ben.id)).toMatchObject({ ...counts, viewer: null });
    expect(await seen(cat.id)).toMatchObject({ viewer: { follows: false, followed_by: true } });
    expect(await seen(dan.id)).toMatchObject({ viewer: { follows: true, followed_by: false } });
    expect(await viewProfile(world.claret, { user_id: 'nobody', viewer_id: ben.id })).toBeNull();
  });
});

describe('lists of people', () => {
  test('show followers, following and reposters in pages, each once, while others are added', async () => {
    const star = await world.person('star');
    const crowd = await world.people('crowd', 2 * LIMITS.people_page_size + 5);
    const viewer = crowd[0]!;
    const post_id = await world.writes(star, 'hello');
    await Promise.all(crowd.map((person) => world.follows(person, star)));
    await Promise.all(crowd.map((person) => world.reposts(person, post_id)));
    const expected = crowd.map(({ username }) => username).toSorted();
    for (const next of [
      (after: string | null) => followersPage(world.claret, star.id, { after, viewer_id: viewer.id }),
      (after: string | null) => repostersPage(world.claret, post_id, { after, viewer_id: viewer.id }),
    ]) {
      const { sizes, people } = await all(next);
      expect(sizes).toEqual([30, 30, 5]);
      expect(names(people)).toEqual(expected);
    }
    await Promise.all(crowd.slice(1, 40).map((person) => world.follows(viewer, person)));
    const { sizes, people } = await all((after) => followingPage(world.claret, viewer.id, { after, viewer_id: viewer.id }));
    expect(sizes).toEqual([30, 10]);
    expect(people.every(({ followed }) => followed)).toBe(true);
    expect(people.find(({ id }) => id === star.id)).toMatchObject({ followers: crowd.length });
    const strangers = await followersPage(world.claret, star.id, { after: null, viewer_id: null });
    expect(new Set(strangers.people.map(({ followed }) => followed))).toEqual(new Set([null]));
    const [first] = (await followersPage(world.claret, star.id, { after: null, viewer_id: strangers.people[0]!.id })).people;
    expect(first).toMatchObject({ id: strangers.people[0]!.id, followed: null });
    expect(await followersPage(world.claret, 'nobody', { after: null, viewer_id: null })).toEqual({ people: [], next: null });
  });

  test('show the newest people first', async () => {
    const [eve, fay] = [await world.person('eve'), await world.person('fay')];
    await world.follows(eve, fay);
    const newest = await newestPeople(world.claret, { viewer_id: eve.id });
    expect(newest).toHaveLength(LIMITS.people_page_size);
    expect(
      newest
        .slice(0, 2)
        .map(({ username }) => username)
        .toSorted(),
    ).toEqual(['eve', 'fay']);
    expect(newest.find(({ id }) => id === fay.id)).toMatchObject({ followers: 1, followed: true });
    const times = newest.map(({ joined_at_ms }) => joined_at_ms);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });
});
