// Unfinished work at the shards, from their metrics.
import { metricsOf } from './metrics.ts';
import type { Store } from './store.ts';
import { until } from './until.ts';

/** Waits until no transaction is in doubt, in flight or waiting: returns '' then, else the counts. */
export async function unfinishedWorkAfter(store: Store, withinMs: number): Promise<string> {
  let unfinished = '';
  await until(async () => (unfinished = await unfinishedWorkIn(store)) === '', withinMs);
  return unfinished;
}

async function unfinishedWorkIn(store: Store): Promise<string> {
  try {
    const serving = await store.serving();
    return (await Promise.all(serving.map(({ rest }) => unfinishedWorkOf(rest)))).join('');
  } catch (error) {
    return `unknown: ${(error as Error).message}`; // a shard moves at this moment
  }
}

async function unfinishedWorkOf(rest: string): Promise<string> {
  const level = await metricsOf(rest);
  const [inDoubt, inFlight, waiting] = [level('claret_in_doubt'), level('claret_attempts_in_flight'), level('claret_waiting')];
  return inDoubt + inFlight + waiting === 0 ? '' : `${rest} has ${inDoubt} in doubt, ${inFlight} in flight, ${waiting} waiting; `;
}
