// The simulation on a fixed set of seeds: every plan and every workload, each run judged by the history check.
import { expect, test } from 'vitest';
import { PLANS } from './plans/index.ts';
import { run } from './run.ts';

const MINUTES = 0.05;

test.each(PLANS.map(({ name }, i) => ({ plan: name, seed: 100 + i })))('nothing is violated under the plan $plan', async ({ plan, seed }) => {
  const { violations, committed, history } = await run({ seed, minutes: MINUTES, plan });
  expect(violations).toEqual([]);
  expect(committed).toBeGreaterThan(20);
  expect(history.some(({ label }) => label === 'FinalRead')).toBe(true);
});

test('a seed gives the same run again, every byte and every event, and another seed another', async () => {
  const once = await run({ seed: 7, minutes: MINUTES, plan: 'everything' });
  const again = await run({ seed: 7, minutes: MINUTES, plan: 'everything' });
  expect(again).toEqual(once);
  expect((await run({ seed: 8, minutes: MINUTES, plan: 'everything' })).digest).not.toBe(once.digest);
});
