// Lulls: now and then transactions and faults pause until no transaction is in flight and every log is durable. The part of the run
// before a lull is judged there and dropped (judge.ts). The weather stays the same.
import type { Simulation } from './simulation.ts';

/** The limit on waiting: sessions are lost, settled and reopened, outcomes requested. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 20;
/** A shard's pending writes happen between two polls. */
const QUIET_LOOKS = 2;

/** Simulated time from one lull to the next. */
export const PART_MS = 20_000;

/** Lets the simulation run until `untilMs`, with lulls `partMs` apart. */
export async function runInParts(simulation: Simulation, untilMs: number, partMs: number): Promise<void> {
  const { world } = simulation;
  while (world.nowMs + partMs < untilMs) {
    await world.sleep(partMs);
    simulation.beginLull();
    let quiet = 0;
    if (await until(simulation, () => (quiet = isQuiet(simulation) ? quiet + 1 : 0) >= QUIET_LOOKS)) simulation.judge.endPart();
    simulation.endLull();
  }
  await world.sleep(Math.max(0, untilMs - world.nowMs));
}

function isQuiet(simulation: Simulation): boolean {
  const { cluster, appServers } = simulation;
  if (!cluster.shards.every(({ host, isDurable }) => host !== null && isDurable)) return false;
  if (appServers.some(({ workers }) => workers.some(({ begunMs }) => begunMs !== null))) return false;
  return unrest(simulation).length === 0;
}

/** Unfinished work at the shards. */
export function unrest({ cluster }: Simulation): string[] {
  const moves = cluster.moving.filter(({ isMoving }) => isMoving).map((part) => `a move is not settled: ${part.describe()}`);
  const attempts = cluster.shards.flatMap(({ name, host }) => {
    if (host === null) return [`${name}: nobody serves it`];
    const { attemptsInFlight, waiting } = host.counters();
    if (attemptsInFlight + waiting === 0) return [];
    return [`${name}: ${attemptsInFlight} attempts in flight, ${waiting} waiting`];
  });
  return [...attempts, ...moves];
}

/** Returns false if it was not reached in time. */
export async function until({ world }: Simulation, reached: () => boolean): Promise<boolean> {
  const giveUpMs = world.nowMs + PATIENCE_MS;
  while (!reached()) {
    if (world.nowMs > giveUpMs) return false;
    await world.sleep(LOOK_MS);
  }
  return true;
}
