import { Random } from '@claret/site/data/random.ts';
import { describe, expect, test } from 'vitest';

import { kronecker, type Graph } from './graph.ts';

const graph = (scale: number, seed: number): Graph => {
  const random = new Random(seed);
  return kronecker(scale, () => random.fraction());
};

describe('A Kronecker graph', () => {
  test('has a few people with very many followers, no duplicates and no one who follows themselves', () => {
    const { users, followers } = graph(10, 1);
    const counts = followers.map(({ length }) => length).sort((a, b) => b - a);
    const edges = counts.reduce((sum, count) => sum + count, 0);
    expect(users).toBe(1024);
    expect(edges / users).toBeGreaterThan(8);
    expect(counts[0]! / counts[512]!).toBeGreaterThan(20);
    followers.forEach((of, user) => {
      expect(new Set(of).size).toBe(of.length);
      expect(of).not.toContain(user);
      expect(of.every((follower) => follower < users)).toBe(true);
    });
    expect(graph(10, 1).followers).toEqual(followers);
    expect(graph(10, 2).followers).not.toEqual(followers);
  });

  test('has about sixteen followers per person, less the duplicates, and degrees that follow a power law', () => {
    const { users, followers } = graph(14, 4);
    const counts = followers.map(({ length }) => length);
    const mean = counts.reduce((sum, count) => sum + count, 0) / users;
    expect(mean).toBeGreaterThan(13);
    expect(mean).toBeLessThan(16);
    // On a log-log scale the share of people with at least a given number of followers falls slowly, without a sudden end.
    const atLeast = [16, 64, 256, 1_024].map((degree) => counts.filter((count) => count >= degree).length);
    for (let i = 1; i < atLeast.length; i++) {
      expect(atLeast[i - 1]! / atLeast[i]!).toBeGreaterThan(2);
      expect(atLeast[i - 1]! / atLeast[i]!).toBeLessThan(40);
    }
  });
});
