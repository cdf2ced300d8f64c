import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { randomFrom } from '../../kit/random.ts';
import { arrivalsMs, runOpen } from './arrivals.ts';

it('arrivals are a Poisson process: ascending, within the span, with exponential gaps, the same for a seed', () => {
  const times = arrivalsMs(randomFrom(1), 500, 20);
  expect(times).toEqual(arrivalsMs(randomFrom(1), 500, 20));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times[0]).toBeGreaterThan(0);
  expect(times.at(-1)).toBeLessThan(20_000);
  expect(times.length / 10_000).toBeCloseTo(1, 1);
  const gaps = times.slice(1).map((at, i) => at - times[i]!);
  // Of exponential gaps, e^-1 are longer than the mean; of equal ones, none.
  expect(gaps.filter((gap) => gap > 2).length / gaps.length).toBeCloseTo(Math.exp(-1), 2);
});

it('an action begins although earlier ones are still under way, and is told when it was due', async () => {
  const dues: number[] = [];
  let release = () => {};
  const all = new Promise<void>((resolve) => (release = resolve));
  const { abandoned, lateMs } = await runOpen(
    [0, 1, 2],
    (dueMs) => {
      dues.push(dueMs);
      if (dues.length === 3) release();
      return all;
    },
    3,
  );
  expect(abandoned).toBe(0);
  expect(lateMs).toHaveLength(3);
  expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(0);
  expect(dues.slice(1).map((due, i) => Math.round(1_000 * (due - dues[i]!)))).toEqual([1_000, 1_000]);
});

it('with too many under way no other begins, and the end waits for those that have begun', async () => {
  let [begun, ended] = [0, 0];
  const slow = async () => {
    begun++;
    await sleep(20);
    ended++;
  };
  const { abandoned } = await runOpen([0, 0, 0, 0, 0], slow, 2);
  expect([begun, ended, abandoned]).toEqual([2, 2, 3]);
  expect(await runOpen([], slow, 2)).toEqual({ lateMs: [], abandoned: 0 });
});
