// The check of histories finds mistakes of the core. Few represent all: mutations.long.test.ts has the others. (Needs the addon claret_mutants:
// `npm test -- --only sim` builds it.)
import { expect, test } from 'vitest';
import { QUICK_CASES, ruleThatFinds, violationsWithoutMistake } from './mutations.ts';

/** Short, so that the run is judged in several parts. */
const PART_MS = 1_500;

test.each(QUICK_CASES)('$mutation is found by $workload within $seedsMax seeds', async (one) => {
  expect(await ruleThatFinds(one)).toBeDefined();
});

test.each(QUICK_CASES)('$mutation is found if settled attempts are dropped', async (one) => {
  expect(await ruleThatFinds(one, PART_MS)).toBeDefined();
});

test('without a mistake the same addon passes the same runs', async () => {
  expect(await violationsWithoutMistake(QUICK_CASES)).toEqual([]);
});
