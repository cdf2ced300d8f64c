// App servers whose machines are suspended with commits under way. Their steady clocks stand still meanwhile, and the shards forget what became of
// these commits: the clients must not take them for aborted.
import { expect, test } from 'vitest';
import { runInParts } from './lull.ts';
import { calm } from './plans/calm.ts';
import { comeToRest } from './rest.ts';
import { Simulation } from './simulation.ts';
import { WORKLOADS } from '../workloads/index.ts';

const SUSPENDED_AT_MS = 400;
/** Longer than the longest time limit and the 10 s for which shards remember an outcome. */
const SUSPENDED_MS = 20_000;

/** Bodies by locks, in chains and in batches. Answers of commits are lost with some seeds, now with these first ones. */
const RUNS = [
  { workload: 'transfers', first: 1 },
  { workload: 'hot-sets', first: 7 },
  { workload: 'hot-wide', first: 2 },
];
const SEEDS_MAX = 30;

/** @returns how many commits had an outcome that the client could not find out */
async function unknownAfterSuspension(workload: string, seed: number): Promise<number> {
  const simulation = new Simulation({ seed, plan: calm, workload: WORKLOADS.find(({ name }) => name === workload)! });
  const { world, network, servers } = simulation;
  simulation.begin();
  world.after(SUSPENDED_AT_MS, () => {
    for (const { node } of simulation.appServers) {
      for (const { name } of servers) network.breakBetween(node.name, name);
      node.suspend(SUSPENDED_MS);
    }
  });
  const all = async () => {
    await runInParts(simulation, SUSPENDED_AT_MS + SUSPENDED_MS, Infinity);
    await comeToRest(simulation);
    simulation.judge.end();
  };
  await world.runUntil(all());
  // Under the plan `calm` nothing may take long.
  expect(
    simulation.violations.filter(({ rule }) => rule !== 'liveness'),
    `seed ${seed}`,
  ).toEqual([]);
  return simulation.counts.unknown;
}

test.each(RUNS)('a client that was suspended takes no commit for aborted ($workload)', async ({ workload, first }) => {
  let unknown = 0;
  for (let seed = first; unknown === 0 && seed < first + SEEDS_MAX; seed++) unknown = await unknownAfterSuspension(workload, seed);
  expect(unknown, 'commits whose outcome the client could not find out').toBeGreaterThan(0);
});
