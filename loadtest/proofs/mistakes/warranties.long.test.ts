// The simulation finds mistakes of the client and of the core about warranties, and clocks that are further off than warranties allow.
import { expect, test } from 'vitest';
import { shardsWith } from '../mutants.ts';
import { WRONG_PLANS } from '../simulation/plans/index.ts';
import { run, type RunOptions } from '../simulation/run.ts';
import { seedsUntilFound } from './seeds-until-found.ts';
import { CLIENT_CASES, CORE_CASES } from './warranty-cases.ts';

const MINUTES = 0.1;
const WRONG_SEEDS_MAX = 40;

/** Runs seeds until one violates something. */
async function firstRule(
  options: Omit<RunOptions, 'seed' | 'minutes'>,
  seedsMax: number,
): Promise<[seed: number, rule: string | undefined]> {
  let seed = 0;
  let rule: string | undefined;
  while (rule === undefined && seed < seedsMax) rule = (await run({ ...options, seed: ++seed, minutes: MINUTES })).violations[0]?.rule;
  return [seed, rule];
}

test.each(CLIENT_CASES)("the client's $mistake is found within $seedsMax seeds", async (one) => {
  const { seeds, rule } = await seedsUntilFound(one);
  console.log(`${one.mistake}: ${seeds} of ${one.seedsMax} seeds (${one.plan}, ${one.workload}), by the rule "${rule}"`);
  expect(rule).not.toBe('nothing');
});

test.each(CORE_CASES)("the core's $mutation is found within $seedsMax seeds", async (one) => {
  const { mutation, plan, workload, seedsMax } = one;
  const [seeds, rule] = await firstRule({ plan, workload, createShard: shardsWith(mutation) }, seedsMax);
  console.log(`${mutation}: ${seeds} of ${seedsMax} seeds (${plan}, ${workload}), by the rule "${rule}"`);
  expect(rule).toBeDefined();
});

test.each(WRONG_PLANS)('the plan $name is found wrong', async ({ name }) => {
  const [seeds, rule] = await firstRule({ plan: name, workload: 'promised' }, WRONG_SEEDS_MAX);
  console.log(`${name}: ${seeds} of ${WRONG_SEEDS_MAX} seeds, by the rule "${rule}"`);
  expect(['result', 'order', 'linear']).toContain(rule);
});
