// One run from its seed to its verdict.
import type { HistoryAttempt } from '@claret/client';
import { Chance } from './chance.ts';
import { comeToRest } from './rest.ts';
import type { Plan } from './plan.ts';
import { PLANS } from './plans/index.ts';
import { Simulation } from './simulation.ts';
import type { CreateShard } from './shard-server.ts';
import type { Violation } from './violation.ts';
import type { Workload } from './workload.ts';
import { judge } from './verdict.ts';
import { WORKLOADS } from './workloads/index.ts';

export interface RunOptions {
  seed: number;
  /** simulated, before everything comes to rest */
  minutes: number;
  /** names; drawn from the seed where there are none */
  plan?: string | undefined;
  workload?: string | undefined;
  createShard?: CreateShard | undefined;
}

export interface RunReport {
  seed: number;
  plan: string;
  workload: string;
  minutes: number;
  /** how long it was, with the end */
  simulatedMs: number;
  committed: number;
  aborted: number;
  unknown: number;
  /** the longest that a transaction took */
  longestMs: number;
  faults: number;
  faultsByName: Record<string, number>;
  violations: Violation[];
  history: HistoryAttempt[];
  /** of every frame delivered and all that happened */
  digest: string;
}

export async function run(options: RunOptions): Promise<RunReport> {
  const chance = new Chance(options.seed ^ 0x5eed);
  const [plan, workload] = [chance.pick(PLANS), chance.pick(WORKLOADS)];
  const simulation = new Simulation({
    seed: options.seed,
    plan: options.plan === undefined ? plan : named<Plan>(PLANS, options.plan),
    workload: options.workload === undefined ? workload : named<Workload>(WORKLOADS, options.workload),
    createShard: options.createShard,
  });
  const { world } = simulation;
  simulation.begin();
  try {
    await world.runUntil(world.sleep(options.minutes * 60_000));
    await world.runUntil(comeToRest(simulation));
    judge(simulation);
  } catch (error) {
    simulation.blame('standstill', String(error));
  }
  for (const error of world.thrown) simulation.blame('thrown', error instanceof Error ? (error.stack ?? error.message) : String(error));
  const { network, faults, faultCount, violations, history, counts } = simulation;
  return {
    ...{ seed: options.seed, plan: simulation.plan.name, workload: simulation.workload.name, minutes: options.minutes },
    longestMs: simulation.longestMs,
    ...{ simulatedMs: world.nowMs, ...counts },
    ...{ faults: faultCount, faultsByName: { ...network.faults, ...faults } },
    ...{ violations, history, digest: world.digest() },
  };
}

/** Throws an Error that lists the names there are. */
function named<T extends { name: string }>(all: readonly T[], name: string): T {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no "${name}". There are: ${all.map((one) => one.name).join(', ')}`);
  return found;
}
