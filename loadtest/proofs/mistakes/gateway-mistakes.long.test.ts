// The simulation finds the other mistakes of the gateway, and those of the core that matter at a take-over, or when slots move.
import { expect, test } from 'vitest';
import { shardsWith } from '../mutants.ts';
import type { Mutation } from '../mutants.ts';
import { run } from '../simulation/run.ts';
import { OTHER_CASES } from './gateway-cases.ts';
import { seedsUntilFound } from './seeds-until-found.ts';

const MINUTES = 0.1;

test.each(OTHER_CASES)('$mistake is found within $seedsMax seeds', async (one) => {
  const { seeds, rule } = await seedsUntilFound(one);
  console.log(`${one.mistake}: ${seeds} of ${one.seedsMax} seeds (${one.plan}, ${one.workload}), by the rule "${rule}"`);
  expect(rule).not.toBe('nothing');
});

const CORE: readonly { mutation: Mutation; plan: string; workload: string; seedsMax: number }[] = [
  { mutation: 'forget-vote-at-restart', plan: 'takeover', workload: 'wide', seedsMax: 30 },
  { mutation: 'answer-before-durable', plan: 'takeover', workload: 'transfers', seedsMax: 30 },
  { mutation: 'answers-not-logged', plan: 'takeover', workload: 'retried', seedsMax: 30 },
  { mutation: 'start-below-ceiling', plan: 'takeover', workload: 'transfers', seedsMax: 30 },
  { mutation: 'checkpoint-forgets-votes', plan: 'takeover', workload: 'wide', seedsMax: 30 },
  { mutation: 'checkpoint-begins-late', plan: 'takeover', workload: 'wide', seedsMax: 30 },
  { mutation: 'changed-not-copied', plan: 'moves', workload: 'mixed', seedsMax: 10 },
  { mutation: 'answers-not-moved', plan: 'moves', workload: 'retried', seedsMax: 10 },
  { mutation: 'answers-not-moved', plan: 'moves-takeover', workload: 'retried', seedsMax: 20 },
  // With the workload `wide` a check of the core ends the process at once.
  { mutation: 'forget-vote-at-restart', plan: 'moves-takeover', workload: 'transfers', seedsMax: 30 },
];

test.each(CORE)("the core's $mutation is found under $plan within $seedsMax seeds", async (one) => {
  const { mutation, plan, workload, seedsMax } = one;
  const createShard = shardsWith(mutation);
  let seed = 0;
  let rule: string | undefined;
  while (rule === undefined && seed < seedsMax)
    rule = (await run({ seed: ++seed, minutes: MINUTES, plan, workload, createShard, endsAtViolation: true })).violations[0]?.rule;
  console.log(`${mutation}: ${seed} of ${seedsMax} seeds (${plan}, ${workload}), by the rule "${rule}"`);
  expect(rule).toBeDefined();
});
