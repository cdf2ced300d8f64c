// The simulation finds mistakes of the gateway. They are put into the source while it is loaded, so each runs in a process of its own. Few
// represent all: the others are in gateway-mistakes.long.test.ts, those of the core in proofs/simulation/mutations.long.test.ts.
import { expect, test } from 'vitest';
import { OTHER_CASES, QUICK_CASES } from './gateway-cases.ts';
import { GATEWAY_MISTAKES } from './gateway-mistakes.ts';
import { seedsUntilFound } from './seeds-until-found.ts';

test.each(QUICK_CASES)('$mistake is found within $seedsMax seeds', { timeout: 120_000 }, async (one) => {
  const { seeds, rule } = await seedsUntilFound(one);
  console.log(`${one.mistake}: ${seeds} of ${one.seedsMax} seeds (${one.plan}, ${one.workload}), by the rule "${rule}"`);
  expect(rule).not.toBe('nothing');
});

test('each mistake has its case', () => {
  const names = [...QUICK_CASES, ...OTHER_CASES].map(({ mistake }) => mistake);
  expect(names.toSorted()).toEqual(GATEWAY_MISTAKES.map(({ name }) => name).toSorted());
});
