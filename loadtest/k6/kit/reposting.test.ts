import { expect, it } from 'vitest';
import { randomOf } from './random.ts';
import { againFor, toRepost, type PostSeen } from './reposting.ts';

const post = (id: string, reposts: number, reposted = false): PostSeen => ({ id, reposts, reposted });
const POSTS = [post('new', 0), post('known', 5), post('famous', 90), post('mine', 99, true), post('liked', 30)];
/** Chances that say "again" so many times. */
const times = (count: number) => {
  const chances = [...new Array<number>(count).fill(0), 1];
  return () => chances.shift()!;
};

it('reposts the most popular ones that are not reposted yet, as many as chance says', () => {
  expect(toRepost(POSTS, 0.5, times(0))).toEqual([]);
  expect(toRepost(POSTS, 0.5, times(2))).toEqual(['famous', 'liked']);
  expect(toRepost(POSTS, 0.5, times(9))).toEqual(['famous', 'liked', 'known', 'new']);
});

it('reposts a post once that stands on the page twice', () => {
  expect(toRepost([post('twice', 3), post('twice', 3), post('once', 1)], 0.5, times(2))).toEqual(['twice', 'once']);
});

it('cannot resist what fascinates, where it is seen and not reposted yet', () => {
  const dress = (id: string) => ({ id, chance: 0.5 });
  const resisting = (chance: number) => [1, chance][Symbol.iterator]();
  const draw = (chances: Iterator<number>) => () => chances.next().value as number;
  expect(toRepost(POSTS, 0.5, draw(resisting(0.4)), dress('new'))).toEqual(['new']);
  expect(toRepost(POSTS, 0.5, draw(resisting(0.6)), dress('new'))).toEqual([]);
  expect(toRepost(POSTS, 0.5, draw(resisting(0.4)), dress('mine'))).toEqual([]);
  expect(toRepost(POSTS, 0.5, draw(resisting(0.4)), dress('elsewhere'))).toEqual([]);
  expect(toRepost(POSTS, 0.5, times(1), dress('famous'))).toEqual(['famous']);
});

it('makes as many reposts of looks as it is asked for', () => {
  const random = randomOf(1, 'looks', 0);
  const many = Array.from({ length: 20 }, (_, i) => post(`p${i}`, i));
  let reposts = 0;
  for (let look = 0; look < 90_000; look++) reposts += toRepost(many, againFor(6, 90), random).length;
  expect(Math.abs(reposts - 6_000)).toBeLessThan(400); // 5 deviations
});

it('lets fame grow: of posts that begin alike, few get most of the reposts', () => {
  const random = randomOf(2, 'fame', 0);
  const posts = Array.from({ length: 50 }, (_, i) => post(`p${i}`, 0));
  for (let look = 0; look < 20_000; look++) {
    // Somebody who sees twenty of them.
    const seen = Array.from({ length: 20 }, () => posts[Math.floor(random() * posts.length)]!);
    for (const id of toRepost(seen, 1 / 3, random)) posts.find((one) => one.id === id)!.reposts++;
  }
  const counts = posts.map(({ reposts }) => reposts).sort((a, b) => b - a);
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  expect(sum(counts.slice(0, 10))).toBeGreaterThan(0.75 * sum(counts));
});
