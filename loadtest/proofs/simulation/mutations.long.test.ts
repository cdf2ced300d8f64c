// The check of histories finds every mistake of the core that shows in the simulation.
import { expect, test } from 'vitest';
import { OTHER_CASES, ruleThatFinds, violationsWithoutMistake } from './mutations.ts';

const TIMEOUT_MS = 600_000;

test.each(OTHER_CASES)('$mutation is found by $workload within $seedsMax seeds', { timeout: TIMEOUT_MS }, async (one) => {
  expect(await ruleThatFinds(one)).toBeDefined();
});

test('without a mistake the same addon passes the same runs', { timeout: TIMEOUT_MS }, async () => {
  expect(await violationsWithoutMistake(OTHER_CASES)).toEqual([]);
});
