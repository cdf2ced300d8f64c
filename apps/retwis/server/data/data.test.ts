// The data set: deterministic, plausible, and the same in the store as generated.
import { createHash } from 'node:crypto';

import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import { Random } from '@claret/site/data/random.ts';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { followersPage, newestPeople } from '../actions/people.ts';
import { findUser, viewProfile } from '../actions/view-person.ts';
import { viewTimeline } from '../actions/timeline.ts';
import { latestPage, postsPage, trending } from '../actions/view-page.ts';
import { viewPost } from '../actions/view-post.ts';
import { Id, LIMITS, Username } from '../api.ts';
import { heat, repostEntry, TIMELINE_MAX, key, parseEntry } from '../model.ts';
import { postText } from '../post-text.ts';
import { startWorld, type World } from '../testing/world.ts';
import { generate, type DataSet } from './generate.ts';
import { followingOf } from './people.ts';
import { Store } from './store.ts';
import { makeUsernames } from './usernames.ts';

const MINUTE_MS = 60 * 1_000;
const RIGHT_TO_LEFT = /[\u0590-\u06ff]/;
const graphemes = new Intl.Segmenter();
const lengthOf = (text: string): number => [...graphemes.segment(text)].length;

const digest = (data: DataSet): string => createHash('sha256').update(JSON.stringify(data)).digest('hex');
const repostCounts = ({ posts, reposts }: DataSet): number[] => {
  const counts = posts.map(() => 0);
  for (const { post } of reposts) counts[post]!++;
  return counts;
};

describe('The generator', () => {
  test('gives the same data set for the same scale and seed, and another one otherwise', () => {
    const first = digest(generate(8, 7));
    expect(digest(generate(8, 7))).toBe(first);
    expect(digest(generate(8, 8))).not.toBe(first);
  });

  test('gives the same output as when this test was written', () => {
    // To be updated when the generator or its words change on purpose.
    const { society, posts, reposts } = generate(10, 1);
    expect(society.people.slice(0, 8).map(({ username }) => username)).toEqual([
      'demo1',
      'demo2',
      'demo3',
      'demo4',
      'odile_the_puzzler',
      'orla_the_carpenter',
      'finn_the_tailor',
      'piadlemon',
    ]);
    expect([posts.length, reposts.length]).toEqual([1_234, 1_998]);
    expect(posts[8]!.text).toBe(
      'Hari ini belajar gitar. Seru! Ada yang punya rekomendasi buku bagus? Hujan dari pagi, enaknya makan yang hangat.',
    );
  });

  test('gives 65,536 people different usernames that the site accepts', () => {
    const names = makeUsernames(65_536, DEMO_NAMES, new Random(1));
    expect(names).toHaveLength(65_536);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(names.filter((name) => !Check(Username, name))).toEqual([]);
    expect(generate(4, 1).society.people.every(({ id }) => Check(Id, id))).toBe(true);
  });

  test('gives the demo accounts well-followed people to follow, and followers', () => {
    for (const seed of [1, 2, 3]) {
      const { society, posts } = generate(10, seed);
      const following = followingOf(society);
      const mean = society.followers.reduce((sum, { length }) => sum + length, 0) / society.users;
      DEMO_NAMES.forEach((name, i) => {
        expect(society.people[i]!.username).toBe(name);
        expect(following[i]!.length).toBeGreaterThanOrEqual(40);
        const followed = [...following[i]!].map((user) => society.followers[user]!.length);
        expect(followed.filter((count) => count > 2 * mean).length).toBeGreaterThanOrEqual(30);
        expect(posts.filter(({ author }) => following[i]!.includes(author)).length).toBeGreaterThan(2 * LIMITS.page_size);
        expect(society.followers[i]!.length).toBeGreaterThan(15);
        expect(new Set(society.followers[i]).size).toBe(society.followers[i]!.length);
        expect(society.followers[i]).not.toContain(i);
      });
    }
  });

  test('spreads posts over about a day, up to some minutes ago, and none is older than its author’s registration', () => {
    const { society, posts, reposts } = generate(11, 5);
    const times = posts.map(({ in_ms }) => in_ms);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(-2 * MINUTE_MS);
    expect(times.at(-1)).toBeGreaterThan(-8 * MINUTE_MS);
    expect(times[0]).toBeGreaterThanOrEqual(-26 * 60 * MINUTE_MS);
    expect(times[0]).toBeLessThan(-25 * 60 * MINUTE_MS);
    for (const { author, in_ms } of posts) expect(in_ms).toBeGreaterThanOrEqual(society.people[author]!.joined_in_ms);
    for (const { by, in_ms } of reposts) expect(in_ms).toBeGreaterThanOrEqual(society.people[by]!.joined_in_ms);
  });

  test('lets people repost only what is on their timeline, once, and never their own posts', () => {
    const { society, posts, reposts } = generate(9, 6);
    const following = followingOf(society);
    const brought = new Set<string>();
    posts.forEach(({ author }, post) => brought.add(`${author} ${post}`));
    const made = new Set<string>();
    for (const { post, by, in_ms } of reposts) {
      expect(posts[post]!.author).not.toBe(by);
      expect(in_ms).toBeGreaterThan(posts[post]!.in_ms);
      expect([...following[by]!].some((user) => brought.has(`${user} ${post}`))).toBe(true);
      brought.add(`${by} ${post}`);
      made.add(`${by} ${post}`);
    }
    expect(made.size).toBe(reposts.length);
    expect(reposts.length / posts.length).toBeGreaterThan(1.5);
  });

  test('gives reposts a power law: a few posts very often, most never, and no gap in between', () => {
    const counts = repostCounts(generate(13, 3)).sort((a, b) => b - a);
    const sum = counts.reduce((all, count) => all + count, 0);
    expect(counts.slice(0, counts.length / 20).reduce((all, count) => all + count, 0) / sum).toBeGreaterThan(0.5);
    expect(counts.filter((count) => count === 0).length / counts.length).toBeGreaterThan(0.4);
    const atLeast = [1, 4, 16, 64, 256].map((least) => counts.filter((count) => count >= least).length);
    for (let i = 1; i < atLeast.length; i++) {
      expect(atLeast[i - 1]! / atLeast[i]!).toBeGreaterThan(1.3);
      expect(atLeast[i - 1]! / atLeast[i]!).toBeLessThan(12);
    }
  });

  test('writes texts that the site accepts unchanged: short and long, of many kinds, in both directions', () => {
    const { posts } = generate(11, 2);
    const texts = posts.map(({ text }) => text);
    for (const text of texts) {
      expect(postText(text)).toBe(text);
      expect(text).not.toMatch(/[{}|]|undefined/);
    }
    const lengths = texts.map(lengthOf);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(LIMITS.text_graphemes_max);
    const share = (holds: (text: string) => boolean): number => texts.filter(holds).length / texts.length;
    expect(share((text) => lengthOf(text) > 230)).toBeGreaterThan(0.01);
    expect(share((text) => lengthOf(text) < 40)).toBeGreaterThan(0.1);
    expect(share((text) => RIGHT_TO_LEFT.test(text))).toBeGreaterThan(0.02);
    expect(share((text) => /\p{Extended_Pictographic}/u.test(text))).toBeGreaterThan(0.25);
    expect(share((text) => text.includes('\n'))).toBeGreaterThan(0.01);
    expect(new Set(texts).size).toBeGreaterThan(1_000);
  });
});

describe('The loaded data set', () => {
  const data = generate(9, 1);
  const { people, followers } = data.society;
  const options = { now_ms: Date.UTC(2026, 4, 3, 9), demo_credentials: 'hash' };
  let world: World;
  let reported = 0;
  let counted = 0;
  beforeAll(async () => {
    world = await startWorld();
    const store = new Store(world.claret, data, { ...options, onStep: (_, operations) => void (reported += operations) });
    counted = store.count();
    await store.write();
  });
  afterAll(() => world.stop());

  test('takes as many operations as announced', () => {
    expect(reported).toBe(counted);
  });

  test('has every person under their name, with both directions of follows', async () => {
    const following = followingOf(data.society);
    for (const i of [0, 3, 17, 301, people.length - 1]) {
      const { id, username } = people[i]!;
      expect(await findUser(world.claret, { username: username.toUpperCase() })).toEqual({ id, username });
      expect(await viewProfile(world.claret, { user_id: id, viewer_id: null })).toMatchObject({
        user: { username, joined_at_ms: options.now_ms + people[i]!.joined_in_ms },
        followers: followers[i]!.length,
        following: following[i]!.length,
      });
    }
    const { people: page } = await followersPage(world.claret, people[0]!.id, { after: null, viewer_id: null });
    const expected = [...followers[0]!].map((user) => people[user]!.id);
    expect(page.every(({ id }) => expected.includes(id))).toBe(true);
  });

  test('has on a timeline the posts and reposts of its person and those they follow, newest first', async () => {
    const following = new Set<number>([0, ...followingOf(data.society)[0]!]);
    const posted = data.posts.filter(({ author }) => following.has(author)).map(({ id, in_ms }) => ({ id, in_ms }));
    const reposted = data.reposts
      .filter(({ by }) => following.has(by))
      .map(({ post, by, in_ms }) => ({ id: repostEntry(data.posts[post]!.id, people[by]!.id), in_ms }));
    const expected = [...posted, ...reposted].sort((a, b) => b.in_ms - a.in_ms);
    expect(expected.length).toBeGreaterThan(100);
    expect(expected.length).toBeLessThan(TIMELINE_MAX);
    const [size] = await world.claret.transact('Look', [world.claret.on.scoredSet(key.timeline('u1')).size()]);
    expect(size).toBe(expected.length);
    const { entries } = await viewTimeline(world.claret, { user_id: 'u1', after: null });
    expect(entries[0]).toMatchObject({ id: expected[0]!.id, at_ms: options.now_ms + expected[0]!.in_ms });
    expect(entries.map(({ post }) => post.id)).toEqual([
      ...new Set(expected.slice(0, LIMITS.page_size).map(({ id }) => parseEntry(id).post_id)),
    ]);
  });

  test('has every post with its text, author and reposts', async () => {
    const counts = repostCounts(data);
    const most = counts.indexOf(Math.max(...counts));
    for (const i of [0, most, data.posts.length - 1]) {
      const { id, author, text, in_ms } = data.posts[i]!;
      expect(await viewPost(world.claret, { post_id: id, viewer_id: null })).toEqual({
        id,
        text,
        author: { id: people[author]!.id, username: people[author]!.username },
        posted_at_ms: options.now_ms + in_ms,
        reposts: counts[i],
        reposted: false,
      });
    }
    const author = data.posts[most]!.author;
    const { id, username } = people[author]!;
    const page = await postsPage(world.claret, { user: { id, username }, viewer_id: null, after: null });
    expect(page.entries.length).toBeGreaterThan(0);
  });

  test('fills the latest posts, the newest people and the trending posts', async () => {
    const { entries } = await latestPage(world.claret, { viewer_id: null, after: null });
    expect(entries.map(({ id }) => id)).toEqual(
      data.posts
        .slice(-LIMITS.page_size)
        .map(({ id }) => id)
        .reverse(),
    );
    const newest = await newestPeople(world.claret, { viewer_id: null });
    expect(newest[0]!.joined_at_ms).toBe(options.now_ms + Math.max(...people.map(({ joined_in_ms }) => joined_in_ms)));
    const hottest = repostCounts(data)
      .map((reposts, i) => ({
        id: data.posts[i]!.id,
        heat: reposts === 0 ? -Infinity : heat(options.now_ms + data.posts[i]!.in_ms, reposts),
      }))
      .sort((a, b) => b.heat - a.heat);
    const found = await trending(world.claret, { viewer_id: null });
    expect(found.map(({ id }) => id)).toEqual(hottest.slice(0, LIMITS.trending_max).map(({ id }) => id));
  });

  test('allows logging in to the demo accounts alone', async () => {
    const credentials = [0, 3, 4].map((i) => world.claret.on.register(key.credentials(people[i]!.id)).get());
    expect(await world.claret.transact('Look', credentials)).toEqual(['hash', 'hash', null]);
  });
});
