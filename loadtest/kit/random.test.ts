import { expect, it } from 'vitest';
import { exponential, geometric, madeUpId, pick, randomApart, randomFrom, streams, zipfRank } from './random.ts';

const SEED = 20_150_831;
const drawn = (seed: number, purpose: string, number: number) => {
  const random = streams(seed, purpose)(number);
  return [random(), random(), random()].join();
};
const mean = (count: number, draw: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => draw(i)).reduce((a, b) => a + b) / count;

it('gives an arrival the same numbers every time, and different ones to other arrivals, purposes and seeds', () => {
  const streams = [0, 1, 2, 1_000_000].flatMap((number) =>
    ['bid', 'look'].flatMap((purpose) => [SEED, SEED + 1].map((seed) => drawn(seed, purpose, number))),
  );
  expect(new Set(streams).size).toBe(streams.length);
  expect(drawn(SEED, 'bid', 1)).toBe(drawn(SEED, 'bid', 1));
});

it('spreads the first numbers of consecutive arrivals evenly over [0, 1)', () => {
  const tenths = new Array<number>(10).fill(0);
  for (let number = 0; number < 20_000; number++) tenths[Math.floor(streams(SEED, 'bid')(number)() * 10)]!++;
  for (const count of tenths) expect(Math.abs(count - 2_000)).toBeLessThan(200); // 4.7 standard deviations
});

it('draws from each distribution with its mean', () => {
  const random = streams(SEED, 'means')(0);
  expect(mean(20_000, () => exponential(random, 7))).toBeCloseTo(7, 0);
  // again / (1 - again)
  expect(mean(20_000, () => geometric(random, 0.25))).toBeCloseTo(1 / 3, 1);
  expect(mean(20_000, () => pick(random, [1, 2, 3, 4]))).toBeCloseTo(2.5, 1);
  expect(Math.min(...Array.from({ length: 20_000 }, () => exponential(random, 7)))).toBeGreaterThanOrEqual(0);
});

it('makes up distinct ids that the sites accept', () => {
  const random = streams(SEED, 'ids')(0);
  const ids = Array.from({ length: 1_000 }, () => madeUpId(random));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[a-z0-9]{16}$/.test(id))).toBe(true);
});

it('draws ranks from nearly a Zipf distribution', () => {
  const [count, draws] = [1_000, 50_000];
  const random = streams(SEED, 'ranks')(0);
  const drawnRanks = new Array<number>(count).fill(0);
  for (let i = 0; i < draws; i++) drawnRanks[zipfRank(random, count)]!++;
  const harmonic = Array.from({ length: count }, (_, rank) => 1 / (rank + 1)).reduce((a, b) => a + b);
  for (const decade of [
    [0, 10],
    [10, 100],
    [100, 1_000],
  ] as const) {
    const share = drawnRanks.slice(...decade).reduce((a, b) => a + b) / draws;
    const exact = Array.from({ length: decade[1] - decade[0] }, (_, i) => 1 / (decade[0] + i + 1)).reduce((a, b) => a + b) / harmonic;
    expect(Math.abs(share - exact)).toBeLessThan(0.06);
  }
});

it('generators apart are parts of one cycle, the first of which is that of the seed', () => {
  const [plain, first, second] = [randomFrom(SEED), randomApart(SEED, 0), randomApart(SEED, 1)];
  const firsts = Array.from({ length: 1_000 }, first);
  expect(firsts).toEqual(Array.from({ length: 1_000 }, plain));
  const seconds = new Set(Array.from({ length: 1_000 }, second));
  expect(firsts.filter((one) => seconds.has(one))).toEqual([]);
  for (let skipped = 0; skipped < 2 ** 24; skipped++) plain();
  expect(plain()).toBe(second());
});
