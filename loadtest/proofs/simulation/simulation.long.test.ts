// Every plan with every workload, and the runs that once failed.
import { expect, test } from 'vitest';
import { KEPT } from './kept.ts';
import { PAIRS, problemsOf } from './pairs.ts';
import { run } from './run.ts';

test.each(PAIRS)('$workload violates nothing under the plan $plan', async (pair) => {
  expect(await problemsOf(pair)).toEqual([]);
});

test.each(KEPT)('seed $seed under $plan with $workload no longer violates anything', async ({ why, ...options }) => {
  expect((await run(options)).violations, why).toEqual([]);
});
