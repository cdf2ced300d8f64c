import { ClaretError, type Claret } from '@claret/client';
import { expect, it } from 'vitest';
import { runCrowd, type Figures } from './crowd.ts';
import { Latencies } from './latencies.ts';

const counters = { retries: 7 };
const claret = { counters } as unknown as Claret;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const never = new AbortController().signal;

it('a crowd has as many transactions under way as there are clients, and ends when its time is over', async () => {
  const told: Figures[] = [];
  let [underWay, most, done] = [0, 0, 0];
  const one = async () => {
    most = Math.max(most, ++underWay);
    await sleep(2);
    counters.retries++;
    underWay--;
    done++;
  };
  const all = await runCrowd(claret, one, { clients: 5, seconds: 1.2, stop: never, tell: (figures) => told.push(figures) });
  expect(most).toBe(5);
  expect(underWay).toBe(0);
  expect(all.committed).toBe(done);
  expect(all.done_s).toBeGreaterThanOrEqual(1.2);
  expect(all.done_s).toBeLessThan(3);
  expect(all.retries_per_commit).toBe(1);
  expect(all.p50_ms).toBeGreaterThan(1.5);
  expect(all.p99_ms).toBeGreaterThanOrEqual(all.p50_ms!);
  expect(told.length).toBeGreaterThanOrEqual(2);
  expect(told[0]).toMatchObject({ committed: 0, committed_per_s: 0, retries_per_commit: null, p50_ms: null });
  // Each telling is of the time since the one before.
  expect(told[1]!.committed_per_s * (told[1]!.done_s - told[0]!.done_s)).toBeCloseTo(told[1]!.committed, -2);
});

it('a crowd that is told to stop ends at once', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  const { done_s, of_s } = await runCrowd(claret, () => sleep(1), { clients: 3, seconds: 60, stop: stop.signal, tell: () => {} });
  expect(of_s).toBe(60);
  expect(done_s).toBeLessThan(2);
});

it('what cannot be done is counted, and not tried again without a pause', async () => {
  let tries = 0;
  const one = async () => {
    tries++;
    throw new ClaretError({ code: 'gave_up', message: 'no' });
  };
  const { failed, committed, p50_ms } = await runCrowd(claret, one, { clients: 2, seconds: 0.3, stop: never, tell: () => {} });
  expect(failed).toBe(tries);
  expect(tries).toBeLessThan(20);
  expect([committed, p50_ms]).toEqual([0, null]);
});

it('a mistake of the driver itself ends it', async () => {
  const one = () => Promise.reject(new TypeError('mistake'));
  await expect(runCrowd(claret, one, { clients: 3, seconds: 60, stop: never, tell: () => {} })).rejects.toThrow('mistake');
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
