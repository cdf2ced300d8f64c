import { inProcessCluster } from '@claret/client/testing';
import { expect, it } from 'vitest';
import { randomFrom } from './random.ts';
import { Rawmix } from './rawmix.ts';
import { Zipf } from './zipf.ts';

it('a zipfian draw favours low ranks by the power of alpha, and alpha 0 favours none', () => {
  const counts = (alpha: number) => {
    const random = randomFrom(1);
    const zipf = new Zipf(10, alpha);
    const drawn = new Array<number>(10).fill(0);
    for (let i = 0; i < 100_000; i++) drawn[zipf.draw(random())]!++;
    return drawn;
  };
  const skewed = counts(1.4);
  expect(skewed[0]! / skewed[1]!).toBeCloseTo(2 ** 1.4, 0);
  expect(skewed[0]! / skewed[9]!).toBeGreaterThan(20);
  for (const count of counts(0)) expect(count / 10_000).toBeCloseTo(1, 1);
});

it('rawmix leaves in the sets what its committed transactions have added', async () => {
  const cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect();
  const rawmix = new Rawmix({ alpha: 1, update: 0.5, name: 'r', sets: 20 }, randomFrom(7));
  const worker = async (number: number) => {
    for (let i = 0; i < 20; i++) await rawmix.run(claret, rawmix.draw(claret), number % 2 === 0 ? 'interactive' : 'one-shot');
  };
  await Promise.all(Array.from({ length: 8 }, (_, number) => worker(number)));
  expect([...rawmix.added.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
  await rawmix.check(claret);
  rawmix.added.set(rawmix.added.keys().next().value!, -1);
  await expect(rawmix.check(claret)).rejects.toThrow('adds were committed');
  await cluster.stop();
});
