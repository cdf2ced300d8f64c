import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inProcessCluster } from './testing/in-process-cluster.ts';
import { freshSeed, randomFrom } from './testing/random.ts';
import { SeededEnvironment } from './testing/seeded-environment.ts';

/** Runs contended transactions over two shards whose sessions break. Returns a digest of all frames to the shards, and the results. */
async function story(seed: number): Promise<{ digest: string; frames: number; counters: object; value: unknown }> {
  const environment = new SeededEnvironment(seed);
  const random = randomFrom(seed + 1);
  const cluster = await environment.runUntil(inProcessCluster({ shards: 2, environment }));
  const hash = createHash('sha256');
  let frames = 0;
  for (const host of cluster.hosts) {
    const take = host.take.bind(host);
    host.take = (peer, bytes) => {
      frames++;
      hash.update(`${host.number} ${peer} ${bytes.length} `).update(bytes);
      take(peer, bytes);
    };
  }
  const claret = await environment.runUntil(cluster.connect({ combining: 'always' }));
  const keys = ['a', 'b', 'c', 'd'];
  const one = async (): Promise<void> => {
    const [from, to] = [random.pick(keys), random.pick(keys)];
    await claret
      .transaction('Move', async (tx) => {
        await tx.counter(from).value();
        tx.counter(from).add(-1);
        tx.counter(to).add(1);
      })
      .catch((error: { commitState: string }) => expect(error, String(error)).toMatchObject({ commitState: 'applied' }));
  };
  for (let round = 0; round < 10; round++) {
    const moving = Promise.all(Array.from({ length: 20 }, one));
    if (round % 3 === 2) environment.setTimeout(() => cluster.hosts[round % 2]!.breakSessions(), random.next());
    await environment.runUntil(moving);
  }
  const read = claret.transact(
    'Read',
    keys.map((key) => claret.on.counter(key).value()),
  );
  const value = await environment.runUntil(read);
  const counters = { ...claret.counters };
  await environment.runUntil(cluster.stop());
  return { digest: hash.digest('hex'), frames, counters, value };
}

describe('in a seeded environment', () => {
  it('the client sends the same bytes for the same seed', async () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const first = await story(seed);
    expect(await story(seed)).toEqual(first);
    expect((await story(seed + 1)).digest).not.toBe(first.digest);
    expect(first.counters).toMatchObject({ sessionsLost: 3 });
    expect(first.counters).toHaveProperty('retries', expect.any(Number));
    expect((first.value as number[]).reduce((sum, value) => sum + value, 0)).toBe(0);
  });
});
