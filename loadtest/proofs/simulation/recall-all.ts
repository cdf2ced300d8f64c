// recallAll: at the end of a run nothing relies on warranties any more. So all that are recalled then come back at once: a client that keeps one
// has forgotten to unpin it or to return it, and a shard that keeps one has lost it.
import { until } from './lull.ts';
import type { Simulation } from './simulation.ts';

/** Faults are over after this time: frames that a fault has held up have arrived, and lost sessions are known to be lost. */
const SETTLED_MS = 5_000;

/** REQUIRES: no transaction is running, and all faults are over. */
export async function recallAll(simulation: Simulation): Promise<void> {
  const { world, cluster, termMs } = simulation;
  const counters = () => cluster.shards.flatMap(({ name, host }) => (host === null ? [] : [{ name, host, ...host.counters() }]));
  if (counters().every(({ grantsStanding }) => grantsStanding === 0)) return;
  await world.sleep(SETTLED_MS + termMs);
  const lapsed = new Map(counters().map(({ host, grantsLapsed }) => [host, grantsLapsed]));
  for (const { host } of counters()) host.setConditions({ ...host.conditions(), warranties: 'off' });
  await until(simulation, () => counters().every(({ grantsStanding }) => grantsStanding === 0));
  for (const { name, host, grantsStanding, grantsLapsed } of counters()) {
    if (grantsStanding > 0) simulation.blame('warranties', `${name}: ${grantsStanding} grants are left`);
    const late = grantsLapsed - (lapsed.get(host) ?? grantsLapsed);
    if (late > 0) simulation.blame('warranties', `${name}: ${late} grants were not returned although nobody relied on them`);
  }
}
