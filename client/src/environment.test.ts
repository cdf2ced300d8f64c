import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Poller } from './poll.ts';
import { Delays, attemptDelayUs, deniedDelayUs, policyUnder, reconnectDelayMs } from './retry.ts';
import { SeededEnvironment } from './testing-environment.ts';
import { freshSeed, randomFrom } from './testing-random.ts';
import { inProcessCluster } from './testing.ts';

/** Contended transactions over two shards whose sessions break: every frame to a shard, and how it all ended. */
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
  const claret = await environment.runUntil(cluster.connect({ combining: 'on' }));
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

describe('in an environment of its own', () => {
  it('the client does the same again for the same seed, byte for byte', async () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const first = await story(seed);
    expect(await story(seed)).toEqual(first);
    expect((await story(seed + 1)).digest).not.toBe(first.digest);
    expect(first.counters).toMatchObject({ sessionsLost: 3 });
    expect(first.counters).toHaveProperty('retries', expect.any(Number));
    expect((first.counters as { neverSent: number }).neverSent).toBeGreaterThan(0);
    expect((first.value as number[]).reduce((sum, value) => sum + value, 0)).toBe(0);
  }, 30_000);
});

describe('waiting', () => {
  it('grows, stays bounded, and begins far below a millisecond', () => {
    const policy = policyUnder(null, {});
    expect(attemptDelayUs(policy, 1, 0.999)).toBeLessThan(200);
    expect(attemptDelayUs(policy, 5, 0.5)).toBe(1600);
    expect(attemptDelayUs(policy, 50, 0.999)).toBeLessThan(20_000);
    expect(deniedDelayUs(policy, 1, 0.999)).toBeLessThan(100);
    expect(deniedDelayUs(policy, 50, 0.999)).toBeLessThan(2_000);
    expect(reconnectDelayMs(0, 0)).toBe(10);
    expect(reconnectDelayMs(100, 0.999)).toBeLessThan(2_000);
  });

  it('is what suits the conditions, unless the application has chosen', () => {
    const denied = policyUnder({ phasing: false }, {});
    expect(policyUnder({ phasing: true }, {})).toEqual(policyUnder(null, {}));
    expect(denied).not.toEqual(policyUnder(null, {}));
    expect(policyUnder({ phasing: false }, { denialsMax: 3 })).toEqual({ ...denied, denialsMax: 3 });
  });

  it('ends in order of time, short or long', async () => {
    const environment = new SeededEnvironment(1);
    const delays = new Delays(environment);
    const ended: string[] = [];
    await environment.runUntil(
      new Promise<void>((resolve) => {
        delays.after(5_000, () => (ended.push('timer'), resolve()));
        delays.after(900, () => ended.push('later'));
        delays.after(100, () => ended.push('soon'));
      }),
    );
    expect(ended).toEqual(['soon', 'later', 'timer']);
  });
});

describe('polling', () => {
  it('turns the event loop for as long as it was told after a frame, and is off by default', async () => {
    const turnsFor = async (microseconds: number) => {
      const environment = new SeededEnvironment(1);
      let turns = 0;
      const { setImmediate } = environment;
      environment.setImmediate = (callback) => setImmediate.call(environment, () => (turns++, callback()));
      const counters = { polledMs: 0 };
      new Poller(environment, microseconds, counters).touch();
      await environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, 10)));
      return { turns, polledMs: counters.polledMs };
    };
    expect(await turnsFor(0)).toEqual({ turns: 0, polledMs: 0 });
    const { turns, polledMs } = await turnsFor(300);
    expect(turns).toBeGreaterThanOrEqual(6);
    expect(turns).toBeLessThan(10);
    // All of it in vain: no other frame came.
    expect(polledMs).toBeGreaterThan(0.15);
    expect(polledMs).toBeLessThan(0.4);
  });
});
