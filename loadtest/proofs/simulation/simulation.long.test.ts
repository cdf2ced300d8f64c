// Every plan with every workload.
import { expect, test } from 'vitest';
import { PAIRS, problemsOf } from './pairs.ts';

test.each(PAIRS)('$workload violates nothing under the plan $plan', async (pair) => {
  expect(await problemsOf(pair)).toEqual([]);
});
