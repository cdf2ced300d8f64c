import { ClaretError, type Claret } from '@claret/client';
import { expect, it } from 'vitest';
import { runLoad, type Figures } from './load.ts';
import { Latencies } from './latencies.ts';

const counters = { retries: 7 };
const claret = { counters } as unknown as Claret;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const never = new AbortController().signal;

/** Times and rates of reports are rounded to tenths. */
function expectAbout(product: number, count: number): void {
  expect(product / count).toBeGreaterThan(0.85);
  expect(product / count).toBeLessThan(1.15);
}

it('a load has one transaction in flight per client, and ends when its time is over', async () => {
  const told: Figures[] = [];
  let [underWay, most, done] = [0, 0, 0];
  const one = async () => {
    most = Math.max(most, ++underWay);
    await sleep(2);
    counters.retries++;
    underWay--;
    done++;
  };
  const all = await runLoad(claret, one, { clients: 5, seconds: 1.2, stop: never, tell: (figures) => told.push(figures), over: () => {} });
  expect(most).toBe(5);
  expect(underWay).toBe(0);
  expect(all.committed).toBe(done);
  expect(all.done_s).toBeGreaterThanOrEqual(1.2);
  expect(all.retries_per_commit).toBe(1);
  expect(all.p50_ms).toBeGreaterThan(1.5);
  expect(all.p99_ms).toBeGreaterThanOrEqual(all.p50_ms!);
  expect(told.length).toBeGreaterThanOrEqual(2);
  expect(told[0]).toMatchObject({ committed: 0, committed_per_s: 0, retries_per_commit: null, p50_ms: null });
  // Each report covers the time since the previous one.
  expectAbout(told[1]!.committed_per_s * (told[1]!.done_s - told[0]!.done_s), told[1]!.committed);
});

it('a load ends at once when it is stopped', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  const { done_s, of_s } = await runLoad(claret, () => sleep(1), {
    clients: 3,
    seconds: 60,
    stop: stop.signal,
    tell: () => {},
    over: () => {},
  });
  expect(of_s).toBe(60);
  expect(done_s).toBeLessThan(30);
});

it('rates cover the time under load, however long the last transactions take', async () => {
  const begunMs = performance.now();
  const over = Promise.withResolvers<void>();
  let [begun, ended, overMs, endedBefore] = [0, 0, 0, 0];
  const told: Figures[] = [];
  const slow = async () => {
    if (++begun <= 100) await sleep(5);
    else {
      await over.promise;
      await sleep(1_500);
    }
    ended++;
    counters.retries++;
  };
  const all = await runLoad(claret, slow, {
    clients: 4,
    seconds: 1,
    stop: never,
    tell: (figures) => told.push(figures),
    over: () => {
      overMs = performance.now() - begunMs;
      endedBefore = ended;
      over.resolve();
    },
  });
  expect(overMs).toBeGreaterThan(950);
  const endedMs = performance.now() - begunMs;
  expect(endedMs - overMs).toBeGreaterThan(1_400);
  expect(Math.abs(all.done_s - overMs / 1000)).toBeLessThan(0.5);
  expect(all.committed).toBeGreaterThan(endedBefore);
  expectAbout(all.committed_per_s * all.done_s, endedBefore);
  expect(all.retries_per_commit).toBe(1);
  expect(told.at(-1)!.done_s).toBeLessThanOrEqual(all.done_s);
});

it('failed transactions are counted, and the next one follows after a pause', async () => {
  let tries = 0;
  const one = async () => {
    tries++;
    throw new ClaretError({ code: 'gave_up', message: 'no' });
  };
  const { failed, committed, p50_ms } = await runLoad(claret, one, {
    clients: 2,
    seconds: 0.3,
    stop: never,
    tell: () => {},
    over: () => {},
  });
  expect(failed).toBe(tries);
  expect(tries).toBeLessThan(20);
  expect([committed, p50_ms]).toEqual([0, null]);
});

it('a bug in the driver ends the load', async () => {
  const one = () => Promise.reject(new TypeError('mistake'));
  await expect(runLoad(claret, one, { clients: 3, seconds: 60, stop: never, tell: () => {}, over: () => {} })).rejects.toThrow('mistake');
});

it('quantiles of latencies are off by 4 % at most', () => {
  const latencies = new Latencies();
  expect(latencies.quantile(0.5)).toBeNull();
  for (let ms = 1; ms <= 1000; ms++) latencies.add(ms);
  for (const share of [0.01, 0.5, 0.99, 1]) {
    const exact = 1000 * share;
    expect(latencies.quantile(share)! / exact).toBeGreaterThanOrEqual(0.999);
    expect(latencies.quantile(share)! / exact).toBeLessThan(1.045);
  }
  latencies.clear();
  expect(latencies.quantile(0.5)).toBeNull();
  latencies.add(0);
  latencies.add(1e12);
  expect(latencies.quantile(0.5)).toBeCloseTo(0.01);
});
