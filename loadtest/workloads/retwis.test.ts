import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import type { Claret } from '@claret/client';
import { afterEach, describe, expect, it } from 'vitest';
import { key } from '../../apps/retwis/server/model.ts';
import { kronecker } from '../../apps/retwis/server/data/graph.ts';
import { randomFrom } from '../kit/random.ts';
import { sentAsNatives } from '../kit/sent-as-natives.ts';
import { RETWIS_MIXES, type RetwisKind, type RetwisMix } from './retwis-mixes.ts';
import { Retwis } from './retwis.ts';

let cluster: InProcessCluster;
afterEach(() => cluster.stop());

const graph = kronecker(7, randomFrom(2));

async function loaded(mix: RetwisMix): Promise<[Retwis, Claret]> {
  cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect();
  await Retwis.load(claret, graph);
  return [new Retwis(graph, mix, randomFrom(3)), claret];
}

/** All follow relations, from the followers' own lists. */
async function followings(claret: Claret): Promise<string[]> {
  const people = Array.from({ length: graph.users }, (_, number) => `u${number}`);
  const lists = await claret.transact(
    'Look',
    people.map((id) => claret.on.set(key.following(id)).members(1_000, null)),
  );
  return people.flatMap((id, i) => lists[i]!.map((followed) => `${id} ${followed}`));
}

async function runAll(retwis: Retwis, claret: Claret, each = 60): Promise<Record<RetwisKind, number>> {
  const counts: Record<RetwisKind, number> = { timeline: 0, repost: 0, post: 0, follow: 0, new_user: 0 };
  const worker = async () => {
    for (let i = 0; i < each; i++) {
      const kind = retwis.draw();
      counts[kind]++;
      await retwis.run(claret, kind);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return counts;
}

describe('retwis', () => {
  it.each(['post-heavy', 'read-heavy'] as const)('%s delivers every post and repost to all followers', async (mix) => {
    const [retwis, claret] = await loaded(mix);
    const counts = await runAll(retwis, claret, 200);
    expect(await retwis.mismatches(claret)).toEqual([]);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect((100 * (counts.repost / total)) / RETWIS_MIXES[mix].repost).toBeGreaterThan(0.6);
    expect((100 * (counts.repost / total)) / RETWIS_MIXES[mix].repost).toBeLessThan(1.6);
  });

  it('reposts preferably posts that have been reposted before', async () => {
    const [retwis, claret] = await loaded('post-heavy');
    await runAll(retwis, claret, 500);
    const reposts = (await retwis.repostsOfPosts(claret)).sort((a, b) => b - a);
    const sum = reposts.reduce((all, count) => all + count, 0);
    expect(reposts.length).toBeGreaterThan(graph.users);
    // A few posts have most of the reposts.
    expect(reposts.slice(0, Math.ceil(reposts.length / 20)).reduce((all, count) => all + count, 0) / sum).toBeGreaterThan(0.4);
    expect(await retwis.mismatches(claret)).toEqual([]);
  });

  it('does the same with every operation sent separately', async () => {
    const [retwis] = await loaded('post-heavy');
    const claret = await cluster.connect({ oneAtATime: true });
    await runAll(retwis, claret, 25);
    expect(await retwis.mismatches(claret)).toEqual([]);
  });

  it('keeps its timelines correct without transactions as well', async () => {
    const [retwis, claret] = await loaded('post-heavy');
    await runAll(retwis, sentAsNatives(claret, { oneAtATime: false }));
    expect((await retwis.mismatches(claret)).filter((text) => !/expected \d+ reposts/.test(text))).toEqual([]);
    await runAll(retwis, claret);
    expect(await retwis.mismatches(claret)).toEqual([]);
  });

  it('reports each mismatch, and checks only new data', async () => {
    const [retwis, claret] = await loaded('post-heavy');
    await retwis.run(claret, 'post');
    const { on } = claret;
    const [posted] = await claret.transact('Look', [on.topK(key.newest_posts).top(1)]);
    const post_id = posted[0]![0];
    const [[author]] = await claret.transact('Look', [on.dict(key.post_info(post_id)).get('author_id')]);
    await claret.transact('Plant', [
      on.scoredSet(key.timeline(String(author))).remove(post_id),
      on.topK(key.newest_posts).add('planted', 1),
    ]);
    const found = await retwis.mismatches(claret);
    expect(found).toEqual([
      expect.stringMatching(new RegExp(`^entry ${post_id} of ${String(author)}, told to have reached .* on 1 of`)),
      'newest:posts is without 0 of the newest 1, and has 1 that are not among them',
    ]);
    await runAll(retwis, claret);
    expect(await retwis.mismatches(claret)).toEqual([]);
  });

  it('finds a follower who is only on one list, and a repost that was never made', async () => {
    const [retwis, claret] = await loaded('post-heavy');
    while (retwis.draw() !== 'repost') await retwis.run(claret, 'timeline');
    await retwis.run(claret, 'repost');
    const [[trending]] = await claret.transact('Look', [claret.on.topK(key.trending).top(1)]);
    await claret.transact('Plant', [claret.on.set(key.post_reposts(trending![0])).add('planted')]);
    expect((await retwis.mismatches(claret))[0]).toContain(
      `${key.post_reposts(trending![0])}: expected 1 reposts, as acknowledged, found 2`,
    );
    await retwis.run(claret, 'follow');
    const newest = await followings(claret);
    const before = graph.followers.flatMap((followers, followed) => [...followers].map((follower) => `u${follower} u${followed}`));
    const [follower, followed] = newest.find((pair) => !before.includes(pair))!.split(' ') as [string, string];
    await claret.transact('Plant', [claret.on.set(key.followers(followed)).remove(follower)]);
    expect((await retwis.mismatches(claret))[0]).toContain(`${follower} follows ${followed}, but the followers' list has not`);
  });
});
