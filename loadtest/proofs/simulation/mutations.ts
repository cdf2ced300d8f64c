// Where the simulation finds mistakes of the core: a plan and a workload in which each shows, and the greatest number of seeds needed. The core's
// own tests find each of them in seconds (`npm run test:long -- --only mistakes`); these cases prove that the simulation and the check of
// histories see what clients would see.
//
// The other mistakes of chains and of epochs are not here: clients begin anew before those of chains do harm, and those of epochs need rare
// schedules.
import { shardsWith } from '../mutants.ts';
import type { Mutation } from '../mutants.ts';
import { run } from './run.ts';

const MINUTES = 0.05;

export interface Case {
  readonly mutation: Mutation;
  readonly plan: string;
  readonly workload: string;
  readonly seedsMax: number;
  /** of a seed; default MINUTES */
  readonly minutes?: number;
}

/** Some that take the least time; part of each test run. */
export const QUICK_CASES: readonly Case[] = [
  { mutation: 'skip-conflict', plan: 'calm', workload: 'mixed', seedsMax: 5 },
  { mutation: 'commit-twice', plan: 'calm', workload: 'mixed', seedsMax: 5 },
  { mutation: 'checkpoint-keeps-flags', plan: 'disks', workload: 'wide', seedsMax: 10 },
  { mutation: 'answers-not-put', plan: 'disks', workload: 'retried', seedsMax: 10 },
  { mutation: 'native-overtakes-own', plan: 'calm', workload: 'native-pipes', seedsMax: 20 },
];

export const OTHER_CASES: readonly Case[] = [
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

/**
 * Runs seeds until the mistake is found, and returns the rule that was violated; undefined: it is not found. `partMs`: the history is judged in
 * parts, and settled attempts are dropped.
 */
export async function ruleThatFinds(one: Case, partMs?: number): Promise<string | undefined> {
  const { mutation, plan, workload, seedsMax, minutes = MINUTES } = one;
  const createShard = shardsWith(mutation);
  let seed = 0;
  let rule: string | undefined;
  while (rule === undefined && seed < seedsMax) {
    const { violations } = await run({ seed: ++seed, minutes, plan, workload, createShard, partMs, endsAtViolation: true });
    rule = violations[0]?.rule;
  }
  console.log(`${mutation}: ${seed} of ${seedsMax} seeds (${plan}, ${workload}), by the rule "${rule}"`);
  return rule;
}

/** What is violated in the same runs without a mistake: nothing, if all is well. */
export async function violationsWithoutMistake(cases: readonly Case[]): Promise<unknown[]> {
  const places = new Map(cases.map(({ plan, workload }) => [`${plan} ${workload}`, { plan, workload }]));
  const found: unknown[] = [];
  for (const place of places.values()) {
    const { violations } = await run({ seed: 1, minutes: MINUTES, ...place, createShard: shardsWith('none') });
    found.push(...violations.map((violation) => ({ ...place, violation })));
  }
  return found;
}
