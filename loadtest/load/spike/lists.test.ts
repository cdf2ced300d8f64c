// Long lists on real shards, by epochs: pairs stay equal, and a falsified one is noticed.
import { inProcessCluster } from '@claret/client/testing';
import { expect, test } from 'vitest';
import { randomFrom } from '../../kit/random.ts';
import { listsSpike } from './lists.ts';

const OPTIONS = { seconds: 60, clients: 4, alpha: 1, update: 0.5 };

test('every pair holds its newest write, and a falsified one is noticed', async () => {
  const cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect({ name: 'spike' });
  try {
    const spike = await listsSpike(claret, { ...OPTIONS, random: randomFrom(7) });
    const client = async () => {
      for (let i = 0; i < 10; i++) await spike.run(claret);
    };
    await Promise.all(Array.from({ length: OPTIONS.clients }, client));
    expect(claret.counters.epochCommits).toBeGreaterThan(0);
    expect((await spike.check(claret)).mismatches).toEqual([]);
    await claret.transact('Falsify', [claret.on.register('spike:lists:right:17').set('x')]);
    expect((await spike.check(claret)).mismatches).toEqual([expect.stringMatching(/^pair 17: the registers hold \d+ and x$/)]);
  } finally {
    await cluster.stop();
  }
});
