// App servers that fall silent or die: a silence ends, and others, who were there before, have to do without them meanwhile.
import { expect, test } from 'vitest';
import { Chance } from '../../kit/random.ts';
import { FAULTS } from './faults.ts';
import { PART_MS, runInParts } from './lull.ts';
import type { Plan } from './plan.ts';
import { breaks } from './plans/breaks.ts';
import { silent } from './plans/silent.ts';
import { Simulation } from './simulation.ts';
import { transfers } from '../workloads/transfers.ts';

const RUN_MS = 2_000;
const SEEDS = [1, 2, 3, 4];
/** A little more than the longest lease of a session: until then a shard may hold what the absent one has left. */
const HELD_MS = 1_300;

interface Absence {
  readonly process: string;
  readonly fromMs: number;
  /** of a dead one: Infinity */
  toMs: number;
  /** the others that were running when it began */
  readonly others: readonly string[];
}

interface Watched {
  readonly absences: readonly Absence[];
  readonly commits: readonly { readonly process: string; readonly atMs: number }[];
}

/** A run, and what its app servers did, looked at every millisecond. */
async function watched(plan: Plan, seed: number): Promise<Watched> {
  const commits: { process: string; atMs: number }[] = [];
  const simulation = new Simulation({
    seed,
    plan,
    workload: transfers,
    onAttempt: (attempt) => {
      if (attempt.outcome === 'ok') commits.push({ process: attempt.process, atMs: attempt.return / 1e6 });
    },
  });
  const { world } = simulation;
  const absences = new Map<string, Absence>();
  const ended: Absence[] = [];
  let running: string[] = [];
  const look = () => {
    const { nowMs } = world;
    const present = simulation.appServers.filter(({ node }) => !node.isStalled).map(({ node }) => node.name);
    for (const process of running) {
      if (present.includes(process) || absences.has(process)) continue;
      absences.set(process, { process, fromMs: nowMs, toMs: Infinity, others: running.filter((other) => other !== process) });
    }
    for (const process of present) {
      const absence = absences.get(process);
      if (absence === undefined) continue;
      absence.toMs = nowMs;
      ended.push(absence);
      absences.delete(process);
    }
    running = simulation.appServers.map(({ node }) => node.name);
    world.after(1, look);
  };
  simulation.begin();
  look();
  await world.runUntil(runInParts(simulation, RUN_MS, PART_MS));
  return { absences: [...ended, ...absences.values()], commits };
}

/** Commits of others, while a shard may hold what the absent one has left. */
const meanwhileIn = ({ absences, commits }: Watched): number =>
  commits.filter(({ process, atMs }) =>
    absences.some(
      ({ fromMs, toMs, others }) => toMs - fromMs > HELD_MS && atMs > fromMs && atMs < fromMs + HELD_MS && others.includes(process),
    ),
  ).length;

test.each([silent, breaks])('under the plan $name others go on while an app server is away', async (plan) => {
  let commits = 0;
  for (const seed of SEEDS) {
    const seen = await watched(plan, seed);
    expect(
      seen.absences.filter(({ others }) => others.length > 0),
      `seed ${seed}: absences with others there`,
    ).not.toEqual([]);
    commits += meanwhileIn(seen);
  }
  console.log(`${plan.name}: ${commits} commits of others`);
  expect(commits).toBeGreaterThan(0);
});

test('silences do not prolong each other', () => {
  const simulation = new Simulation({ seed: 1, plan: silent, workload: transfers });
  simulation.begin();
  const chance = new Chance(1);
  for (let i = 0; i < 100; i++) FAULTS.stallClient(simulation, chance);
  const nodes = simulation.appServers.map(({ node }) => node);
  expect(nodes.length).toBeGreaterThan(1);
  expect(nodes.map(({ stalledMs }) => stalledMs)).toEqual(nodes.map(({ stalledUntilMs }) => stalledUntilMs));
  expect(nodes.every(({ isStalled }) => isStalled)).toBe(true);
});
