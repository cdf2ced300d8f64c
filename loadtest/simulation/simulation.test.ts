// The simulation on a fixed set of seeds: every plan and every workload, each run judged by the history check.
import { expect, test } from 'vitest';
import { KEPT } from './kept.ts';
import { PLANS } from './plans/index.ts';
import { run } from './run.ts';
import { WORKLOADS } from './workloads/index.ts';

const MINUTES = 0.03;

/** Each plan meets each workload. */
const PAIRS = PLANS.flatMap((plan, i) => WORKLOADS.map((workload, j) => ({ plan: plan.name, workload: workload.name, seed: 100 * (i + 1) + j })));

test.each(PAIRS)('nothing is violated by $workload under the plan $plan', async ({ plan, workload, seed }) => {
  const { violations, committed, history } = await run({ seed, minutes: MINUTES, plan, workload });
  expect(violations).toEqual([]);
  expect(committed).toBeGreaterThan(0);
  expect(history.some(({ label }) => label === 'FinalRead')).toBe(true);
});

test.each(KEPT)('nothing is violated any more by seed $seed under $plan with $workload', async ({ why, ...options }) => {
  expect((await run(options)).violations, why).toEqual([]);
});

test('a seed gives the same run again, every byte and every event, and another seed another', async () => {
  const once = await run({ seed: 7, minutes: MINUTES, plan: 'everything' });
  const again = await run({ seed: 7, minutes: MINUTES, plan: 'everything' });
  expect(again).toEqual(once);
  expect((await run({ seed: 8, minutes: MINUTES, plan: 'everything' })).digest).not.toBe(once.digest);
});
