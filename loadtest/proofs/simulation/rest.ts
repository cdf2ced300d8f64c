// The end of a run: faults are over, clients finish and leave, no work is left at the shards; all shards may restart once more;
// then every record is read by ordinary transactions, which are part of the history, and the history is checked.
import { ClaretError } from '@claret/client';
import { steered } from '@claret/client/steered';
import type { Claret, Description } from '@claret/client';
import { finalReads } from '../history/final-reads.ts';
import { unrest, until } from './lull.ts';
import { slotsWronglyOwned } from './moves/slots-judge.ts';
import { recallAll } from './recall-all.ts';
import type { Simulation } from './simulation.ts';

const READ_MS = 30_000;
const TYPES_WITHIN_MS = 60_000;
/** Longer than a request of the operator may be late. */
const TYPES_STAY_MS = 4_000;
const TYPES_LOOK_MS = 500;

export async function comeToRest(simulation: Simulation): Promise<void> {
  const { world, network } = simulation;
  simulation.closing = true;
  network.heal();
  simulation.freezes.disarm();
  for (const { node } of [...simulation.servers, ...simulation.appServers]) node.stallNoMore();
  simulation.cluster.heal();
  simulation.clocks.setRight();
  const working = () => simulation.appServers.flatMap((appServer) => appServer.workers).filter((worker) => !worker.ended);
  await untilServed(simulation);
  if (!(await until(simulation, () => working().length === 0))) {
    for (const { begunMs } of working())
      simulation.blame('liveness', `a transaction begun at ${begunMs} ms has not ended by ${world.nowMs} ms`);
  }
  await recallAll(simulation);
  const living = simulation.appServers.filter(({ claret }) => claret !== null);
  await Promise.all(living.map(({ claret }) => claret!.close()));
  if (!(await until(simulation, () => unrest(simulation).length === 0))) {
    for (const text of unrest(simulation)) simulation.blame('empty gates', text);
  }
  await simulation.cluster.startAgain(world.chance);
  await untilServed(simulation);
  await settleTypes(simulation);
  const wrong = simulation.plan.movesSlots && slotsWronglyOwned(simulation.cluster.shards, true);
  if (wrong !== undefined) simulation.blame('slots', wrong);
  await readEverything(simulation);
  const { watcher } = simulation;
  if (watcher === null) return;
  await until(simulation, () => watcher.knows(simulation.judge.attempts));
  await watcher.close();
}

/** All shards have the newest version of each type, and go on to have it. */
async function settleTypes(simulation: Simulation): Promise<void> {
  const { operator, world } = simulation;
  if (operator === null) return;
  const giveUpMs = world.nowMs + TYPES_WITHIN_MS;
  let atRestMs = world.nowMs;
  await operator.settle(() => world.nowMs < giveUpMs);
  while (world.nowMs < giveUpMs && world.nowMs - atRestMs < TYPES_STAY_MS) {
    await world.sleep(TYPES_LOOK_MS);
    if (operator.apart() !== undefined) atRestMs = world.nowMs;
    if (operator.isAnyRetired()) await operator.settle(() => world.nowMs < giveUpMs);
  }
  const apart = operator.apart();
  if (apart !== undefined) simulation.blame('types', apart);
}

const untilServed = (simulation: Simulation): Promise<boolean> =>
  until(simulation, () => simulation.cluster.shards.every(({ host }) => host !== null));

async function readEverything(simulation: Simulation): Promise<void> {
  const reader = simulation.newAppServer('reader');
  const claret = await reader.open({ history: simulation.listener(reader), timeoutMs: READ_MS });
  for (const reads of finalReads(simulation.judge.records, simulation.running.types?.finalReads))
    await readOne(simulation, claret, reads(claret));
  await claret.close();
}

async function readOne(simulation: Simulation, claret: Claret, reads: Description<unknown>[]): Promise<void> {
  try {
    // An epoch needs not come at once to shards that have just started.
    await claret.transact('FinalRead', reads, steered({ way: 'locks' }));
  } catch (error) {
    // The record was made as another type by a process that has died.
    if (simulation.workload.clashes === true && error instanceof ClaretError && error.code === 'wrong_type') return;
    simulation.blame('liveness', `a final read failed: ${String(error)}`);
  }
}
