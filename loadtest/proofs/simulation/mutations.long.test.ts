// The simulation and the check of histories find mistakes of the core: each within a number of seeds. The core's own tests find each of them in
// seconds (`npm run test:long -- --only mistakes`); these runs prove that what clients would see is seen.
//
// The other mistakes of chains and of epochs are not here: clients begin anew before those of chains do harm, and those of epochs need rare
// schedules.
import { expect, test } from 'vitest';
import { shardsWith } from '../mutants.ts';
import type { Mutation } from '../mutants.ts';
import { CUTS, dividedBy, isDivided, ofExecInside } from './native-cut.ts';
import { run } from './run.ts';

const MINUTES = 0.05;
/** Short, so that a run is judged in several parts. */
const PART_MS = 1_500;

interface Case {
  readonly mutation: Mutation;
  readonly plan: string;
  readonly workload: string;
  readonly seedsMax: number;
  /** default 1 */
  readonly firstSeed?: number;
  /** of a seed; default MINUTES */
  readonly minutes?: number;
}

const MUTATIONS: readonly Case[] = [
  { mutation: 'skip-conflict', plan: 'calm', workload: 'mixed', seedsMax: 5 },
  { mutation: 'commit-twice', plan: 'calm', workload: 'mixed', seedsMax: 5 },
  { mutation: 'checkpoint-keeps-flags', plan: 'disks', workload: 'wide', seedsMax: 10 },
  { mutation: 'answers-not-put', plan: 'disks', workload: 'retried', seedsMax: 10 },
  { mutation: 'native-overtakes-own', plan: 'calm', workload: 'native-pipes', seedsMax: 20 },
  { mutation: 'skip-dependent', plan: 'calm', workload: 'readers', seedsMax: 10 },
  { mutation: 'missing-vote-is-yes', plan: 'breaks', workload: 'wide', seedsMax: 25 },
  { mutation: 'forget-abort', plan: 'breaks', workload: 'mixed', seedsMax: 40 },
  { mutation: 'release-reads-at-vote', plan: 'calm', workload: 'upgraders', seedsMax: 20 },
  { mutation: 'wounded-may-wait', plan: 'calm', workload: 'transfers', seedsMax: 20 },
  { mutation: 'forget-vote-at-restart', plan: 'crashes', workload: 'wide', seedsMax: 25 },
  { mutation: 'answer-before-durable', plan: 'crashes', workload: 'transfers', seedsMax: 40 },
  { mutation: 'checkpoint-before-leaving', plan: 'disks', workload: 'bulk-locks', seedsMax: 20, minutes: 0.3 },
  { mutation: 'checkpoint-forgets-votes', plan: 'disks', workload: 'wide', seedsMax: 10 },
  { mutation: 'checkpoint-mixes-parts', plan: 'disks', workload: 'hot-sets', seedsMax: 10 },
  { mutation: 'checkpoint-begins-late', plan: 'disks', workload: 'wide', seedsMax: 10 },
  { mutation: 'answers-not-logged', plan: 'crashes', workload: 'retried', seedsMax: 10 },
  { mutation: 'refuse-far-outcome', plan: 'clocks', workload: 'transfers', seedsMax: 10 },
  { mutation: 'start-ahead', plan: 'crashes', workload: 'transfers', seedsMax: 10 },
  { mutation: 'start-below-ceiling', plan: 'clocks', workload: 'hot-sets', seedsMax: 20 },
  { mutation: 'native-ignores-votes', plan: 'calm', workload: 'natives', seedsMax: 20 },
  { mutation: 'native-spares-readers', plan: 'calm', workload: 'natives', seedsMax: 10 },
  { mutation: 'withdrawn-counts-as-done', plan: 'breaks', workload: 'natives', seedsMax: 20 },
  { mutation: 'resumed-session-stands', plan: 'breaks', workload: 'native-results', seedsMax: 20 },
  { mutation: 'serial-repeats', plan: 'calm', workload: 'identifiers', seedsMax: 5 },
  { mutation: 'natives-not-numbered', plan: 'crashes', workload: 'native-results', seedsMax: 20 },
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
  { mutation: 'expect-not-compared', plan: 'calm', workload: 'guessed', seedsMax: 10 },
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
  { mutation: 'epoch-takes-old-answers', plan: 'doubts', workload: 'epochs', firstSeed: 5_400, seedsMax: 1_000, minutes: 0.2 },
  { mutation: 'skip-dependent', plan: 'calm', workload: 'own-types', seedsMax: 20 },
  { mutation: 'answer-before-durable', plan: 'crashes', workload: 'own-types', seedsMax: 30 },
  { mutation: 'not-before-ignored', plan: 'leases', workload: 'elsewhere', seedsMax: 20 },
];

/** Lulls take time: a few kinds of mistakes represent all. */
const IN_PARTS = MUTATIONS.filter(({ mutation }) =>
  ['skip-conflict', 'commit-twice', 'checkpoint-keeps-flags', 'answers-not-put', 'native-overtakes-own'].includes(mutation),
);

/** The rule by which the mistake is found; undefined: it is not. */
async function ruleThatFinds(one: Case, partMs?: number): Promise<string | undefined> {
  const { mutation, plan, workload, seedsMax, firstSeed = 1, minutes = MINUTES } = one;
  const createShard = shardsWith(mutation);
  let tried = 0;
  let rule: string | undefined;
  while (rule === undefined && tried < seedsMax) {
    const { violations } = await run({ seed: firstSeed + tried++, minutes, plan, workload, createShard, partMs, endsAtViolation: true });
    rule = violations[0]?.rule;
  }
  console.log(`${mutation}: ${tried} of ${seedsMax} seeds (${plan}, ${workload}), by the rule "${rule}"`);
  return rule;
}

test.each(MUTATIONS)('$mutation is found by $workload within $seedsMax seeds', async (one) => {
  expect(await ruleThatFinds(one)).toBeDefined();
});

test.each(IN_PARTS)('$mutation is found if settled attempts are dropped', async (one) => {
  expect(await ruleThatFinds(one, PART_MS)).toBeDefined();
});

test('natives-not-cut is found', () => {
  expect(CUTS.filter((count) => isDivided(dividedBy(shardsWith('natives-not-cut'), count)))).toEqual([]);
});

test('commands-divided is found', () => {
  expect(CUTS.map((ticks) => ofExecInside(shardsWith('commands-divided'), ticks))).toEqual(CUTS);
});

test('without a mistake the same addon passes the same runs', async () => {
  for (const [plan, workload] of new Map(
    MUTATIONS.map((one) => [`${one.plan} ${one.workload}`, [one.plan, one.workload] as const]),
  ).values()) {
    const { violations } = await run({ seed: 1, minutes: MINUTES, plan, workload, createShard: shardsWith('none') });
    expect(violations, `${plan}, ${workload}`).toEqual([]);
  }
});
