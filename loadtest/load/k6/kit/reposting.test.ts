import type { EntryPage } from '../../../../apps/retwis/server/api.ts';
import { expect, it } from 'vitest';
import { streams } from '../../../kit/random.ts';
import { againFor, postsIn, toRepost, wishFor, type PostSeen } from './reposting.ts';

const post = (id: string, reposts: number, reposted = false): PostSeen => ({ id, reposts, reposted });
const POSTS = [post('new', 0), post('known', 5), post('famous', 90), post('mine', 99, true), post('liked', 30)];
const wish = (count: number, also: string | null = null) => ({ count, also });

it('reposts the wished number of the most popular posts not yet reposted', () => {
  expect(toRepost(POSTS, wish(0))).toEqual([]);
  expect(toRepost(POSTS, wish(2))).toEqual(['famous', 'liked']);
  expect(toRepost(POSTS, wish(9))).toEqual(['famous', 'liked', 'known', 'new']);
});

it('reposts a post once if it is on the page twice', () => {
  expect(toRepost([post('twice', 3), post('twice', 3), post('once', 1)], wish(2))).toEqual(['twice', 'once']);
});

it('reposts the fascinating post if it is on the page and not yet reposted', () => {
  expect(toRepost(POSTS, wish(0, 'new'))).toEqual(['new']);
  expect(toRepost(POSTS, wish(1, 'new'))).toEqual(['new', 'famous']);
  expect(toRepost(POSTS, wish(1, 'famous'))).toEqual(['famous']);
  expect(toRepost(POSTS, wish(0, 'mine'))).toEqual([]);
  expect(toRepost(POSTS, wish(0, 'elsewhere'))).toEqual([]);
});

it('wishes for the given mean of reposts, and is fascinated with the given probability', () => {
  const random = streams(1, 'looks')(0);
  const wishes = Array.from({ length: 90_000 }, () => wishFor(random, againFor(6, 90), { id: 'dress', chance: 0.2 }));
  expect(Math.abs(wishes.reduce((sum, { count }) => sum + count, 0) - 6_000)).toBeLessThan(400); // 5 standard deviations
  expect(Math.abs(wishes.filter(({ also }) => also === 'dress').length - 18_000)).toBeLessThan(600);
  expect(wishFor(random, 0, null)).toEqual({ count: 0, also: null });
});

it("reads a page's values from its JSON, whatever text the posts contain", () => {
  const texts = ['plain', '"reposts":7,"reposted":true', '"post":{"id":"forged"', 'two\nlines', '\\', '\\"', '{"post":{"id":"x"'];
  const page: EntryPage = {
    entries: texts.map((text, i) => ({
      id: `e${i}`,
      at_ms: i,
      reposted_by: i % 2 === 0 ? null : { id: 'u9', username: 'nine' },
      post: { id: `p${i}`, author: { id: `u${i}`, username: `name${i}` }, text, posted_at_ms: i, reposts: 10 * i, reposted: i % 3 === 0 },
    })),
    next_cursor: 'more',
    server_time_ms: 1,
  };
  expect(postsIn(JSON.stringify(page))).toEqual(page.entries.map(({ post: { id, reposts, reposted } }) => ({ id, reposts, reposted })));
  expect(postsIn(JSON.stringify({ ...page, entries: [] }))).toEqual([]);
});

it('makes the popular more popular: of initially equal posts, few get most of the reposts', () => {
  const random = streams(2, 'fame')(0);
  const posts = Array.from({ length: 50 }, (_, i) => post(`p${i}`, 0));
  for (let look = 0; look < 20_000; look++) {
    // A visitor who sees twenty of them.
    const seen = Array.from({ length: 20 }, () => posts[Math.floor(random() * posts.length)]!);
    for (const id of toRepost(seen, wishFor(random, 1 / 3, null))) posts.find((one) => one.id === id)!.reposts++;
  }
  const counts = posts.map(({ reposts }) => reposts).sort((a, b) => b - a);
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  expect(sum(counts.slice(0, 10))).toBeGreaterThan(0.75 * sum(counts));
});
