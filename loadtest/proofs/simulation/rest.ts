// The end of a run: faults are over, clients finish and leave, no work is left at the shards; all shards may restart once more;
// then every record is read by ordinary transactions, which are part of the history, and the history is checked.
import { ClaretError } from '@claret/client';
import type { Claret, Description } from '@claret/client';
import { finalReads } from '../history/final-reads.ts';
import { unrest, until } from './lull.ts';
import { slotsWronglyOwned } from './moves/slots-judge.ts';
import { recallAll } from './recall-all.ts';
import type { Simulation } from './simulation.ts';

const READ_MS = 30_000;

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
  const wrong = simulation.plan.movesSlots && slotsWronglyOwned(simulation.cluster.shards, true);
  if (wrong !== undefined) simulation.blame('slots', wrong);
  await readEverything(simulation);
  const { watcher } = simulation;
  if (watcher === null) return;
  await until(simulation, () => watcher.knows(simulation.judge.attempts));
  await watcher.close();
}

const untilServed = (simulation: Simulation): Promise<boolean> =>
  until(simulation, () => simulation.cluster.shards.every(({ host }) => host !== null));

async function readEverything(simulation: Simulation): Promise<void> {
  const reader = simulation.newAppServer('reader');
  const claret = await reader.open({ history: simulation.listener(reader), timeoutMs: READ_MS });
  for (const reads of finalReads(simulation.judge.records)) await readOne(simulation, claret, reads(claret));
  await claret.close();
}

async function readOne(simulation: Simulation, claret: Claret, reads: Description<unknown>[]): Promise<void> {
  try {
    await claret.transact('FinalRead', reads);
  } catch (error) {
    // The record was made as another type by a process that has died.
    if (simulation.workload.clashes === true && error instanceof ClaretError && error.code === 'wrong_type') return;
    simulation.blame('liveness', `a final read failed: ${String(error)}`);
  }
}
