import { inProcessCluster } from '@claret/client/testing';
import { expect, it } from 'vitest';
import { kronecker } from './kronecker.ts';
import { randomFrom } from './random.ts';
import { Retwis } from './retwis.ts';

it('a Kronecker graph has a few people with very many followers, nobody twice and nobody themselves', () => {
  const { users, followers } = kronecker(10, randomFrom(1));
  const counts = followers.map(({ length }) => length).sort((a, b) => b - a);
  const edges = counts.reduce((sum, count) => sum + count, 0);
  expect(users).toBe(1024);
  expect(edges / users).toBeGreaterThan(8);
  expect(counts[0]! / counts[512]!).toBeGreaterThan(20);
  followers.forEach((of, user) => {
    expect(new Set(of).size).toBe(of.length);
    expect(of).not.toContain(user);
  });
  expect(kronecker(10, randomFrom(1)).followers).toEqual(followers);
});

it('retwis brings every post to all followers, with both mixes', async () => {
  const cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect();
  const graph = kronecker(7, randomFrom(2));
  await Retwis.load(claret, graph);
  for (const mix of ['post-heavy', 'read-heavy'] as const) {
    const retwis = new Retwis(graph, mix, randomFrom(3));
    const worker = async () => {
      for (let i = 0; i < 60; i++) await retwis.run(claret);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    if (mix === 'post-heavy') expect(retwis.posts.length).toBeGreaterThan(2);
    await retwis.check(claret);
    retwis.posts.push({ post_id: 'never written', author: 0, reached: 0 });
    await expect(retwis.check(claret)).rejects.toThrow('never written');
  }
  await cluster.stop();
});
