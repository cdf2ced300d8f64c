// The history check detects mistakes: each deliberate mistake in the core is found within a given number of seeds. (Needs the addon
// claret_mutants: `npm test -- --only sim` builds it.)
import { expect, test } from 'vitest';
import { shardsWith } from '../mutants.ts';
import type { Mutation } from '../mutants.ts';
import { run } from './run.ts';

const MINUTES = 0.05;

/** Short, so that the run is judged in several parts. */
const PART_MS = 1_500;

interface Case {
  mutation: Mutation;
  plan: string;
  workload: string;
  seedsMax: number;
  /** of a seed; default MINUTES */
  minutes?: number;
}

/**
 * A plan and a workload in which each mistake shows, and the greatest number of seeds needed. The other mistakes of chains and of epochs are found by
 * directed tests of the core (`npm run test:long`): clients begin anew before those of chains do harm, and those of epochs need rare schedules.
 */
const MUTATIONS: Case[] = [
  { mutation: 'skip-conflict', plan: 'calm', workload: 'mixed', seedsMax: 5 },
  { mutation: 'skip-dependent', plan: 'calm', workload: 'readers', seedsMax: 10 },
  { mutation: 'commit-twice', plan: 'calm', workload: 'mixed', seedsMax: 5 },
  { mutation: 'missing-vote-is-yes', plan: 'breaks', workload: 'wide', seedsMax: 25 },
  { mutation: 'forget-abort', plan: 'breaks', workload: 'mixed', seedsMax: 40 },
  { mutation: 'release-reads-at-vote', plan: 'calm', workload: 'upgraders', seedsMax: 20 },
  { mutation: 'wounded-may-wait', plan: 'calm', workload: 'transfers', seedsMax: 20 },
  { mutation: 'forget-vote-at-restart', plan: 'crashes', workload: 'wide', seedsMax: 25 },
  { mutation: 'answer-before-durable', plan: 'crashes', workload: 'transfers', seedsMax: 40 },
  { mutation: 'checkpoint-keeps-flags', plan: 'disks', workload: 'wide', seedsMax: 10 },
  { mutation: 'checkpoint-before-leaving', plan: 'disks', workload: 'bulk-locks', seedsMax: 20, minutes: 0.3 },
  { mutation: 'checkpoint-forgets-votes', plan: 'disks', workload: 'wide', seedsMax: 10 },
  { mutation: 'checkpoint-mixes-parts', plan: 'disks', workload: 'hot-sets', seedsMax: 10 },
  { mutation: 'checkpoint-begins-late', plan: 'disks', workload: 'wide', seedsMax: 10 },
  { mutation: 'answers-not-logged', plan: 'crashes', workload: 'retried', seedsMax: 10 },
  { mutation: 'answers-not-put', plan: 'disks', workload: 'retried', seedsMax: 10 },
  { mutation: 'refuse-far-outcome', plan: 'clocks', workload: 'transfers', seedsMax: 10 },
  { mutation: 'start-ahead', plan: 'crashes', workload: 'transfers', seedsMax: 10 },
  { mutation: 'start-below-ceiling', plan: 'clocks', workload: 'hot-sets', seedsMax: 20 },
  { mutation: 'native-ignores-votes', plan: 'calm', workload: 'natives', seedsMax: 20 },
  { mutation: 'native-spares-readers', plan: 'calm', workload: 'natives', seedsMax: 10 },
  { mutation: 'withdrawn-counts-as-done', plan: 'breaks', workload: 'natives', seedsMax: 20 },
  { mutation: 'resumed-session-stands', plan: 'breaks', workload: 'native-results', seedsMax: 20 },
  { mutation: 'natives-not-numbered', plan: 'crashes', workload: 'native-results', seedsMax: 20 },
  { mutation: 'native-overtakes-own', plan: 'calm', workload: 'native-pipes', seedsMax: 20 },
  { mutation: 'newcomers-pass-natives', plan: 'calm', workload: 'native-pipes', seedsMax: 20 },
  { mutation: 'natives-not-positioned', plan: 'disks', workload: 'natives', seedsMax: 20 },
  { mutation: 'commands-divided', plan: 'calm', workload: 'resp', seedsMax: 5 },
  { mutation: 'one-shot-ignores-votes', plan: 'calm', workload: 'mixed', seedsMax: 10 },
  { mutation: 'foreign-on-run', plan: 'calm', workload: 'hot-forecast', seedsMax: 10 },
  { mutation: 'no-undo', plan: 'calm', workload: 'hot-forecast', seedsMax: 10 },
  { mutation: 'not-executed-again', plan: 'calm', workload: 'hot-forecast', seedsMax: 60 },
  { mutation: 'lock-on-tip', plan: 'calm', workload: 'hot-forecast', seedsMax: 20 },
  { mutation: 'native-on-tip', plan: 'calm', workload: 'hot-forecast', seedsMax: 20 },
  { mutation: 'board-of-two-times', plan: 'calm', workload: 'hot-forecast', seedsMax: 10 },
  { mutation: 'watch-of-tip', plan: 'calm', workload: 'hot-forecast', seedsMax: 10 },
  { mutation: 'peek-of-tip', plan: 'calm', workload: 'hot-forecast', seedsMax: 60 },
  { mutation: 'peek-any-time', plan: 'calm', workload: 'hot-forecast', seedsMax: 10 },
  { mutation: 'logged-at-entry', plan: 'crashes', workload: 'hot-forecast', seedsMax: 10 },
  { mutation: 'own-vote-is-time', plan: 'calm', workload: 'hot-wide', seedsMax: 10 },
  { mutation: 'change-violates-warranty', plan: 'calm', workload: 'promised', seedsMax: 10 },
  { mutation: 'expect-not-compared', plan: 'calm', workload: 'elsewhere', seedsMax: 10 },
  { mutation: 'past-ignores-votes', plan: 'calm', workload: 'as-of', seedsMax: 10 },
  { mutation: 'past-leaves-clock', plan: 'calm', workload: 'as-of', seedsMax: 20 },
  { mutation: 'past-forgets-overtaken', plan: 'calm', workload: 'as-of', seedsMax: 20 },
  { mutation: 'snapshot-ignores-age', plan: 'clocks', workload: 'snapshots', seedsMax: 10 },
  { mutation: 'snapshot-forgets-votes', plan: 'clocks', workload: 'snapshots', seedsMax: 40 },
  { mutation: 'snapshot-no-first-committer', plan: 'calm', workload: 'snapshots', seedsMax: 10 },
  { mutation: 'epoch-ignores-holders', plan: 'calm', workload: 'epochs', seedsMax: 5 },
  { mutation: 'epoch-joins-readers', plan: 'calm', workload: 'epochs', seedsMax: 5 },
  { mutation: 'epoch-vote-order', plan: 'calm', workload: 'epochs', seedsMax: 10 },
  { mutation: 'epoch-half', plan: 'calm', workload: 'epochs', seedsMax: 5 },
  { mutation: 'epoch-forgets-list', plan: 'crashes', workload: 'epochs', seedsMax: 80 },
  { mutation: 'epoch-seals-without', plan: 'everything', workload: 'epochs', seedsMax: 40 },
  { mutation: 'skip-dependent', plan: 'calm', workload: 'own-types', seedsMax: 20 },
  { mutation: 'answer-before-durable', plan: 'crashes', workload: 'own-types', seedsMax: 30 },
  { mutation: 'not-before-ignored', plan: 'leases', workload: 'elsewhere', seedsMax: 20 },
];

/** Runs seeds until the mistake is found. */
async function seedsUntilFound(
  { mutation, plan, workload, seedsMax, minutes = MINUTES }: Case,
  partMs?: number,
): Promise<[seeds: number, rule: string]> {
  const createShard = shardsWith(mutation);
  for (let seed = 1; seed <= seedsMax; seed++) {
    const { violations } = await run({ seed, minutes, plan, workload, createShard, partMs, endsAtViolation: true });
    if (violations.length > 0) return [seed, violations[0]!.rule];
  }
  return [seedsMax + 1, 'nothing'];
}

test.each(MUTATIONS)('$mutation is found by $workload within $seedsMax seeds', async (one) => {
  const [seeds, rule] = await seedsUntilFound(one);
  console.log(`${one.mutation}: ${seeds} of ${one.seedsMax} seeds (${one.plan}, ${one.workload}), by the rule "${rule}"`);
  expect(seeds).toBeLessThanOrEqual(one.seedsMax);
});

/** Lulls take time: a few kinds of mistakes represent all. */
const IN_PARTS = MUTATIONS.filter(({ mutation }) =>
  ['skip-conflict', 'commit-twice', 'checkpoint-keeps-flags', 'answers-not-put', 'native-overtakes-own'].includes(mutation),
);

test.each(IN_PARTS)('$mutation is found if settled attempts are dropped', async (one) => {
  const [seeds, rule] = await seedsUntilFound(one, PART_MS);
  console.log(`${one.mutation}: ${seeds} of ${one.seedsMax} seeds in parts, by the rule "${rule}"`);
  expect(seeds).toBeLessThanOrEqual(one.seedsMax);
});

test('without a mistake the same addon passes the same runs', async () => {
  for (const [plan, workload] of new Map(
    MUTATIONS.map(({ plan, workload }) => [`${plan} ${workload}`, [plan, workload] as const]),
  ).values()) {
    const { violations } = await run({ seed: 1, minutes: MINUTES, plan, workload, createShard: shardsWith('none') });
    expect(violations, `${plan}, ${workload}`).toEqual([]);
  }
});
