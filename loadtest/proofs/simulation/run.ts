// One run from its seed to its verdict.
import type { HistoryListener } from '@claret/client';
import { Chance } from '../../kit/random.ts';
import { PART_MS, runInParts } from './lull.ts';
import { comeToRest } from './rest.ts';
import type { Plan } from './plan.ts';
import { ALL_PLANS, PLANS } from './plans/index.ts';
import { Simulation } from './simulation.ts';
import type { Standstill } from './freezes.ts';
import type { CreateShard } from './shard-server.ts';
import type { Violation } from '../workloads/violation.ts';
import type { Workload } from '../workloads/workload.ts';
import { ALL_WORKLOADS, WORKLOADS } from '../workloads/index.ts';

export interface RunOptions {
  seed: number;
  /** simulated, before the cluster comes to rest */
  minutes: number;
  /** names; drawn from the seed by default */
  plan?: string | undefined;
  workload?: string | undefined;
  createShard?: CreateShard | undefined;
  /** called with every attempt of the history; none is kept for it */
  onAttempt?: HistoryListener | undefined;
  /** The run ends with the first violation. */
  endsAtViolation?: boolean | undefined;
  /** simulated time from one lull to the next, at which the part so far is judged and dropped */
  partMs?: number | undefined;
}

export interface RunReport {
  seed: number;
  plan: string;
  workload: string;
  minutes: number;
  /** its length, including the end */
  simulatedMs: number;
  committed: number;
  aborted: number;
  unknown: number;
  /** the longest duration of a transaction */
  longestMs: number;
  /** the greatest number of attempts that the history kept at once */
  keptMax: number;
  /** records judged for linearizability, part by part, and those on which the search was given up */
  linear: { records: number; undecided: number };
  /** reads of the past: those judged, and those of moments that the check did not know any more */
  past: { judged: number; beyond: number };
  /** where nothing fails: members of epochs that met no locks, and the longest wait of a member while nobody held its records by locks */
  members: { alone: number; longestMs: number };
  /** changes of installed types that all shards have confirmed */
  typeChanges: number;
  /** of freezes of app servers in their turns */
  standstills: Standstill[];
  faults: number;
  faultsByName: Record<string, number>;
  violations: Violation[];
  /** of every delivered frame and all events */
  digest: string;
}

export async function run(options: RunOptions): Promise<RunReport> {
  const chance = new Chance(options.seed ^ 0x5eed);
  const [plan, workload] = [chance.pick(PLANS), chance.pick(WORKLOADS)];
  const simulation = new Simulation({
    seed: options.seed,
    plan: options.plan === undefined ? plan : named<Plan>(ALL_PLANS, options.plan),
    workload: options.workload === undefined ? workload : named<Workload>(ALL_WORKLOADS, options.workload),
    createShard: options.createShard,
    onAttempt: options.onAttempt,
  });
  const { world } = simulation;
  simulation.begin();
  const all = async () => {
    await runInParts(simulation, options.minutes * 60_000, options.partMs ?? PART_MS);
    await comeToRest(simulation);
    simulation.judge.end();
  };
  try {
    await world.runUntil(options.endsAtViolation === true ? Promise.race([all(), simulation.violated]) : all());
  } catch (error) {
    simulation.blame('standstill', String(error));
  }
  for (const error of world.thrown) simulation.blame('thrown', error instanceof Error ? (error.stack ?? error.message) : String(error));
  const { network, faults, faultCount, violations, counts } = simulation;
  return {
    seed: options.seed,
    plan: simulation.plan.name,
    workload: simulation.workload.name,
    minutes: options.minutes,
    longestMs: simulation.longestMs,
    keptMax: simulation.judge.keptMax,
    linear: simulation.judge.linear,
    past: simulation.judge.past,
    members: simulation.judge.members,
    simulatedMs: world.nowMs,
    ...counts,
    typeChanges: simulation.operator?.confirmed ?? 0,
    standstills: simulation.freezes.standstills,
    faults: faultCount,
    faultsByName: { ...network.faults, ...faults },
    violations,
    digest: world.digest(),
  };
}

/** Throws an Error that lists the existing names. */
function named<T extends { name: string }>(all: readonly T[], name: string): T {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no "${name}". There are: ${all.map((one) => one.name).join(', ')}`);
  return found;
}
